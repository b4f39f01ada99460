"""The audit log is chained by hashes: whatever is done to its lines behind the program's back shows."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.tampering import raw_database, tampered
from training.runs.reporter import SilentReporter
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.checking import check_library
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.removals import forget_in_backups
from wce_desktop.library.storage import database, definitions, opening

LINES = 12


@pytest.fixture(scope="module")
def logged(database: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a log of some lines, written once."""
    folder = tmp_path_factory.mktemp("logged") / "library"
    with Library.open(folder, "Dr Smith") as library:
        label_frames(library, add_study(library, "s-1"), range(LINES - 1))
    return folder


@pytest.fixture
def closed(logged: Path, tmp_path: Path) -> Path:
    """The folder of a copy of it."""
    return Path(shutil.copytree(logged, tmp_path / "library"))


def add_study(library: Library, study_id: str) -> Study:
    path = library.folder / f"{study_id}.mp4"
    return library.studies.add(path, study_id=study_id, fingerprint=study_id, frame_count=1000)


def label_frames(library: Library, study: Study, frames: range) -> None:
    for frame in frames:
        label = make_label(study.study_id, 2 * frame, 2 * frame + 1)
        library.annotations.edit(study.study_id, f"Label frame {frame}", [Add(label)])


def problems(folder: Path) -> list[str]:
    """What a check says of the log."""
    with Library.open(folder, "Dr Smith") as library:
        return problems_of(library)


def problems_of(library: Library) -> list[str]:
    return [one.problem for one in check_library(library, SilentReporter()).found if one.part == "Audit log"]


def notes(folder: Path) -> list[str]:
    with Library.open(folder, "Dr Smith") as library:
        return [one.problem for one in check_library(library, SilentReporter()).notes if one.part == "Audit log"]


def test_a_log_that_only_the_program_wrote_is_whole(closed: Path) -> None:
    assert problems(closed) == []
    assert notes(closed) == []


EDITS = {
    "when_utc": "'2020-01-01T00:00:00.000000+00:00'",
    "reader": "'somebody else'",
    "study_id": "NULL",
    "title": "'Label frame 4000'",
    "action": "'remove'",
    "kind": "'finding'",
    "item_id": "'l-0000000000000000'",
    "before": "after",
    "after": '\'{"name": "normal"}\'',
    "model_id": "'m-1'",
    "salt": "'00000000000000000000000000000000'",
    "hash": "'0000000000000000000000000000000000000000000000000000000000000000'",
}


@pytest.mark.parametrize("column", EDITS)
def test_an_edit_of_any_column_breaks_the_chain_at_its_line(closed: Path, column: str) -> None:
    with tampered(closed) as raw:
        raw.execute(f"UPDATE audit SET {column} = {EDITS[column]} WHERE audit_id = 5")
    (said,) = problems(closed)
    assert "at line 5:" in said


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("DELETE FROM audit WHERE audit_id = 5", 6),
        ("DELETE FROM audit WHERE audit_id < 4", 4),
        ("UPDATE audit SET audit_id = CASE audit_id WHEN 5 THEN -6 ELSE -5 END WHERE audit_id IN (5, 6)", 5),
        ("INSERT INTO audit SELECT 100, when_utc, reader, study_id, title, action, kind, item_id, before, after, "
         "model_id, salt, hash, cleared FROM audit WHERE audit_id = 5", 100),
        ("UPDATE audit SET after = NULL, before = NULL, title = 'Content (removed)' WHERE audit_id = 5", 5),
        ("UPDATE audit SET after = NULL, title = 'Content (removed)', cleared = '{}' WHERE audit_id = 5", 5),
        ("UPDATE audit SET cleared = '[' WHERE audit_id = 5", 5),
    ],
)  # fmt: skip
def test_a_cut_an_insertion_and_another_order_break_the_chain(closed: Path, statement: str, line: int) -> None:
    with tampered(closed) as raw:
        raw.execute(statement)
        raw.execute("UPDATE audit SET audit_id = -audit_id WHERE audit_id < 0")
    (said,) = problems(closed)
    assert f"line {line}:" in said


