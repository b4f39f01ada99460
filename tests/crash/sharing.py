"""Two real windows on one library on a server, which is cut off at random moments; prints what was lost or doubled.

    python -m tests.crash.sharing [--cuts 200] [--seed 0] [--screens :80 :81]

Each window is driven by keys: labels, spans, accepted and rejected suggestions, undo and redo; now and then it opens
another study, or signs the report. Both read a common study most of the time, and others by themselves. The network is
cut (all connections closed, new ones refused) or hangs (connections open, nothing flows), the server is killed with
signal 9 and started again, and now and then a window is killed. Each window notes what it showed as saved: every edit
and every signed report. In the end each edit must stand in the audit log once, or be listed by its window as refused
because of the other reader's change, and each report must be there once, with its files. The labels must be those that
the audit log leads to. Exit status 1 where something differs. Needs `xdotool`, and a window manager on both screens.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.crash.network import Network
from tests.crash.shared_window import COMMANDS, LEDGER
from tests.postgres import Server, make_library, running
from tests.wce_desktop.sessions import add_study, make_session
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import server

READERS = ("anna", "bert")
KEYS = ("1", "4", "3", "Right", "Left", "n", "Return", "BackSpace", "ctrl+z", "ctrl+shift+z", "Right", "2", "Right")
ROOT = Path(__file__).resolve().parents[2]
KINDS = {"network cut": 0.45, "network hung": 0.2, "server killed": 0.28, "window killed": 0.07}
OTHER_STUDY, SIGN = 0.02, 0.04
"""How likely a window opens another study, or signs, instead of pressing a key."""
OPEN_SECONDS, SEND_SECONDS = 120, 120


class Window:
    """One reader's window on a screen; started again when it is killed."""

    def __init__(self, screen: str, home: Path, address: str, studies: list[str]) -> None:
        self._screen, self.home, self._address, self._studies = screen, home, address, studies
        self._process: subprocess.Popen[bytes] | None = None
        home.mkdir()
        (home / COMMANDS).touch()

    def start(self) -> None:
        """Start the window and wait until the study is open."""
        before = self._opened()
        self._launch()
        deadline = time.monotonic() + OPEN_SECONDS
        while self._opened() == before:
            assert self._process is not None
            if self._process.poll() is not None:  # it cannot open while the server recovers
                self._launch()
            if time.monotonic() > deadline:
                raise RuntimeError(f"the window on {self._screen} did not open: {self.home / 'output'}")
            time.sleep(0.1)

    def _launch(self) -> None:
        places = {f"XDG_{kind}_HOME": str(self.home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
        own = {"DISPLAY": self._screen, "QT_QPA_PLATFORM": "xcb", "HOME": str(self.home), "OMP_NUM_THREADS": "1"}
        keys = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
        command = [sys.executable, "-m", "tests.crash.shared_window", str(self.home), self._address, self._studies[0]]
        with (self.home / "output").open("ab") as output:
            self._process = subprocess.Popen(
                command, env=os.environ | places | own | keys, cwd=ROOT, stdout=output, stderr=output
            )

    def _opened(self) -> int:
        return sum("open" in line for line in self.lines())

    def use(self, chance: random.Random) -> None:
        """Press a key, open another study or sign."""
        drawn = chance.random()
        if drawn < OTHER_STUDY:
            self._command(f"open {chance.choice(self._studies)}")
        elif drawn < OTHER_STUDY + SIGN:
            self._command("sign")
        else:
            environment = os.environ | {"DISPLAY": self._screen}
            subprocess.run(["xdotool", "key", chance.choice(KEYS)], env=environment, check=False)

    def _command(self, line: str) -> None:
        with (self.home / COMMANDS).open("a") as file:
            file.write(line + "\n")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def lines(self) -> Iterator[dict[str, Any]]:
        """What it noted."""
        path = self.home / LEDGER
        for line in path.read_text().splitlines() if path.exists() else ():
            with contextlib.suppress(ValueError):  # it was killed while it wrote
                yield json.loads(line)

    def journal(self) -> Journal:
        """Its edits that are not on the server."""
        paths = [*self.home.rglob("journal-*.jsonl"), self.home / "none"]
        return Journal(paths[0])


def stress(postgres: Server, folder: Path, screens: list[str], cuts: int, seed: int) -> int:
    """Cut the server off `cuts` times while two windows are used; returns how much is wrong in the end."""
    chance, network = random.Random(seed), Network(postgres.port)
    name, studies = _make_library(postgres, folder)
    windows = []
    for number, (screen, reader) in enumerate(zip(screens, READERS, strict=True)):
        address = f"postgresql://{reader}@127.0.0.1:{network.port}/{name}?sslmode=disable"
        windows.append(Window(screen, folder / reader, address, [studies[0], studies[0], studies[1 + number]]))
    make_library(f"postgresql://127.0.0.1:{network.port}/{name}?sslmode=disable", folder / "files")
    try:
        for window in windows:
            window.start()
        done = _cut_often(windows, network, postgres, cuts, chance)
        deadline = time.monotonic() + SEND_SECONDS
        while any(window.journal().waiting for window in windows) and time.monotonic() < deadline:
            time.sleep(0.2)
    finally:
        for window in windows:
            window.kill()
    make_library(postgres.address(name), folder / "files")
    print(", ".join(f"{kind} {count} times" for kind, count in sorted(done.items())))
    with Library.open(folder / "files", "") as library:
        return sum(_check(*each, library) for each in zip(windows, READERS, strict=True)) + _check_content(library)


def _cut_often(
    windows: list[Window], network: Network, postgres: Server, cuts: int, chance: random.Random
) -> Counter[str]:
    """Use the windows, and cut the server off; returns how often in which way."""

    def use(least: float, most: float) -> None:
        deadline = time.monotonic() + chance.uniform(least, most)
        while time.monotonic() < deadline:
            chance.choice(windows).use(chance)

    done = Counter[str]()
    for _ in range(cuts):
        use(0.5, 2.0)
        kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
        done[kind] += 1
        _cut_off(kind, chance, network, postgres, windows, use)
    return done


def _make_library(postgres: Server, folder: Path) -> tuple[str, list[str]]:
    """The database of a library with three studies, and their ids."""
    here, studies = make_session(folder / "here"), []
    for number in range(3):
        place = folder / f"video-{number}"
        place.mkdir()
        studies.append(add_study(here, place, gop=12 - number).study_id)
    here.library.close()
    name = postgres.database()
    copying.copy_library(here.library.folder, folder / "files", postgres.address(name))
    for reader in READERS:
        postgres.execute(f"CREATE ROLE {reader} LOGIN")
        copying.allow(postgres.address(name), reader, "reader")
    return name, studies


def _cut_off(
    kind: str,
    chance: random.Random,
    network: Network,
    postgres: Server,
    windows: list[Window],
    use: Callable[[float, float], None],
) -> None:
    if kind == "network cut":
        network.cut()
        use(0.1, 2.0)
        network.mend()
    elif kind == "network hung":
        network.hang()
        use(0.1, 3.0)
        match chance.randrange(3):
            case 0:
                network.cut()  # what was held back is lost
            case 1:
                network.drop_near()  # it arrives after its window gave up
        network.mend()
    elif kind == "server killed":
        postgres.kill()
        use(0.1, 1.0)
        postgres.start()
    else:
        window = chance.choice(windows)
        window.kill()
        window.start()


_WRITTEN = "SELECT when_utc, action, item_id FROM audit WHERE reader = :reader"
_TWICE = "SELECT when_utc, study_id, count(*) FROM edits WHERE reader = :reader GROUP BY 1, 2 HAVING count(*) > 1"


def _check(window: Window, reader: str, library: Library) -> int:
    """Compare what a window showed with the library; prints it, and returns how much is wrong."""
    engine = create_engine(server.connection_url(server.address_in(library.folder)))
    with engine.connect() as connection:
        there = Counter(map(tuple, connection.execute(text(_WRITTEN), {"reader": reader})))
        twice = connection.execute(text(_TWICE), {"reader": reader}).all()
    engine.dispose()
    journal, lines = window.journal(), list(window.lines())
    refused = {entry.when_utc for entry in journal.entries if entry.refused}
    shown = {(str(edit["when"]), verb, item) for edit in lines if "items" in edit for verb, item in edit["items"]}
    lost = [each for each in shown if not there[each] and each[0] not in refused]
    doubled = [each for each, count in there.items() if count > 1]
    both = [each for each in shown if there[each] and each[0] in refused]
    reports = [tuple(line["signed"]) for line in lines if "signed" in line]
    kept = Counter((each.study_id, each.version) for study in {id_ for id_, _ in reports}
                   for each in library.reports.signed(study) if each.reader == reader)  # fmt: skip
    missing = [each for each in reports if kept[each] != 1]
    print(
        f"{reader}: {len(shown)} changes and {len(reports)} signed reports shown as saved, {len(refused)} edits "
        f"refused because of the other reader, {len(journal.waiting)} waiting, {len(lost) + len(missing)} lost, "
        f"{len(doubled) + len(twice)} doubled, {len(both)} refused and written"
    )
    for each in (*lost, *missing, *doubled, *twice, *both):
        print("   ", each)
    return len(lost) + len(missing) + len(doubled) + len(twice) + len(both) + len(journal.waiting)


def _check_content(library: Library) -> int:
    """Compare labels with those that the audit log leads to, and check log and reports; returns how much is wrong."""
    labels = set[str]()
    for line in library.audit.entries():
        if line.kind == "label":
            (labels.discard if line.action == "remove" else labels.add)(line.item_id)
    studies = [study.study_id for study in library.studies.all()]
    there = [label.label_id for study in studies for label in library.annotations.answers(study)]
    reports = [report for study in studies for report in library.reports.signed(study)]
    bad = [report.version for report in reports if library.reports.check(report).problems]
    breaks, wrong = library.audit.check().breaks, len(labels ^ set(there)) + len(there) - len(set(there))
    print(
        f"{len(there)} labels, {wrong} unlike the audit log; {len(reports)} reports, {len(bad)} damaged; "
        f"{len(breaks)} breaks of the audit log"
    )
    return wrong + len(bad) + len(breaks)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--screens", nargs=2, default=[":80", ":81"])
    given, began = parser.parse_args(), time.monotonic()
    place = Path(tempfile.mkdtemp(prefix="wce-sharing-"))
    with running() as postgres:
        wrong = stress(postgres, place, given.screens, given.cuts, given.seed)
    print(f"{given.cuts} cuts in {(time.monotonic() - began) / 60:.1f} minutes, seed {given.seed}: {wrong} wrong")
    if wrong:
        print(f"what the windows noted and said: {place}")
    else:
        shutil.rmtree(place)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
