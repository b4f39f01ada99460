"""Backups rotate, and lead back from a damaged database."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.change import Add
from wce_desktop.library import DamagedLibraryError, Library, LibraryInUseError, backups

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_opening_twice_in_a_few_minutes_makes_one_backup(folder: Path) -> None:
    made = backups.backup(folder, at=NOON)
    assert made is not None
    assert backups.backup(folder, at=NOON + timedelta(minutes=4)) is None
    assert backups.backup(folder, at=NOON + timedelta(minutes=4), always=True) is not None
    assert backups.backup(folder, at=NOON + timedelta(minutes=10)) is not None
    assert len(backups.list_backups(folder)) == 3


def test_a_busy_hour_does_not_push_yesterday_out(folder: Path) -> None:
    for days in range(9, 0, -1):
        backups.backup(folder, at=NOON - timedelta(days=days))
    for minutes in range(0, 100, 10):
        backups.backup(folder, at=NOON + timedelta(minutes=minutes))
    names = [path.stem.removeprefix("library-")[:13] for path in backups.list_backups(folder)]
    assert names == [
        *("20261117-1200", "20261118-1200", "20261119-1200", "20261120-1200"),
        *("20261121-1250", "20261121-1300", "20261121-1310", "20261121-1320", "20261121-1330"),
    ]


def test_a_backup_holds_what_was_last_confirmed(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        study_id = library.add_study(Path("a.mp4")).study_id
        library.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])
        made = backups.backup(folder, always=True)  # while it is open, with edits still in the log
    assert made is not None
    assert backups.damage(made) is None
    assert not made.with_name(made.name + "-wal").exists()
    made.replace(folder / "library.sqlite")
    with Library.open(folder, "reader") as library:
        assert len(library.labels(study_id)) == 1


def spoil(file: Path) -> None:
    """Overwrite pages in the middle, as a bad disk does."""
    content = bytearray(file.read_bytes())
    content[4096 : len(content) - 4096] = b"\xa5" * (len(content) - 8192)
    file.write_bytes(bytes(content))


@pytest.mark.parametrize("damage", ["pages", "text", "half"])
def test_a_damaged_database_offers_its_last_backup_and_comes_back(folder: Path, damage: str) -> None:
    file = folder / "library.sqlite"
    with Library.open(folder, "reader") as library:
        study_id = library.add_study(Path("a.mp4")).study_id
        library.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])
    kept = backups.backup(folder, always=True)
    if damage == "pages":
        spoil(file)
    elif damage == "text":
        file.write_text("Dear library,\n" * 500, encoding="utf-8")
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    broken = file.read_bytes()
    with pytest.raises(DamagedLibraryError, match="is damaged and cannot be opened") as caught:
        Library.open(folder, "reader")
    assert caught.value.last_backup == kept
    assert kept is not None
    assert kept.name in caught.value.hint
    assert file.read_bytes() == broken  # nothing was tried on it
    assert backups.restore_backup(folder) == kept
    with Library.open(folder, "reader") as library:
        assert len(library.labels(study_id)) == 1
    (beside,) = folder.glob("library.damaged-*.sqlite")
    assert beside.read_bytes() == broken


def test_a_damaged_backup_is_passed_over(folder: Path) -> None:
    sound = backups.backup(folder, at=NOON)
    spoiled = backups.backup(folder, at=NOON + timedelta(hours=1))
    assert spoiled is not None
    spoil(spoiled)
    assert backups.last_backup(folder) == sound


def test_without_any_backup_it_says_so(folder: Path) -> None:
    (folder / "library.sqlite").write_bytes(b"nothing" * 1000)
    with pytest.raises(DamagedLibraryError, match="There is no backup") as caught:
        Library.open(folder, "reader")
    assert caught.value.last_backup is None
    with pytest.raises(UserError, match="no sound backup"):
        backups.restore_backup(folder)


def test_an_open_library_is_not_replaced(library: Library) -> None:
    backups.backup(library.folder, always=True)
    with pytest.raises(LibraryInUseError):
        backups.restore_backup(library.folder)
