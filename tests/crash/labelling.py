"""Labelling in the real window, by key presses, until it is killed."""

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash.kind import Kind
from tests.crash.library_states import damage, state_of, undo_works, what_was_lost
from tests.crash.victim import Death, Moment, Say, run
from wce_desktop.library import Library
from wce_desktop.session.actions import ACTIONS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from wce_desktop.session.session import Session
    from wce_desktop.shell.main_window import MainWindow

LIVES = 25
"""A library goes through so many kills, then a new one is begun."""
STARTING_SHARE = 0.1
"""Share of the kills that hit the program while it starts."""
MOST_EDITS = 14
LONGEST_PAUSE_SECONDS = 0.04

MOVES = ("step_forward", "step_back", "jump_forward", "next_event", "previous_event", "next_unseen_event")
EDITS = (
    *("label_0", "label_1", "label_2", "label_3") * 3,
    *("undo",) * 4,
    *("redo",) * 2,
    *("accept_event", "reject_event") * 2,
    *("landmark_stomach", "landmark_colon", "new_finding", "comment", "join_findings", "split_finding"),
)
OTHERS = ("mark_start", "mark_stop", "clear_span", "lower_threshold", "raise_threshold", "toggle_play")
SHORTCUTS = {row.action_id: row.shortcut.split("; ")[0] for row in ACTIONS}


def presses(chance: random.Random) -> Iterator[str]:
    """What the reader does, without end: action ids, and "comment" for typing one into the chosen finding."""
    while True:
        yield chance.choice(MOVES)
        if chance.random() < 0.3:
            yield chance.choice(OTHERS)
        yield chance.choice(EDITS)


