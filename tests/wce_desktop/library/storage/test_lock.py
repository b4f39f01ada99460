"""One window a library, in real processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library, LibraryInUseError
from wce_desktop.library.storage.lock import LibraryLock

ROOT = Path(__file__).resolve().parents[4]
OPEN = """
import sys
from pathlib import Path
from training.errors import UserError
from wce_desktop.library import Library
try:
    library = Library.open(Path(sys.argv[1]), "other")
except UserError as error:
    print(error, flush=True)
else:
    print("open", flush=True)
    sys.stdin.read()
"""


def second_window(folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", OPEN, str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_second_window_is_told_so_and_harms_nothing(library: Library) -> None:
    study_id = library.studies.add(Path("a.mp4")).study_id
    said, _ = second_window(library.folder).communicate(timeout=60)
    assert said.startswith(f"The library in {library.folder} is already open in another window (process ")
    assert said.endswith("Use that window, or close it first.\n")
    library.annotations.edit(study_id, "still mine", [Add(make_label(study_id, 0, 1))])


def test_the_lock_of_a_killed_window_does_not_stick(folder: Path) -> None:
    with second_window(folder) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(LibraryInUseError, match=f"process {other.pid}"):
            Library.open(folder, "reader")
        other.kill()
        other.wait(timeout=30)
    Library.open(folder, "reader").close()


def test_the_same_process_cannot_open_it_twice_either(library: Library) -> None:
    with pytest.raises(LibraryInUseError):
        Library.open(library.folder, "reader")


def test_a_lock_is_let_go_when_opening_fails(folder: Path) -> None:
    (folder / "library.sqlite").write_bytes(b"not a database" * 100)
    for _ in range(2):
        with pytest.raises(Exception, match="damaged"):
            Library.open(folder, "reader")
    LibraryLock(folder).release()
