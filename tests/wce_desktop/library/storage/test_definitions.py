"""A database holds the definitions of its version and nothing else; what others added is never run."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.library import DamagedLibraryError, Library, removals
from wce_desktop.library.backup import backup_file, backups, comparison
from wce_desktop.library.backup.backup_file import contents_of
from wce_desktop.library.storage import (
    database,
    definitions,
    encrypting,
    integrity,
    key_file,
    snapshot,
)
from wce_desktop.library.storage.opening import keep_database
from wce_desktop.library.storage.revisions import REVISIONS
from wce_desktop.library.storage.sqlite_file import open_file
from wce_desktop.shell.cli.exchange_cli import main as exchange
from wce_desktop.shell.cli.restore_cli import main as restore

DIGESTS = {
    "0001": "8996bca5916877ef9874e2ad62a070451f452f9a36ba765f5f431384f6b000ed",
    "0002": "f3462570b34ec2e0e45bcd27b07ee7417ed4d327cec78ade1de59bca73560fa9",
    "0003": "9c89ed36ef801d2fc811be3364e0e535870ba32a051431a83acbc9fa5ba67613",
    "0004": "b7fb253c1f2409dc0cc7ba8f8dac77bc7fa3ae9101e56566b7fb08cc75a44799",
    "0005": "1b5f9a76f70b5673449375a08a6b1e1f61ec6b971720b1404579b55c0662a17b",
    "0006": "ce44ffb061d4da6efb90566d452687a6c34fba3023993132b8b0a726867a5de0",
    "0007": "db68133b503777dba9577269953ff9b73e8754f2fd2081d66ef51f0ed87cd6f2",
    "0008": "7fcb579f3577ae20bca36839f6be1d1142f30a1f49dbc5959645eb92dbeadc11",
    "0009": "0f4a0bd670a99f7f295583dea5c70cb35df312612df33c756cc5b33649ca6577",
    "0010": "dbf7d12a8734269aa6a8cc33de1276762e65846b3b7c9acd19a110715dbbf039",
    "0011": "3587554d1618e13c0bf4ac6f8f8af91a260410338756f8900a01c8126276cd51",
    "0012": "22262ada982dfe0a5319990e0d33dc01f0182cd240f7ac135d3ff4aacac63e75",
}
"""Revision -> SHA-256 of its definitions."""
EMPTYING = "CREATE TRIGGER emptying AFTER INSERT ON audit BEGIN DELETE FROM labels; END"
FOREIGN = [
    (EMPTYING, "emptying"),
    ("CREATE TRIGGER audit_no_update2 BEFORE UPDATE ON audit BEGIN SELECT 1; END", "audit_no_update2"),
    ("CREATE VIEW overview AS SELECT * FROM labels", "overview"),
    ("ALTER TABLE labels RENAME TO hidden; CREATE VIEW labels AS SELECT * FROM hidden", "labels"),
    ("CREATE TABLE notes (text TEXT)", "notes"),
    ("CREATE VIRTUAL TABLE words USING fts5(text)", "words"),
    ("CREATE UNIQUE INDEX one_label ON labels (study_id)", "one_label"),
    ("DROP TRIGGER audit_no_DELETE", "audit_no_DELETE"),
    ("DROP INDEX ix_labels_study_name_start", "ix_labels_study_name_start"),
    ("DROP INDEX ix_audit_study; CREATE INDEX ix_audit_study ON audit (reader)", "ix_audit_study"),
    ("ALTER TABLE labels ADD COLUMN extra INTEGER AS (start + 1)", "labels"),
    ("DROP TABLE links", "links"),
]


def run(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(script)


def label_once(library: Library) -> str:
    study_id = library.studies.add(Path("a.mp4"), name="study").study_id
    label = Label(label_id="L1", study_id=study_id, span=Span(0, 5), name="polyp", source="reader", reader="reader")
    library.annotations.edit(study_id, "Label 5 frames polyp", [Add(label)])
    return study_id


@pytest.fixture
def labelled(folder: Path) -> Path:
    """The folder of a library with a label, without its backups."""
    with Library.open(folder, "reader") as library:
        label_once(library)
    for path in backup_file.list_backups(folder):
        path.unlink()
    return folder


def labels_in(folder: Path) -> list[str]:
    with Library.open(folder, "reader") as library:
        return [
            label.label_id for study in library.studies.all() for label in library.annotations.labels(study.study_id)
        ]


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_was_published_of_each_revision_never_changes(revision: str, tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, revision)
    database.close(engine, tmp_path / "library.sqlite")
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as raw:
        there = sorted(map(tuple, definitions.read_definitions(raw)))
        assert hashlib.sha256(repr(there).encode()).hexdigest() == DIGESTS[revision]
        raw.execute(EMPTYING)
        assert "emptying" in (definitions.difference(raw) or "")


@pytest.mark.parametrize(("script", "name"), FOREIGN)
def test_a_library_with_foreign_definitions_is_not_opened(labelled: Path, script: str, name: str) -> None:
    run(labelled / "library.sqlite", script)
    before = (labelled / "library.sqlite").read_bytes()
    with pytest.raises(DamagedLibraryError, match=name):
        Library.open(labelled, "reader")
    assert (labelled / "library.sqlite").read_bytes() == before


@pytest.mark.parametrize(("script", "name"), FOREIGN)
def test_a_backup_with_foreign_definitions_is_neither_offered_nor_restored(
    labelled: Path, script: str, name: str, tmp_path: Path
) -> None:
    good = backups.backup(labelled, always=True)
    bad = backups.backup(labelled, always=True)
    assert bad is not None
    run(bad, script)
    assert contents_of(bad) is None
    assert [one.backup.path for one in backups.listed_backups(labelled)] == [good]
    assert backup_file.last_backup(labelled) == good
    with pytest.raises(UserError, match=name):
        backups.restore_backup(labelled, bad)
    with pytest.raises(UserError, match="no backup of a library"):
        comparison.preview_restore(labelled, bad)
    assert labels_in(labelled) == ["L1"]


@pytest.mark.parametrize("script", [EMPTYING, "CREATE VIEW overview AS SELECT 1", "DROP INDEX ix_audit_study"])
def test_reading_only_refuses_them_too(labelled: Path, script: str) -> None:
    run(labelled / "library.sqlite", script)
    with pytest.raises(DamagedLibraryError, match="changed by another program"):
        snapshot.open_snapshot(labelled)


@pytest.mark.parametrize(("script", "name"), FOREIGN[:-1])
@pytest.mark.parametrize("is_encrypted", [False, True])
def test_the_own_tables_are_kept_on_demand_and_the_rest_stays_aside(
    labelled: Path, script: str, name: str, is_encrypted: bool
) -> None:
    file = labelled / "library.sqlite"
    if is_encrypted:
        encrypting.encrypt_library(labelled, "four quiet words")
    with closing(open_file(file)) as raw:
        for statement in [script] if "BEGIN" in script else script.split(";"):
            raw.execute(statement)
    try:
        if "VIEW labels" in script:  # its own table is not there any more
            with pytest.raises(UserError, match="labels is missing"):
                keep_database(labelled)
            return
        assert restore(["restore", "--keep", "--library", str(labelled)]) == 0
        assert labels_in(labelled) == ["L1"]
        assert not integrity.size_of(labelled / "library.sqlite.restored")
        (aside,) = labelled.glob("library.*-*.sqlite")
        with closing(open_file(file)) as raw:
            assert definitions.difference(raw) is None
        with closing(open_file(aside)) as raw:
            assert name in (definitions.difference(raw) or "")
    finally:
        key_file.lock(labelled)


def test_the_shell_says_what_to_do(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(labelled / "library.sqlite", EMPTYING)
    assert exchange(["export", str(labelled / "out"), "--library", str(labelled)]) == 1
    said = capsys.readouterr().err
    assert "“emptying”" in said
    assert "wce-desktop restore --keep" in said


def test_what_sqlite_adds_and_how_a_statement_is_written_makes_no_difference(labelled: Path) -> None:
    file = labelled / "library.sqlite"
    run(file, "ANALYZE")
    with closing(sqlite3.connect(file)) as raw:
        (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'ix_audit_study'").fetchone()
    written = sql.replace(" audit", '  "audit" -- the log\n').lower()
    run(file, f"DROP INDEX ix_audit_study; {written}")
    run(file, "ALTER TABLE meta RENAME TO other; ALTER TABLE other RENAME TO meta")  # writes its name in quotes
    assert labels_in(labelled) == ["L1"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_libraries_of_every_version_open(revision: str, tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine, revision)
    database.close(engine, tmp_path / "library.sqlite")
    run(tmp_path / "library.sqlite", "ANALYZE")
    Library.open(tmp_path, "reader").close()
    run(tmp_path / "library.sqlite", EMPTYING)
    with pytest.raises(DamagedLibraryError, match="emptying"):
        Library.open(tmp_path, "reader")


def test_removed_studies_leave_a_backup_without_running_what_it_defines(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(folder, "reader") as library:
        study_id, other = label_once(library), library.studies.add(Path("b.mp4"), name="stays").study_id
        made = library.back_up()
        assert made is not None
        run(made, "CREATE TRIGGER emptying AFTER DELETE ON labels BEGIN DELETE FROM studies; END")
        library.removals.remove([study_id])
        monkeypatch.setattr(removals, "KEPT_DAYS", -1)
        assert removals.forget_in_backups(folder)
    with closing(sqlite3.connect(made)) as raw:
        assert raw.execute("SELECT study_id FROM studies").fetchall() == [(other,)]
        assert raw.execute("SELECT COUNT(*) FROM labels").fetchone() == (0,)


def test_a_name_in_quotes_is_no_definition_of_another_form(labelled: Path, tmp_path: Path) -> None:
    """`"start INTEGER NOT NULL"` is one column without a type, however it reads."""
    engine = database.connect(tmp_path / "library.sqlite")
    definitions.upgrade(engine)
    database.close(engine, tmp_path / "library.sqlite")
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as raw:
        (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'meta'").fetchone()
    written = sql.replace("value TEXT NOT NULL", '"value TEXT NOT NULL"')
    run(tmp_path / "library.sqlite", f"DROP TABLE meta; {written}")
    with pytest.raises(DamagedLibraryError, match="meta"):
        Library.open(tmp_path, "reader")
