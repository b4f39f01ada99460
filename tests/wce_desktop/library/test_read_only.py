"""A library on a full disk, or in a place that cannot be written, is opened for reading, with every confirmed edit."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.warm_python import warm_python
from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.test_bad_places import open_place, read_only
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import DamagedLibraryError, Library, LibraryInUseError, LostDatabaseError, ReadOnlyLibraryError
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.exchange import export_library
from wce_desktop.library.storage import database, definitions, lock, opening, snapshot

__all__ = ["open_place"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps permissions in another way")

KILLED = """
import os, sys
from pathlib import Path
from tests.wce_desktop.library.conftest import make_label
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library
library = Library.open(Path(sys.argv[1]), "reader")
study_id = library.studies.add(Path("a.mp4"), study_id="S1", frame_count=1000).study_id
library.annotations.edit(study_id, "confirmed", [Add(make_label(study_id, 0, 5))])
os._exit(9)
"""
"""A window that is killed: its last edits stand in the log beside the database only."""


@pytest.fixture
def folder(open_place: Path, empty_library: Path) -> Path:
    """A library with one label, in a place that everybody may look into."""
    folder = Path(shutil.copytree(empty_library, open_place / "library"))
    add_label(folder, "S1")
    return folder


def add_label(folder: Path, study_id: str) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"), study_id=study_id, frame_count=1000)
        library.annotations.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_read_only_library_can_be_read_and_not_changed(folder: Path) -> None:
    before = content(folder)
    with read_only(folder.parent), Library.open(folder, "somebody new") as library:
        assert "cannot be written" in library.read_only
        assert len(library.annotations.labels("S1")) == 1
        with pytest.raises(ReadOnlyLibraryError, match="Read only: “one” cannot be saved") as caught:
            library.annotations.edit("S1", "one", [Add(make_label("S1", 7, 8))])
        assert caught.value.hint
        with pytest.raises(ReadOnlyLibraryError):
            library.annotations.undo("S1")
        assert len(library.annotations.labels("S1")) == 1
    assert content(folder) == before


def test_a_read_only_library_can_be_exported(folder: Path, tmp_path: Path) -> None:
    with tempfile_for_all() as out, read_only(folder.parent), Library.open(folder, "reader") as library:
        export_library(library, out)
        assert (out / "labels.csv").read_text(encoding="utf-8").splitlines()[1].startswith("S1,0,5,polyp")


class tempfile_for_all:  # noqa: N801 - used as a function
    """A folder that also an unprivileged user may write."""

    def __enter__(self) -> Path:
        import tempfile

        self._place = tempfile.TemporaryDirectory()
        Path(self._place.name).chmod(0o777)
        return Path(self._place.name)

    def __exit__(self, *_: object) -> None:
        self._place.cleanup()


def test_edits_that_stand_in_the_log_only_are_read(open_place: Path) -> None:
    folder = open_place / "library"
    root = Path(__file__).resolve().parents[3]
    subprocess.run([*warm_python(), "-c", KILLED, str(folder)], cwd=root, check=False, timeout=60)
    assert (folder / "library.sqlite-wal").stat().st_size > 0
    before = content(folder)
    with read_only(open_place), Library.open(folder, "reader") as library:
        assert [label.span.stop for label in library.annotations.labels("S1")] == [5]
        assert library._opened.copy is not None
        copy = library._opened.copy
        assert copy.stat().st_mode & 0o077 == 0
    assert not copy.exists()
    assert content(folder) == before


def test_an_older_library_is_read_from_a_copy_that_is_brought_up_to_date(open_place: Path) -> None:
    folder = open_place / "library"
    folder.mkdir()
    engine = database.connect(folder / "library.sqlite")
    definitions.upgrade(engine, "0003")
    engine.dispose()
    before = content(folder)
    with read_only(open_place), Library.open(folder, "reader") as library:
        assert library.studies.all() == ()
        assert library.annotations.undo_title("S1") is None  # reads a column that came later
    assert content(folder) == before


def test_no_room_for_a_copy_is_said(open_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = open_place / "library"
    folder.mkdir()
    engine = database.connect(folder / "library.sqlite")
    definitions.upgrade(engine, "0003")
    engine.dispose()
    monkeypatch.setattr(snapshot, "make_scratch_folder", _no_space)
    with read_only(open_place), pytest.raises(UserError, match="No space left on device") as caught:
        Library.open(folder, "reader")
    assert "TMPDIR" in caught.value.hint


def _no_space(*_: object, **__: object) -> Path:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("at", ["lock", "database", "backup"])
def test_a_full_disk_opens_for_reading(folder: Path, at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if at == "lock":
        monkeypatch.setattr(opening, "LibraryLock", _no_space)
    elif at == "database":
        monkeypatch.setattr(opening, "ensure_identity", _full_database)
    else:
        monkeypatch.setattr(backups, "backup", _no_space)
    with Library.open(folder, "reader") as library:
        assert "No space left" in library.read_only or "is full" in library.read_only
        assert len(library.annotations.labels("S1")) == 1
    monkeypatch.undo()
    with Library.open(folder, "reader") as library:
        assert library.read_only == ""


def _full_database(*_: object) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    raise error


def test_a_full_disk_leaves_no_half_a_backup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(backup_file, "write_note", full)
    before = content(folder / "backups")
    with pytest.raises(sqlite3.OperationalError):
        backups.backup(folder, always=True)
    assert content(folder / "backups") == before


def test_damage_is_said_also_where_nothing_can_be_written(folder: Path) -> None:
    backups.backup(folder, always=True)
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute("DROP TABLE labels")
    with read_only(folder.parent), pytest.raises(DamagedLibraryError, match="labels is missing"):
        Library.open(folder, "reader")
    (folder / "library.sqlite").write_bytes(b"")
    with read_only(folder.parent), pytest.raises(LostDatabaseError):
        Library.open(folder, "reader")


def test_a_window_that_writes_keeps_readers_away_and_readers_share(folder: Path) -> None:
    with Library.open(folder, "reader"), pytest.raises(LibraryInUseError):
        lock.ReadingLock(folder)
    first, second = lock.ReadingLock(folder), lock.ReadingLock(folder)
    with pytest.raises(LibraryInUseError):
        Library.open(folder, "reader")
    first.release()
    second.release()
    Library.open(folder, "reader").close()


def mounted(place: Path, size: str) -> bool:
    """Mount a small file system on a folder, where this machine lets us."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    return (
        os.geteuid() == 0 and shutil.which("mount") is not None and subprocess.run(command, check=False).returncode == 0
    )


@pytest.mark.parametrize("kind", ["read-only", "full"])
def test_on_a_real_file_system(kind: str, tmp_path: Path, empty_library: Path) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    if not mounted(place, "4m"):
        pytest.skip("no rights to mount a file system")
    try:
        folder = Path(shutil.copytree(empty_library, place / "library"))
        add_label(folder, "S1")
        if kind == "full":
            with (place / "filler").open("wb") as filler:
                fill(filler.fileno())
        else:
            subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        before = content(folder)
        with Library.open(folder, "reader") as library:
            assert library.read_only
            assert len(library.annotations.labels("S1")) == 1
            with pytest.raises(ReadOnlyLibraryError):
                library.annotations.edit("S1", "one", [Add(make_label("S1", 7, 8))])
        names = ("library.sqlite", *(name for name in before if name.startswith("backups")))
        assert {name: content(folder)[name] for name in names} == {name: before[name] for name in names}
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(descriptor: int) -> None:
    """Write until the disk has no room left."""
    for size in (1 << 16, 1 << 12, 1):
        try:
            while True:
                os.write(descriptor, bytes(size))
        except OSError:
            continue
