"""A study is read from the worklist to the filed PDF with keys only.

Every key goes to the widget that has the focus, as it does for a reader; the test chooses none.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from tests.wce_desktop.keyboard import Keyboard
from tests.wce_desktop.sessions import make_session, write_scores
from tests.wce_desktop.shell.test_reading_hour import FRAMES, PIXELS, text_of
from tests.wce_desktop.windows import wait, window_on
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from training.video import build_index
from wce_desktop.core.annotation.change import Replace
from wce_desktop.core.annotation.landmark import Region, first_frames
from wce_desktop.shell.main_window import MainWindow

POLYP = "1"


def scores() -> NDArray[np.float32]:
    """(120, 3): three flagged frames of polyp or blood every 12 frames."""
    values = np.full((FRAMES, 3), 0.05, np.float32)
    for number, start in enumerate(range(24, FRAMES - 3, 12)):
        values[start : start + 3, 1 + number % 2] = 0.95 - 0.01 * number
    return values


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window on the reading desk; the library has a scored study and two others, none is open."""
    write_studies(
        tmp_path / "phantom", studies=1, frames=FRAMES, size_px=PIXELS, positive_share=0.5, seed=3,
        reporter=SilentReporter(),
    )  # fmt: skip
    (video,) = (tmp_path / "phantom" / "videos").glob("*.mp4")
    session = make_session(tmp_path)
    session.settings.set("desk", "reading")
    study = session.add_study(video, build_index(video))
    session.rename_study(study, "Meier 4711")
    record = session.library.studies.record(study.study_id)
    named = replace(record, pseudonym="P1", exam_date="2026-11-02")
    session.library.annotations.edit(study.study_id, "Fill the record", [Replace(record, named)])
    path = session.files(study).scores_path(session.model_id)
    write_scores(path, session.model_id, scores())
    session.scores.scored(study.study_id, session.model_id)
    for name in ("Huber", "Weber"):
        session.library.studies.add(tmp_path / f"{name}.mp4", study_id=name, fingerprint=name)
    with window_on(qtbot, session, None) as opened:
        yield opened


def keys_of(keyboard: Keyboard, act: Callable[[], object]) -> int:
    before = keyboard.count
    act()
    return keyboard.count - before


def open_from_worklist(qtbot: QtBot, window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.press("F12")
    wait(qtbot, window.features.studies.worklist.window.isActiveWindow)
    keyboard.type("meier")
    keyboard.press("Return")
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle and window.isActiveWindow())
    assert keyboard.focused is window.player
    wait(qtbot, lambda: bool(window.workspace.reading.seen.any()))


