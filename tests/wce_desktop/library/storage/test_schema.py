"""Versions of the tables: upgraded after a backup, never guessed."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.link import Link
from wce_desktop.library import Library, NewerLibraryError
from wce_desktop.library.backup import backup_file
from wce_desktop.library.storage import database, definitions, integrity, opening
from wce_desktop.library.storage.revisions import REVISIONS


def version(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw:
        return str(raw.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_an_older_library_is_backed_up_and_brought_up_to_date(tmp_path: Path) -> None:
    folder = tmp_path / "100 % old"
    folder.mkdir()
    engine = database.connect(folder / "library.sqlite")
    definitions.upgrade(engine, "0001")
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("INSERT INTO patients VALUES ('P1', '', 'then')")
        connection.exec_driver_sql(
            "INSERT INTO studies VALUES ('S1', 'P1', 'old', 'a.mp4', '', 50, 2.0, 'reading', 4, NULL, NULL, 'then')"
        )
        connection.exec_driver_sql(
            "INSERT INTO labels VALUES ('L1', 'S1', 0, 5, 'polyp', 'reader', NULL, 'r', NULL, '')"
        )
    engine.dispose()
    with Library.open(folder, "reader") as library:
        assert [label.name for label in library.annotations.labels("S1")] == ["polyp"]
    assert version(folder) == REVISIONS[-1]
    before = backup_file.list_backups(folder)[0]
    with closing(sqlite3.connect(before)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert raw.execute("SELECT COUNT(*) FROM labels").fetchone() == (1,)


def test_a_library_without_the_table_of_links_keeps_all_that_it_holds(tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, "0005")
    with engine.execution_options(writes=True).begin() as connection:
        for row in (
            "readers VALUES ('reader', 'then')",
            "patients VALUES ('P1', 'Ada', 'then')",
            "studies VALUES ('S1', 'P1', 'old', 'a.mp4', '', 50, 2.0, 'reading', 4, 0.5, 'm', 'then', '[[0, 50]]')",
            "labels VALUES ('L1', 'S1', 0, 5, 'polyp', 'reader', 'F1', 'r', NULL, 'then')",
            "findings VALUES ('F1', 'S1', 'polyp', 0, 5, 4.0, 'sessile', '[1]', 'a comment', 'r')",
            "landmarks VALUES ('A1', 'S1', 'colon', 30, 'r')",
            "boxes VALUES ('B1', 'S1', 3, 1.0, 2.0, 9.0, 9.0, 'polyp', 'F1', 'r')",
            "seen_spans VALUES ('S1', 0, 9)",
        ):
            connection.exec_driver_sql(f"INSERT INTO {row}")
        mark = {"landmark_id": "A1", "study_id": "S1", "region": "colon", "frame_index": 30, "reader": "r"}
        changes = json.dumps({"version": 5, "changes": [["add", "landmark", mark]]})
        connection.exec_driver_sql(
            "INSERT INTO edits VALUES (1, 'S1', 'Landmark', ?, 'r', 'then', FALSE, NULL)", (changes,)
        )
        connection.exec_driver_sql(
            "INSERT INTO audit VALUES (1, 'then', 'r', 'S1', 'Landmark', 'add', 'landmark', 'A1', NULL, '{}', NULL)"
        )
    engine.dispose()
    before = everything(tmp_path)
    assert "links" not in before
    Library.open(tmp_path, "reader").close()
    after = everything(tmp_path)
    assert after.pop("alembic_version") == [(REVISIONS[-1],)]
    assert after.pop("patients") == [("P1", "then")]  # the name is in the record
    assert "library_id" in {row[0] for row in after.pop("meta")}
    for name, rows in after.items():
        kept = [row[: len(old)] for row, old in zip(rows, before.get(name, []), strict=True)]
        assert kept == before.get(name, []), name
    with Library.open(tmp_path, "reader") as library:
        library.annotations.edit("S1", "Link", [Add(Link("K1", "S1", 3, "S1", 9, True))])
        library.annotations.undo("S1")
        assert library.annotations.undo("S1") is not None
        assert library.annotations.landmarks("S1") == ()
        assert library.studies.record("S1").pseudonym == library.studies.patient_name("P1") == "Ada"
        assert [finding.comment for finding in library.annotations.findings("S1")] == ["a comment"]


def test_normal_labels_from_before_answers_are_kept_and_marked_as_they_were_made(tmp_path: Path) -> None:
    """Rejecting once wrote "normal" in the reader's name with the model's id; a reader's own has none."""
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, "0007")
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("INSERT INTO patients VALUES ('P1', 'then')")
        study: dict[str, Any] = {
            "study_id": "S1",
            "patient_id": "P1",
            "name": "old",
            "path": "a.mp4",
            "fingerprint": "",
            "state": "new",
        }
        study |= {"frame_count": 50, "duration_seconds": 2.0, "last_frame": 4, "created_utc": "then"}
        columns, marks = ", ".join(study), ", ".join("?" * len(study))
        connection.exec_driver_sql(f"INSERT INTO studies ({columns}) VALUES ({marks})", tuple(study.values()))
        for row in (
            "('L1', 'S1', 0, 5, 'normal', 'reader', NULL, 'r', 'm1', 'then')",
            "('L2', 'S1', 9, 12, 'normal', 'reader', NULL, 'r', NULL, 'then')",
            "('L3', 'S1', 20, 21, 'polyp', 'accepted_suggestion', NULL, 'r', 'm1', 'then')",
            "('L4', 'S1', 30, 31, 'normal', 'accepted_suggestion', NULL, 'r', 'm1', 'then')",
        ):
            connection.exec_driver_sql(f"INSERT INTO labels VALUES {row}")
    engine.dispose()
    with Library.open(tmp_path, "reader") as library:
        labels = library.annotations.answers("S1")
        assert [(label.label_id, label.answer) for label in labels] == [(f"L{at}", "yes") for at in (1, 2, 3, 4)]
        assert [label.label_id for label in labels if label.is_from_rejecting] == ["L1"]
        assert library.annotations.label_track("S1").frame_counts == {"normal": 9, "polyp": 1}


def everything(folder: Path) -> dict[str, list[Any]]:
    """Table -> its rows."""
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw:
        return {name: raw.execute(f"SELECT * FROM {name}").fetchall() for name in integrity.table_names(raw)}


def test_a_migration_that_fails_leaves_the_old_tables(tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, "0001")
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("CREATE INDEX ix_audit_study ON audit (reader)")  # in the way of the next one
    with pytest.raises(Exception, match="already exists"):
        opening.bring_up_to_date(engine, tmp_path)
    database.close(engine, tmp_path / "library.sqlite")
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert raw.execute("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'").fetchone() == (0,)


def test_a_newer_library_is_left_alone(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(NewerLibraryError, match="newer version of the application") as caught:
        Library.open(folder, "reader")
    assert caught.value.hint == "Update the application, or choose another library."
    assert version(folder) == "0999"


def test_some_other_programs_database_is_not_taken_for_a_library(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as raw:
        raw.execute("CREATE TABLE cookies (name TEXT)")
    with pytest.raises(UserError, match="not written by this application"):
        Library.open(tmp_path, "reader")
