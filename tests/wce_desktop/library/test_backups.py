"""Backups rotate, and lead back from a damaged database."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.library import DamagedLibraryError, Library, LibraryInUseError, LostDatabaseError
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.backup.backup_file import contents_of
from wce_desktop.library.storage import opening
from wce_desktop.library.storage.integrity import damage

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_opening_twice_in_a_few_minutes_makes_one_backup(folder: Path) -> None:
    made = backups.backup(folder, at=NOON)
    assert made is not None
    assert backups.backup(folder, at=NOON + timedelta(minutes=4)) is None
    assert backups.backup(folder, at=NOON + timedelta(minutes=4), always=True) is not None
    assert backups.backup(folder, at=NOON + timedelta(minutes=10)) is not None
    assert len(backup_file.list_backups(folder)) == 3


def test_what_a_killed_process_was_copying_goes_with_the_next_backup(folder: Path) -> None:
    left = folder / "backups" / "library-000001-20261121-120000-000000.sqlite.partial"
    left.write_bytes(b"half")
    made = backups.backup(folder, at=NOON, always=True)
    assert made is not None
    assert backup_file.list_backups(folder)[-1] == made
    assert list((folder / "backups").glob("*.partial*")) == []


def days_of(folder: Path) -> list[str]:
    """The day and minute of each backup, oldest first."""
    return [f"{one.made:%m-%d %H%M}" for one in backup_file.find_backups(folder)]


def test_a_busy_hour_does_not_push_days_and_weeks_out(folder: Path) -> None:
    for days in range(60, 0, -1):
        backups.backup(folder, at=NOON - timedelta(days=days))
    for minutes in range(0, 100, 10):
        backups.backup(folder, at=NOON + timedelta(minutes=minutes))
    assert days_of(folder) == [
        *("10-04 1200", "10-11 1200", "10-18 1200", "10-25 1200", "11-01 1200", "11-08 1200"),  # Sundays
        *("11-15 1200", "11-16 1200", "11-17 1200", "11-18 1200", "11-19 1200", "11-20 1200"),
        *("11-21 1250", "11-21 1300", "11-21 1310", "11-21 1320", "11-21 1330"),
    ]


def label_once(folder: Path, count: int) -> str:
    """Add a study with so many labels; returns its id."""
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        library.annotations.edit(
            study_id, "some", [Add(make_label(study_id, at, at + 1)) for at in range(0, 2 * count, 2)]
        )
    return study_id


def test_a_backup_dated_in_the_future_does_not_stop_later_ones(folder: Path) -> None:
    (folder / "backups" / "library-20990101-000000-000000.sqlite").write_bytes((folder / "library.sqlite").read_bytes())
    made = backups.backup(folder, at=NOON)
    ahead = backups.backup(folder, at=NOON + timedelta(days=4000))
    later = backups.backup(folder, at=NOON + timedelta(minutes=1))
    assert made is not None
    assert ahead is not None
    assert later is not None
    assert backup_file.list_backups(folder)[1:] == [made, ahead, later]  # the first has no number: an older version's
    assert backup_file.last_backup(folder) == later


def test_backups_of_an_older_version_are_found_ordered_and_pruned(folder: Path) -> None:
    for day in range(1, 29):
        name = f"library-202609{day:02}-120000-000000.sqlite"
        (folder / "backups" / name).write_bytes((folder / "library.sqlite").read_bytes())
    own = folder / "backups" / "library-before-the-move.sqlite"
    own.write_bytes((folder / "library.sqlite").read_bytes())
    made = backups.backup(folder, at=NOON)
    kept = [path for path in backup_file.list_backups(folder) if path not in (made, own)]
    assert made in backup_file.list_backups(folder)
    assert own.exists()  # a person named it
    assert [path.name[8:16] for path in kept] == [
        *("20260906", "20260913", "20260920"),  # Sundays
        *("20260924", "20260925", "20260926", "20260927", "20260928"),
    ]


def test_the_richest_backup_outlives_those_of_a_library_that_lost_its_labels(folder: Path) -> None:
    label_once(folder, 30)
    rich = backups.backup(folder, at=NOON - timedelta(days=400), always=True)
    opening.start_empty(folder)
    for days in range(100, 0, -3):
        backups.backup(folder, at=NOON - timedelta(days=days))
    assert rich in backup_file.list_backups(folder)
    assert len(backup_file.list_backups(folder)) < 20


@pytest.mark.parametrize("how", ["missing", "zero bytes", "no tables"])
def test_a_lost_database_is_not_taken_for_a_new_library(folder: Path, how: str) -> None:
    study_id = label_once(folder, 3)
    kept = backups.backup(folder, always=True)
    before = backup_file.list_backups(folder)
    file = folder / "library.sqlite"
    file.unlink()
    if how == "zero bytes":
        file.touch()
    elif how == "no tables":
        with closing(sqlite3.connect(file)) as raw:
            raw.execute("CREATE TABLE t (x)")
            raw.execute("DROP TABLE t")
            raw.commit()
    for _ in range(3):
        with pytest.raises(LostDatabaseError, match="has no database") as caught:
            Library.open(folder, "reader")
    assert caught.value.last_backup == kept
    assert "wce-desktop restore" in caught.value.hint
    assert backup_file.list_backups(folder) == before
    assert file.exists() == (how != "missing")
    backups.restore_backup(folder)
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels(study_id)) == 3
        assert library.loss is None


@pytest.mark.parametrize("kept", ["studies", "models", "runs", "backups"])
def test_a_folder_with_data_and_no_database_is_no_new_library(tmp_path: Path, kept: str) -> None:
    folder = tmp_path / "library"
    (folder / kept).mkdir(parents=True)
    (folder / kept / "something").write_bytes(b"data")
    with pytest.raises(LostDatabaseError, match="has no database"):
        Library.open(folder, "reader")
    assert not (folder / "library.sqlite").exists()


def test_the_log_beside_an_empty_database_is_kept(folder: Path) -> None:
    label_once(folder, 3)
    backups.backup(folder, always=True)
    (folder / "library.sqlite").write_bytes(b"")
    (folder / "library.sqlite-wal").write_bytes(b"the last edits")
    with pytest.raises(LostDatabaseError):
        Library.open(folder, "reader")
    backups.restore_backup(folder)
    (kept,) = folder.glob("library.damaged-*.sqlite-wal")
    assert kept.read_bytes() == b"the last edits"
    Library.open(folder, "reader").close()


def test_a_folder_without_data_is_a_new_library(tmp_path: Path) -> None:
    for part in ("studies", "models", "runs", "backups"):
        (tmp_path / part).mkdir()
    (tmp_path / "library.sqlite").touch()  # the first opening was killed
    with Library.open(tmp_path, "reader") as library:
        assert library.studies.all() == ()


@pytest.mark.parametrize(
    "damaged", ["DROP TABLE labels", "DROP TABLE links", "ALTER TABLE edits RENAME COLUMN title TO name"]
)
def test_a_missing_table_or_column_is_damage(folder: Path, damaged: str) -> None:
    study_id = label_once(folder, 3)
    kept = backups.backup(folder, always=True)
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute(damaged)
    with pytest.raises(DamagedLibraryError, match=r"is missing|edits is not as this application writes it") as caught:
        Library.open(folder, "reader")
    assert caught.value.last_backup == kept
    backups.restore_backup(folder)
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels(study_id)) == 3


def test_fewer_labels_than_the_backup_are_said_once(folder: Path) -> None:
    study_id = label_once(folder, 5)
    early = backups.backup(folder, at=NOON, always=True)
    assert early is not None
    with Library.open(folder, "reader") as library:
        library.annotations.edit(study_id, "more", [Add(make_label(study_id, 100, 101))])
    rich = backups.backup(folder, at=NOON, always=True)
    (folder / "library.sqlite").write_bytes(early.read_bytes())  # as an unlucky copying of files does
    with Library.open(folder, "reader") as library:
        assert library.loss is not None
        assert library.loss.labels == 1
        assert library.loss.backup.path == rich
        assert "1 fewer label than its backup of" in library.loss.sentence
    with Library.open(folder, "reader") as library:
        assert library.loss is None
    assert rich in backup_file.list_backups(folder)


def test_labels_that_something_else_deleted_are_said_although_the_log_is_whole(folder: Path) -> None:
    study_id = label_once(folder, 5)
    backups.backup(folder, always=True)
    with Library.open(folder, "reader") as library:
        library.annotations.edit(
            study_id, "more", [Add(make_label(study_id, 100, 101)), Add(make_label(study_id, 200, 201))]
        )
        library.annotations.edit(study_id, "less", [Remove(library.annotations.labels(study_id)[0])])
        assert len(library.annotations.labels(study_id)) == 6
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute("DELETE FROM labels WHERE start >= 100")
    with Library.open(folder, "reader") as library:
        assert library.loss is not None
        assert (library.loss.labels, library.loss.findings) == (2, 0)


def test_labels_that_an_edit_took_away_are_no_loss(folder: Path) -> None:
    study_id = label_once(folder, 5)
    backups.backup(folder, always=True)
    with Library.open(folder, "reader") as library:
        library.annotations.undo(study_id)
        assert library.annotations.labels(study_id) == ()
    with Library.open(folder, "reader") as library:
        assert library.loss is None


def test_who_restores_or_starts_empty_is_not_warned_of_it(folder: Path) -> None:
    early = backups.backup(folder, always=True)
    label_once(folder, 5)
    rich = backups.backup(folder, always=True)
    assert backups.restore_backup(folder, early) == early
    (beside,) = folder.glob("library.replaced-*.sqlite")
    assert contents_of(beside) is not None
    with Library.open(folder, "reader") as library:
        assert (library.loss, library.studies.all()) == (None, ())
    opening.start_empty(folder)
    with Library.open(folder, "reader") as library:
        assert library.loss is None
    assert rich in backup_file.list_backups(folder)


def test_what_is_no_backup_is_not_restored(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.sqlite").write_bytes(b"not a database" * 100)
    before = (folder / "library.sqlite").read_bytes()
    for chosen, words in ((tmp_path / "other.sqlite", "not a sound backup"), (tmp_path / "none", "There is no backup")):
        with pytest.raises(UserError, match=words):
            backups.restore_backup(folder, chosen)
    assert (folder / "library.sqlite").read_bytes() == before


def test_a_backup_says_what_it_holds(folder: Path) -> None:
    label_once(folder, 4)
    made = backups.backup(folder, always=True)
    assert made is not None
    held = contents_of(made)
    assert held is not None
    assert held.in_words == "1 study, 4 labels, 0 findings"
    with closing(sqlite3.connect(made)) as raw, raw:
        raw.execute("UPDATE meta SET value = '[[' WHERE key = 'backup'")
    assert contents_of(made) == held  # counted instead


def test_a_backup_holds_what_was_last_confirmed(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        library.annotations.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])
        made = backups.backup(folder, always=True)  # while it is open, with edits still in the log
    assert made is not None
    assert damage(made) is None
    assert not made.with_name(made.name + "-wal").exists()
    made.replace(folder / "library.sqlite")
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels(study_id)) == 1


def spoil(file: Path) -> None:
    """Overwrite pages in the middle, as a bad disk does."""
    content = bytearray(file.read_bytes())
    content[4096 : len(content) - 4096] = b"\xa5" * (len(content) - 8192)
    file.write_bytes(bytes(content))


@pytest.mark.parametrize("damage", ["pages", "text", "half"])
def test_a_damaged_database_offers_its_last_backup_and_comes_back(folder: Path, damage: str) -> None:
    file = folder / "library.sqlite"
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        library.annotations.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])
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
        assert len(library.annotations.labels(study_id)) == 1
    (beside,) = folder.glob("library.damaged-*.sqlite")
    assert beside.read_bytes() == broken


def test_a_damaged_backup_is_passed_over(folder: Path) -> None:
    sound = backups.backup(folder, at=NOON)
    spoiled = backups.backup(folder, at=NOON + timedelta(hours=1))
    assert spoiled is not None
    spoil(spoiled)
    assert backup_file.last_backup(folder) == sound


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