def test_lines_cleared_as_if_their_study_had_been_removed_are_told(closed: Path) -> None:
    """Who knows how a removal clears lines still needs a removal that the log shows."""
    kinds: tuple[Literal["title", "content"], ...] = ("title", "content")
    with tampered(closed) as raw:
        for what in kinds:
            audit_chain.keep_digests(raw.execute, "audit_id = ?", (5,), "s-1", what)
        raw.execute("UPDATE audit SET before = NULL, after = NULL, title = 'Content (removed)' WHERE audit_id = 5")
    (said,) = problems(closed)
    assert "at line 5:" in said


def test_a_log_that_is_shorter_than_that_of_a_backup_is_told(closed: Path) -> None:
    backups.backup(closed, always=True)
    with tampered(closed) as raw:
        raw.execute("DELETE FROM audit WHERE audit_id > 9")
    (said,) = problems(closed)
    assert said.startswith("The log has 9 lines and is shorter than that of the backup of ")
    assert "which had 12." in said


def test_a_log_that_was_written_anew_is_told_by_a_backup(closed: Path) -> None:
    """The whole chain was computed again after an edit: only what lies elsewhere shows it."""
    backups.backup(closed, always=True)
    with tampered(closed) as raw:
        raw.execute("UPDATE audit SET reader = 'somebody else' WHERE audit_id = 5")
        audit_chain.fill(raw.cursor())
    (said,) = problems(closed)
    assert "does not continue that of the backup of " in said
    assert "line 12 differs" in said


def test_restoring_an_older_backup_is_a_line_and_no_problem(closed: Path) -> None:
    early = shutil.copyfile(backups.backup(closed, always=True) or closed, closed.parent / "library-early.sqlite")
    with Library.open(closed, "Dr Smith") as library:
        label_frames(library, library.studies.get("s-1"), range(50, 55))
        late = library.back_up()
        assert late is not None
        late = shutil.copyfile(late, closed.parent / "library-late.sqlite")
    backups.restore_backup(closed, early, reader="Dr Jones")
    assert problems(closed) == []
    (said,) = notes(closed)
    assert "because an older backup was restored, as a line of the log says" in said
    with Library.open(closed, "Dr Smith") as library:
        line = library.audit.entries()[-1]
        assert (line.kind, line.action, line.reader) == ("library", "restore", "Dr Jones")
        label_frames(library, library.studies.get("s-1"), range(60, 62))
        library.back_up()
    for chosen in (late, early, late):
        backups.restore_backup(closed, chosen)
        assert problems(closed) == []


def test_a_cut_after_a_restored_backup_is_told(closed: Path) -> None:
    """That an older backup was restored once excuses nothing that happens later."""
    made = backups.backup(closed, always=True)
    backups.restore_backup(closed, made)
    with Library.open(closed, "Dr Smith") as library:
        label_frames(library, library.studies.get("s-1"), range(50, 55))
        library.back_up()
    with tampered(closed) as opened:
        opened.execute("DELETE FROM audit WHERE audit_id > 15")
    (said,) = problems(closed)
    assert "is shorter than that of the backup of " in said


def test_a_database_that_was_replaced_by_hand_is_told_without_a_verdict(closed: Path) -> None:
    early = shutil.copyfile(closed / "library.sqlite", closed.parent / "early.sqlite")
    with Library.open(closed, "Dr Smith") as library:
        label_frames(library, library.studies.get("s-1"), range(50, 55))
        library.back_up()
    shutil.copyfile(early, closed / "library.sqlite")
    (said,) = problems(closed)
    assert "which of the two cannot be seen here" in said


