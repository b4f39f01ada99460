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
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.crash.network import Network
from tests.crash.shared_window import COMMANDS, SIGNING
from tests.crash.sharing_checks import Shown, check_content, check_window
from tests.postgres import Server, make_library, running
from tests.wce_desktop.sessions import add_study, make_session
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying

READERS = ("anna", "bert")
KEYS = ("1", "4", "3", "Right", "Left", "n", "Return", "BackSpace", "ctrl+z", "ctrl+shift+z", "Right", "2", "Right")
ROOT = Path(__file__).resolve().parents[2]
KINDS = {"network cut": 0.45, "network hung": 0.2, "server killed": 0.28, "window killed": 0.07}
OTHER_STUDY, SIGN = 0.02, 0.02
"""How likely a window opens another study, or signs, instead of pressing a key."""
PAUSE_SECONDS, AIM_SECONDS = (0.5, 5.0), 8.0
AT_SIGNATURE = 0.4
"""Which share of the cuts waits for a report that is being signed, at most `AIM_SECONDS`."""
QUIET = 0.95
"""How likely no key is pressed while a window signs: a reader looks at the report."""
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

    def errors(self) -> int:
        """How many errors of the program it printed; prints where."""
        said = (self.home / "output").read_text(errors="replace")
        count = said.count("Traceback") - said.count("The above exception") - said.count("During handling of")
        print(f"{self.home.name}: {count} errors of the program" + (f": {self.home / 'output'}" if count else ""))
        return count

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
        return sum("open" in line for line in self.shown.lines)

    def use(self, chance: random.Random) -> None:
        """Press a key, open another study or sign; while it signs, a key now and then."""
        if self.is_signing and chance.random() < QUIET:
            time.sleep(0.02)
            return
        drawn = chance.random()
        if drawn < OTHER_STUDY:
            self._command(f"open {chance.choice(self._studies)}")
        elif drawn < OTHER_STUDY + SIGN:
            self._command("sign")
        else:
            environment = os.environ | {"DISPLAY": self._screen}
            subprocess.run(["xdotool", "key", chance.choice(KEYS)], env=environment, check=False)

    @property
    def is_signing(self) -> bool:
        """Whether it is about to sign a report."""
        return (self.home / SIGNING).exists()

    @property
    def has_pressed(self) -> bool:
        """Whether *Sign* was pressed, and no answer is there."""
        return self.is_signing and (self.home / SIGNING).stat().st_size > 0

    def _command(self, line: str) -> None:
        with (self.home / COMMANDS).open("a") as file:
            file.write(line + "\n")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            (self.home / SIGNING).unlink(missing_ok=True)

    @property
    def shown(self) -> Shown:
        """What it showed."""
        return Shown.of(self.home)


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
        while any(window.shown.journal.waiting for window in windows) and time.monotonic() < deadline:
            time.sleep(0.2)
    finally:
        for window in windows:
            window.kill()
    make_library(postgres.address(name), folder / "files")
    print(", ".join(f"{kind} {count} times" for kind, count in sorted(done.items())))
    with Library.open(folder / "files", "") as library:
        wrong = [check_window(window.shown, reader, library) for window, reader in zip(windows, READERS, strict=True)]
        return sum(wrong) + check_content(library) + sum(window.errors() for window in windows)


def _cut_often(
    windows: list[Window], network: Network, postgres: Server, cuts: int, chance: random.Random
) -> Counter[str]:
    """Use the windows, and cut the server off; returns how often in which way."""

    def use(least: float, most: float, is_over: Callable[[], bool] = lambda: False) -> None:
        deadline = time.monotonic() + chance.uniform(least, most)
        while time.monotonic() < deadline and not is_over():
            chance.choice(windows).use(chance)

    def is_signed() -> bool:
        return any(window.has_pressed for window in windows)

    done = Counter[str]()
    for _ in range(cuts):
        use(*PAUSE_SECONDS)
        if chance.random() < AT_SIGNATURE:
            use(AIM_SECONDS, AIM_SECONDS, is_signed)
            use(0.0, 1.0)
        kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
        done[kind] += 1
        done["at a signature"] += is_signed()
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