def set_landmarks(window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.move("Home", to=0)
    for digit, start, frame in ((1, 10, 0), (2, 10, 20), (3, 30, 100)):
        for to in range(start, frame + 1, 10):
            keyboard.move("Ctrl+Right", to)
        keyboard.step(f"Ctrl+{digit}")  # one key
    frames = first_frames(window.workspace.reading.entries.landmarks)
    assert [frames[region] for region in (Region.STOMACH, Region.SMALL_BOWEL, Region.COLON)] == [0, 20, 100]


def read_on(qtbot: QtBot, window: MainWindow, keyboard: Keyboard) -> None:
    reading = window.workspace.reading
    seen = reading.seen.copy()
    assert keys_of(keyboard, lambda: keyboard.move("U")) == 1
    frame = reading.place.frame_index
    assert 20 <= frame < 100
    assert not seen[frame]
    keyboard.press("Shift+U")
    wait(qtbot, lambda: bool(reading.seen[frame : frame + 4].all()))
    keyboard.press("Shift+U")
    wait(qtbot, lambda: not window.player.is_playing and window.is_idle)


def describe(window: MainWindow, keyboard: Keyboard) -> None:
    """Enter a finding on the frame and fill in its card; size and comment are text."""
    keyboard.press("M", POLYP, "Return", "2", "Return")
    keyboard.type("7")
    keyboard.press("Return", "Return")
    keyboard.type("Broad base")
    keyboard.step("Return")


def answer_suggestions(window: MainWindow, keyboard: Keyboard) -> None:
    reading = window.workspace.reading
    assert keys_of(keyboard, lambda: keyboard.move("N")) == 1
    assert reading.event_here() is not None
    assert keys_of(keyboard, lambda: describe(window, keyboard)) <= 8
    (finding,) = reading.entries.findings
    entered = finding.kind, finding.relevance, finding.size_mm, finding.comment
    assert entered == ("polyp", "P2", 7.0, "Broad base")
    assert keyboard.focused is window.player
    keyboard.move("N")
    event = reading.event_here()
    assert event is not None
    assert keys_of(keyboard, lambda: keyboard.move("Shift+Backspace")) == 1
    assert reading.answer(event) == "rejected"


def add_finding_and_picture(window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.press("M", POLYP, "Return", "0")
    keyboard.step("Escape")
    frame = window.workspace.reading.place.frame_index
    assert len(window.workspace.reading.entries.findings) == 2
    assert keyboard.focused is window.player
    keyboard.step("R")
    assert frame in window.workspace.reading.entries.drawings.in_report


def answer_in_overview(window: MainWindow, keyboard: Keyboard) -> None:
    reading = window.workspace.reading
    overview = window.features.suggested_findings.overview
    keyboard.step("Shift+G")
    for key, answer in (("Return", "accepted"), ("Backspace", "rejected")):
        event = overview.current
        assert event is not None
        keyboard.step(key)
        assert reading.answer(event) == answer
        assert overview.current != event
    keyboard.step("Escape")
    assert not overview.isVisible()
    assert keyboard.focused is window.player


def finish(keyboard: Keyboard, window: MainWindow) -> None:
    keyboard.answer("Tab", "Return")
    keyboard.step("Ctrl+Return")
    keyboard.come_back()
    assert window.workspace.reading.study.state == "finished"
    assert keyboard.focused is window.player


def go_to_sign(qtbot: QtBot, window: MainWindow, keyboard: Keyboard) -> None:
    """Acknowledge what was not seen, enter the reader and go to the button."""
    shown = window.features.report.window
    assert shown is not None
    box = shown.sign_box
    for name, acknowledged in (("Flags not seen", box.flags), ("Frames not seen", box.frames)):
        if not acknowledged.is_answered:
            keyboard.tab_to(name)
            wait(qtbot, lambda: window.is_idle)
            keyboard.press("Space")
    if not box.reader.text():
        keyboard.tab_to("Reader who signs")
        keyboard.type("Dr Jones")
    keyboard.tab_to("Sign")


def file_report(qtbot: QtBot, window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.press("F8")
    shown = window.features.report.window
    assert shown is not None
    wait(qtbot, lambda: shown.isActiveWindow() and window.is_idle)
    keyboard.tab_to("Summary")
    keyboard.type("One polyp in the small bowel.")
    go_to_sign(qtbot, window, keyboard)
    keyboard.answer("Tab", "Return")
    keyboard.press("Return")
    wait(qtbot, lambda: window.is_idle and shown.versions.count() == 1)
    shown.activateWindow()  # as the window manager does; see `come_back`
    wait(qtbot, shown.isActiveWindow)
    keyboard.tab_to("PDF…")
    keyboard.press("Return")


def test_a_study_is_read_from_the_worklist_to_the_pdf_by_keys(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed = tmp_path / "filed.pdf"
    monkeypatch.setattr(window.workspace.files, "ask_new_file", lambda *_: filed)
    keyboard = Keyboard(qtbot, window)
    open_from_worklist(qtbot, window, keyboard)
    set_landmarks(window, keyboard)
    read_on(qtbot, window, keyboard)
    answer_suggestions(window, keyboard)
    add_finding_and_picture(window, keyboard)
    answer_in_overview(window, keyboard)
    finish(keyboard, window)
    file_report(qtbot, window, keyboard)
    wait(qtbot, lambda: filed.is_file() and window.is_idle)
    text = text_of(filed)
    for words in ("7 mm", "P2", "Broad base", "One polyp in the small bowel.", "Signed by Dr Jones"):
        assert words in text, words
    keyboard.press("Escape")
    keyboard.come_back()
    keyboard.move("Left", to=window.workspace.reading.place.frame_index - 1)