def test_an_empty_library_in_the_place_of_a_lost_one_is_no_problem(closed: Path) -> None:
    backups.backup(closed, always=True)
    (closed / "library.sqlite").write_bytes(b"no database")
    opening.start_empty(closed)
    assert problems(closed) == []
    assert len(notes(closed)) == 1


def test_a_removed_study_leaves_the_chain_whole_and_is_told(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        second = add_study(library, "s-2")
        library.studies.update("s-2", name="Confidential name")
        label_frames(library, second, range(3))
        label_frames(library, library.studies.get("s-1"), range(50, 52))
        library.annotations.edit("s-1", "Compare with Confidential name", [Add(make_label("s-1", 300, 301))])
        library.back_up()
        library.removals.remove(["s-2"])
        assert library.audit.entries()[-1].title == "Remove a study and everything derived from it"
        lines = library.audit.entries()
        assert "Compare with (removed)" in [line.title for line in lines]
    assert problems(closed) == []
    assert notes(closed) == ["6 lines have lost their content, because studies were removed. Their hashes are kept."]
    assert b"Confidential" not in (closed / "library.sqlite").read_bytes()
    with Library.open(closed, "Dr Smith") as library:
        library.removals.remove(["s-1"])
    assert problems(closed) == []


def test_what_a_removed_study_took_cannot_be_guessed_from_its_digests(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        add_study(library, "s-2")
        library.studies.update("s-2", name="Confidential name")
    with raw_database(closed) as opened:
        before = opened.execute("SELECT title, before, after, salt FROM audit ORDER BY audit_id DESC").fetchone()
    with Library.open(closed, "Dr Smith") as library:
        library.removals.remove(["s-2"])
    with raw_database(closed) as opened:
        asked = "SELECT salt, cleared FROM audit WHERE cleared IS NOT NULL ORDER BY audit_id DESC"
        salt, cleared = opened.execute(asked).fetchone()
    title, old, new, old_salt = before
    kept = json.loads(cleared)
    assert (kept["title"], kept["content"]) == audit_chain.digests(old_salt, title, old, new)
    assert set(salt) == {"0"}, "whoever has the salt can try names until the digest fits"


def test_an_edit_of_a_cleared_line_is_told(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        add_study(library, "s-2")
        library.removals.remove(["s-2"])
    with tampered(closed) as opened:
        opened.execute("UPDATE audit SET after = '{}' WHERE cleared IS NOT NULL")
    (said,) = problems(closed)
    assert "breaks at line 13" in said


def test_a_backup_that_lost_a_removed_study_restores_with_a_whole_chain(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        add_study(library, "s-2")
        made = library.back_up()
        library.removals.remove(["s-2"])
    assert forget_in_backups(closed, datetime.now(UTC) + timedelta(days=31)) == 1
    assert problems(closed) == []
    backups.restore_backup(closed, made)
    assert problems(closed) == []
    assert any("lost" in said for said in notes(closed))


def test_an_older_log_is_chained_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_chain, "_BATCH", 1000)
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, "0009")
    rows: list[tuple[str | None, ...]]
    rows = [("then", "r", f"Line {number}", "add", "label", f"L{number}", None, '{"a": 1}') for number in range(2500)]
    rows += [("then", "r", "Odd", "add", "label", "L", "{", "no JSON")]
    with engine.execution_options(writes=True).begin() as connection:
        names = "when_utc, reader, title, action, kind, item_id, before, after"
        connection.exec_driver_sql(f"INSERT INTO audit ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    engine.dispose()
    assert problems(tmp_path) == []
    with closing(sqlite3.connect(tmp_path / "library.sqlite", isolation_level=None)) as opened:
        assert opened.execute("SELECT COUNT(DISTINCT hash), COUNT(DISTINCT salt) FROM audit").fetchone() == (2501,) * 2
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            opened.execute("UPDATE audit SET hash = ''")
    with tampered(tmp_path) as opened:
        opened.execute("UPDATE audit SET title = 'another' WHERE audit_id = 2400")
    (said,) = problems(tmp_path)
    assert "at line 2400:" in said.replace(",", "")


def test_every_kind_of_line_is_chained(closed: Path, tmp_path: Path) -> None:
    """Edits of several lines, undo, an imported reading with past lines, and lines that are no edits."""
    with Library.open(closed, "Dr Smith") as library:
        study = library.studies.get("s-1")
        library.annotations.edit("s-1", "Two", [Add(make_label("s-1", 500, 501)), Add(make_label("s-1", 510, 511))])
        library.annotations.undo("s-1")
        library.annotations.redo("s-1")
        library.studies.update("s-1", state="finished")
        document = library.studies.whole_reading("s-1")
        assert all("salt" not in line and "hash" not in line for line in document["audit"])
        library.studies.add_whole_reading(document, study, "Dr Jones", is_second=True)
    assert problems(closed) == []


COLUMNS = ("title", "before", "after", "salt", "hash", "cleared", "reader", "when_utc")
VALUES = ("NULL", "7", "x'ff00'", "'['", "'{\"title\": 7}'", "'{\"studies\": 7}'", "1e999")
NULLABLE = ("before", "after", "cleared")


@pytest.mark.parametrize(
    ("column", "value"), [(name, value) for name in COLUMNS for value in VALUES if value != "NULL" or name in NULLABLE]
)
def test_values_of_any_kind_are_a_break_and_no_error(closed: Path, column: str, value: str) -> None:
    with tampered(closed) as raw:
        raw.execute(f"UPDATE audit SET {column} = {value} WHERE audit_id IN (5, 6)")
    is_same = value == "NULL" and column in ("before", "cleared")
    with Library.open(closed, "Dr Smith") as library:
        assert bool(problems_of(library)) is not is_same
        library.removals.remove(["s-1"])
        label_frames(library, add_study(library, "s-2"), range(2))


def test_a_backup_of_a_version_without_a_chain_restores_with_one(tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, "0009")
    with engine.execution_options(writes=True).begin() as connection:
        names = "when_utc, reader, title, action, kind, item_id"
        connection.exec_driver_sql(f"INSERT INTO audit ({names}) VALUES ('then', 'r', 'A line', 'add', 'label', 'L')")
    engine.dispose()
    with Library.open(tmp_path, "Dr Smith") as library:  # backs the older version up, and brings it up to date
        add_study(library, "s-1")
        library.back_up()
    backups.restore_backup(tmp_path, backup_file.list_backups(tmp_path)[0])
    assert problems(tmp_path) == []
    with Library.open(tmp_path, "Dr Smith") as library:
        assert [line.action for line in library.audit.entries()] == ["add", "restore"]


def test_a_check_can_be_stopped(closed: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with Library.open(closed, "Dr Smith") as library, pytest.raises(KeyboardInterrupt):
        library.audit.check((), stop)


NOW = datetime.now(UTC).isoformat(timespec="microseconds")


def append_line(folder: Path, **line: object) -> None:
    """A line at the end of the log, chained as the program does it."""
    common = {"when_utc": NOW, "reader": "Dr Smith", "title": "A title", "study_id": None}
    with tampered(folder) as raw:
        audit_chain.append(raw, common | line)


def clear(folder: Path, study_id: str, title: str = "Content (removed)") -> None:
    """Take title and content from line 5 as if this study had been removed."""
    kinds: tuple[Literal["title", "content"], ...] = ("title", "content")
    with tampered(folder) as raw:
        for what in kinds:
            audit_chain.keep_digests(raw.execute, "audit_id = ?", (5,), study_id, what)
        raw.execute("UPDATE audit SET before = NULL, after = NULL, title = ? WHERE audit_id = 5", (title,))


def note_removal(folder: Path, study_id: str) -> None:
    with tampered(folder) as raw:
        names = "when_utc, reader, study_id, patient_id, facts"
        raw.execute(f"INSERT INTO removals ({names}) VALUES (?, 'Dr Smith', ?, 'p', '{{}}')", (NOW, study_id))


@pytest.mark.parametrize("study_id", ["s-fake", "s-1"])
def test_a_forged_removal_does_not_excuse_a_cleared_line(closed: Path, study_id: str) -> None:
    """Of another study than the line's own, or of one that is still there."""
    clear(closed, study_id)
    note_removal(closed, study_id)
    append_line(closed, action="remove", kind="study", item_id=study_id, study_id=study_id, after={})
    (said,) = problems(closed)
    assert "at line 5:" in said


def test_a_cleared_title_is_what_the_program_writes(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        add_study(library, "s-2")
        library.removals.remove(["s-2"])
    assert problems(closed) == []
    with tampered(closed) as raw:
        raw.execute("UPDATE audit SET title = 'Sign nothing (removed)' WHERE cleared IS NOT NULL")
    (said,) = problems(closed)
    assert "at line 13:" in said


def test_a_row_of_removals_needs_its_line(closed: Path) -> None:
    note_removal(closed, "s-fake")
    assert problems(closed) == ["1 study is noted as removed, and no line of the log says so."]


def test_a_study_that_was_removed_and_added_again_is_no_problem(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        for _ in range(2):
            label_frames(library, add_study(library, "s-2"), range(2))
            library.removals.remove(["s-2"])
        label_frames(library, add_study(library, "s-2"), range(2))
    assert problems(closed) == []


def test_a_removed_study_whose_name_is_in_the_title_of_removed_lines_is_no_problem(closed: Path) -> None:
    with Library.open(closed, "Dr Smith") as library:
        for study_id, name in (("s-2", "First"), ("s-3", "Content")):
            add_study(library, study_id)
            library.studies.update(study_id, name=name)
        library.removals.remove(["s-2"])
        library.removals.remove(["s-3"])
    assert problems(closed) == []


@pytest.mark.parametrize(
    ("when", "newest"),
    [("9999-01-01T00:00:00.000000+00:00", 1), ("", 10**9), ("", -1), ("", "1"), ("", True), ("then", 1)],
)
def test_a_forged_restore_with_values_that_cannot_be_is_said(closed: Path, when: str, newest: object) -> None:
    backups.backup(closed, always=True)
    after = {"backup_utc": NOW, "newest_backup": newest}
    append_line(closed, when_utc=when or NOW, action="restore", kind="library", item_id="library", after=after)
    (said,) = problems(closed)
    assert said.startswith("Line 13 says that a backup was restored, with a time or a number that cannot be")


def test_a_restore_excuses_no_backup_from_after_it(closed: Path) -> None:
    """Whatever number its line names: a backup that holds the line was made later."""
    after = {"backup_utc": NOW, "newest_backup": 100}
    append_line(closed, action="restore", kind="library", item_id="library", after=after)
    backups.backup(closed, always=True)
    with Library.open(closed, "Dr Smith") as library:
        label_frames(library, library.studies.get("s-1"), range(50, 55))
        library.back_up()
    with tampered(closed) as opened:
        opened.execute("DELETE FROM audit WHERE audit_id > 15")
    (said,) = problems(closed)
    assert "is shorter than that of the backup of " in said


def test_a_backup_that_lost_its_note_is_said(closed: Path) -> None:
    made = backups.backup(closed, always=True)
    assert made is not None
    assert problems(closed) == []
    with closing(sqlite3.connect(made, isolation_level=None)) as raw:
        raw.execute("DELETE FROM meta WHERE key = 'backup'")
    (said,) = problems(closed)
    assert "does not note where its log ends" in said


def test_lines_with_other_numbers_are_said(closed: Path) -> None:
    with tampered(closed) as raw:
        raw.execute("UPDATE audit SET audit_id = audit_id + 100 WHERE audit_id > 8")
    (said,) = problems(closed)
    assert "breaks at 4 lines, first at line 109" in said