class Labelling(Kind):
    """Each kill: the window is opened on the library that the last kill left, and edits until it dies."""

    name = "labelling in the window"

    def __init__(self, folder: Path, chance: random.Random, screen: str = "") -> None:
        """`screen` names an X display on which a real window is driven by xdotool, such as ":78"."""
        super().__init__(folder, chance)
        self._screen = screen
        self._home: Path | None = None
        self._lives = 0
        self._starting_seconds = 2.0

    def kill_once(self) -> None:
        """One life of the window."""
        home = self._make_home()
        is_starting = self.chance.random() < STARTING_SHARE
        wanted = 0 if is_starting else 1 + self.chance.randrange(MOST_EDITS)
        longest = self._starting_seconds if is_starting else LONGEST_PAUSE_SECONDS
        seed = self.chance.randrange(1 << 30)
        moment = Moment(wanted, self.chance.random() * longest)
        death = self._live(home, seed, moment)
        if death.was_killed:
            self._look_at(home, death)
        elif death.status == 0:
            self.problem("the window closed by itself")
        if wanted and death.lines:
            self._starting_seconds = json.loads(death.lines[0])["seconds"]

    def _live(self, home: Path, seed: int, moment: Moment) -> Death:
        if not self._screen:
            return self.run(lambda say: read_and_edit(home, seed, say), moment)
        keys = [SHORTCUTS[what] for what, _ in zip(presses(random.Random(seed)), range(400), strict=False)
                if what in SHORTCUTS and what != "new_finding"]  # fmt: skip
        typing = subprocess.Popen(
            ["xdotool", "sleep", "2.5", "key", "--delay", "25", *map(x_key, keys)],
            env={**os.environ, "DISPLAY": self._screen},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            return self.run(lambda say: read_on_screen(home, self._screen, say), moment)
        finally:
            typing.kill()
            typing.wait()

    def _make_home(self) -> Path:
        """The folder with library and study that is in use; a new one now and then."""
        if self._home is None or self._lives >= LIVES:
            self._lives, self._home = 0, self.folder / f"home-{self.tally.kills}"
            self._home.mkdir()
            home = self._home
            death = run(lambda say: make_library(home), self._log)
            if death.status != 0:
                raise RuntimeError(self._log.read_text(encoding="utf-8"))
        self._lives += 1
        return self._home

    def _look_at(self, home: Path, death: Death) -> None:
        """What the killed window left."""
        said = [json.loads(line) for line in death.lines]
        self.tally.confirmed += max(0, len(said) - 1)  # the first line says how it was when it opened
        if found := damage(home / "library"):
            self.problem(f"the database is damaged: {found}")
        with Library.open(home / "library", "reader") as library:
            (study,) = library.studies.all()
            if said and (lost := what_was_lost(library, study.study_id, said[-1]["state"])):
                self.tally.lost += 1
                self.problem(f"not on disk after {len(said) - 1} confirmed edits: {lost}")
            if not undo_works(library, study.study_id):
                self.problem("undo and redo did not lead back")


def make_library(home: Path) -> None:
    """A library with one scored study and one edit."""
    from tests.wce_desktop.sessions import add_study, make_session
    from wce_desktop.core.annotation.change import Add
    from wce_desktop.core.annotation.label import Label
    from wce_desktop.core.identity import new_id
    from wce_desktop.core.span import Span

    session = make_session(home)
    study = add_study(session, home)
    session.library.annotations.edit(
        study.study_id, "first", [Add(Label(new_id(), study.study_id, Span(3, 5), "polyp"))]
    )
    session.library.close()


def read_and_edit(home: Path, seed: int, say: Say) -> None:
    """In the child: open the window without a screen, and press keys until killed."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app, window = open_window(home, say)
    for what in presses(random.Random(seed)):
        press(app, window, what)


def read_on_screen(home: Path, screen: str, say: Say) -> None:
    """In the child: open the window on an X display, where somebody else presses the keys."""
    os.environ.update(QT_QPA_PLATFORM="xcb", DISPLAY=screen)
    app, _window = open_window(home, say)
    app.exec()


def open_window(home: Path, say: Say) -> tuple["QApplication", "MainWindow"]:
    """Start as `wce-desktop` does, and open the study; then each edit is said once the window says that it is saved."""
    from wce_desktop.shell.application import make_application, open_session
    from wce_desktop.shell.main_window import MainWindow

    began = time.monotonic()
    app = make_application()
    session = open_session(home / "library")
    session.settings.set("score_when_opened", False)
    session.settings.set("keep_model_ready", False)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    window.activateWindow()
    window.features.studies.open_path(home / "study.mp4")
    while not (window.is_idle and session.reading is not None):
        app.processEvents()

    def saved(title: str) -> None:
        assert window.saved.toolTip() == title, "the window has not said that it is saved"
        say(json.dumps({"state": shown(session)}))

    session.saved.connect(saved)
    say(json.dumps({"state": shown(session), "seconds": time.monotonic() - began}))
    return app, window


def shown(session: "Session") -> dict[str, object]:
    """What the window shows of the study."""
    reading = session.reading
    assert reading is not None
    titles = session.edits.undo_title, session.edits.redo_title
    return state_of(
        list(reading.entries.labels),
        reading.entries.findings,
        reading.entries.landmarks,
        reading.entries.boxes,
        reading.entries.links,
        *titles,
    )


def press(app: "QApplication", window: "MainWindow", what: str) -> None:
    """Press the keys of an action, as events that the window gets; and let it do what it wants."""
    from PySide6.QtGui import QKeySequence
    from PySide6.QtTest import QTest

    if what == "comment":
        window.features.reading.findings._comment.setFocus()
        QTest.keyClicks(window.features.reading.findings._comment, f"seen at {time.monotonic():.3f}")
    else:
        QTest.keySequence(window, QKeySequence(SHORTCUTS[what]))
    app.processEvents()
    if what in ("comment", "new_finding"):
        window.player.setFocus()  # the comment is saved when it is left
    if what == "toggle_play":
        window.player.pause()
    app.processEvents()


def x_key(shortcut: str) -> str:
    """A shortcut in xdotool's words."""
    words = {"Ctrl": "ctrl", "Shift": "shift", "Backspace": "BackSpace", "[": "bracketleft", "]": "bracketright",
             "Escape": "Escape", "Space": "space"}  # fmt: skip
    return "+".join(words.get(part, part if len(part) > 1 else part.lower()) for part in shortcut.split("+"))
