"""Two real windows on one library on a server, which is cut off at random moments; prints what was lost or doubled.

    python -m tests.crash.sharing [--cuts 200] [--seed 0] [--screens :80 :81]

Each window is driven by keys: labels, spans, accepted and rejected suggestions, undo and redo, in the same study. The
network is cut (all connections closed, new ones refused for a while), the server is killed, and now and then a window.
Each window notes every edit that it showed. In the end each of them must stand in the audit log once, or be listed by
its window as refused because of the other reader's change. Exit status 1 where one does not. Needs `xdotool`, and a
window manager on both screens.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.postgres import Server, make_library, running
from tests.wce_desktop.sessions import add_study, make_session
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import server

READERS = ("anna", "bert")
KEYS = ("1", "4", "3", "Right", "Left", "n", "Return", "BackSpace", "ctrl+z", "ctrl+shift+z", "Right", "2", "Right")
ROOT = Path(__file__).resolve().parents[2]


class Network:
    """What lies between windows and server: passes on bytes until it is cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._pairs: list[socket.socket] = []
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close everything; new connections are closed at once until `mend`."""
        self.is_cut = True
        for each in self._pairs:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def mend(self) -> None:
        """Pass on new connections."""
        self.is_cut = False

    def _accept(self) -> None:
        while True:
            near, _ = self._listener.accept()
            try:
                if self.is_cut:
                    raise OSError
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            self._pairs += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    for each in (source, target):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


class Window:
    """One reader's window on a screen; started again when it is killed."""

    def __init__(self, screen: str, home: Path, address: str, study_id: str) -> None:
        self._screen, self.home, self._address, self._study_id = screen, home, address, study_id
        self._process: subprocess.Popen[bytes] | None = None
        home.mkdir()

    @property
    def ledger(self) -> Path:
        """The edits that the window showed, one JSON line each."""
        return self.home / "ledger.jsonl"

    def start(self) -> None:
        """Start the window and wait until the study is open."""
        before = self._starts()
        places = {f"XDG_{kind}_HOME": str(self.home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
        environment = os.environ | places | {"DISPLAY": self._screen, "QT_QPA_PLATFORM": "xcb", "HOME": str(self.home)}
        command = [sys.executable, "-m", "tests.crash.sharing", "--window", str(self.ledger), self._address]
        with (self.home / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [*command, self._study_id], env=environment, cwd=ROOT, stdout=output, stderr=output
            )
        deadline = time.monotonic() + 60
        while self._starts() == before:
            if self._process.poll() is not None:  # the server was away: it cannot open then
                time.sleep(1)
                self.start()
                return
            if time.monotonic() > deadline:
                raise RuntimeError(f"the window on {self._screen} did not open: {self.home / 'output'}")
            time.sleep(0.1)

    def _starts(self) -> int:
        return self.ledger.read_text().count('"open"') if self.ledger.exists() else 0

    def press(self, key: str) -> None:
        """Press a key in the window."""
        subprocess.run(["xdotool", "key", key], env=os.environ | {"DISPLAY": self._screen}, check=False)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def edits(self) -> Iterator[dict[str, object]]:
        """What it showed."""
        for line in self.ledger.read_text().splitlines():
            with contextlib.suppress(ValueError):  # it was killed while it wrote
                if "items" in (read := json.loads(line)):
                    yield read

    def journal(self) -> Journal:
        """Its edits that are not on the server."""
        (path,) = self.home.rglob("journal-*.jsonl") or [self.home / "none"]
        return Journal(path)


def run_window(ledger: Path, address: str, study_id: str) -> int:
    """The window itself: notes every edit that it shows."""
    from wce_desktop.shell import application
    from wce_desktop.shell.main_window import MainWindow

    folder = server.folder_of(address)
    app = application.make_application()
    session = application.open_session(folder)
    window = MainWindow(session)

    def note(line: dict[str, object]) -> None:
        with ledger.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def note_edit(edit: object) -> None:
        if edit is not None:
            items = [list(item) for item in _items(edit)]
            note({"when": edit.when_utc, "items": items})  # type: ignore[attr-defined]

    session.annotations_changed.connect(note_edit)
    session.settings.set("score_when_opened", False)
    session.study_opened.connect(lambda: note({"open": True}))
    window.showMaximized()
    window.features.studies.open_study(session.library.studies.get(study_id))
    return int(app.exec())


def _items(edit: object) -> Iterator[tuple[str, str]]:
    from wce_desktop.core.annotation.change import item_id, items_of

    for change in edit.changes:  # type: ignore[attr-defined]
        *_, item = items_of([change])
        yield change.verb, item_id(item)


def stress(postgres: Server, folder: Path, screens: list[str], cuts: int, seed: int) -> int:
    """Cut the server off `cuts` times while two windows are used; returns how many edits were lost or doubled."""
    chance, network = random.Random(seed), Network(postgres.port)
    here = make_session(folder / "here")
    study_id = add_study(here, folder / "here").study_id
    here.library.close()
    name = postgres.database()
    copying.copy_library(here.library.folder, folder / "files", postgres.address(name))
    for reader in READERS:
        postgres.execute(f"CREATE ROLE {reader} LOGIN")
        copying.allow(postgres.address(name), reader, "reader")
    make_library(f"postgresql://127.0.0.1:{network.port}/{name}?sslmode=disable", folder / "files")
    windows = [
        Window(
            screen, folder / reader, f"postgresql://{reader}@127.0.0.1:{network.port}/{name}?sslmode=disable", study_id
        )
        for screen, reader in zip(screens, READERS, strict=True)
    ]
    for window in windows:
        window.start()
    done = Counter[str]()
    for _ in range(cuts):
        _use(windows, chance, chance.uniform(0.5, 2.0))
        kind = chance.choices(("network", "server", "window"), (0.7, 0.25, 0.05))[0]
        done[kind] += 1
        if kind == "network":
            network.cut()
            _use(windows, chance, chance.uniform(0.1, 2.0))
            network.mend()
        elif kind == "server":
            postgres.stop()
            _use(windows, chance, chance.uniform(0.1, 1.0))
            postgres.start()
        else:
            window = chance.choice(windows)
            window.kill()
            window.start()
    deadline = time.monotonic() + 60
    while any(window.journal().waiting for window in windows) and time.monotonic() < deadline:
        time.sleep(0.5)
    for window in windows:
        window.kill()
    make_library(postgres.address(name), folder / "files")
    print(", ".join(f"{count} times the {kind}" for kind, count in done.items()))
    return sum(_check(window, reader, postgres.address(name)) for window, reader in zip(windows, READERS, strict=True))


def _use(windows: list[Window], chance: random.Random, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        chance.choice(windows).press(chance.choice(KEYS))


def _check(window: Window, reader: str, address: str) -> int:
    """Compare what a window showed with the audit log; prints it, and returns how much is wrong."""
    engine = create_engine(server.connection_url(address))
    with engine.connect() as connection:
        rows = connection.execute(
            text("SELECT when_utc, action, item_id FROM audit WHERE reader = :reader"), {"reader": reader}
        ).all()
    engine.dispose()
    there = Counter((when, action, item) for when, action, item in rows)
    journal = window.journal()
    refused = {entry.when_utc for entry in journal.entries if entry.refused}
    shown = Counter((str(edit["when"]), verb, item) for edit in window.edits() for verb, item in edit["items"])  # type: ignore[attr-defined]
    lost = [each for each in shown if not there[each] and each[0] not in refused]
    doubled = [each for each, count in there.items() if count > 1]
    both = [each for each in shown if there[each] and each[0] in refused]
    print(
        f"{reader}: {len(shown)} changes shown, {len(refused)} edits refused because of the other reader, "
        f"{len(journal.waiting)} waiting, {len(lost)} lost, {len(doubled)} doubled, {len(both)} refused and written"
    )
    return len(lost) + len(doubled) + len(both) + len(journal.waiting)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--screens", nargs=2, default=[":80", ":81"])
    parser.add_argument("--window", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.window:
        return run_window(Path(given.window[0]), *given.window[1:])
    with tempfile.TemporaryDirectory(prefix="wce-sharing-") as place, running() as postgres:
        wrong = stress(postgres, Path(place), given.screens, given.cuts, given.seed)
        with Library.open(Path(place) / "files", "") as library:
            breaks = library.audit.check().breaks
        print(f"breaks of the audit log: {len(breaks)}")
    return 1 if wrong or breaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
