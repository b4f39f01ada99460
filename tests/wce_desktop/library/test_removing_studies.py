"""A study is removed with everything derived from it."""

import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from tests.wce_desktop.sessions import add_study
from tests.wce_desktop.tampering import raw_database
from training.datasets import local_paths
from training.runs.reporter import SilentReporter
from training.texts import Text, count_text
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library, removals
from wce_desktop.library.backup import backup_file, backups, copies
from wce_desktop.library.evidence.audit_checking import Note, check_log
from wce_desktop.library.exchange import export_library
from wce_desktop.library.lineage import Family, learned_from
from wce_desktop.library.removals import KEPT_DAYS, forget_in_backups
from wce_desktop.library.storage import definitions
from wce_desktop.library.storage.opening import start_empty
from wce_desktop.session.session import Session

NAME = "MEIER_Anna_1950"
LATER = timedelta(days=KEPT_DAYS + 1)
INSERT = "INSERT INTO removals (when_utc, reader, study_id, patient_id, facts) VALUES (?, '', ?, 'p', ?)"


@pytest.fixture
def study(session: Session, tmp_path: Path) -> Study:
    """A scored study with a name, labels, findings, boxes, a link and seen frames, beside another one."""
    library = session.library
    made = add_study(session, tmp_path)
    study_id = made.study_id
    library.studies.update(study_id, name=NAME)
    library.studies.add(tmp_path / "b.mp4", study_id="b", fingerprint="b", frame_count=60)
    library.annotations.edit(study_id, "Label it", [Add(Label("l-1", study_id, Span(3, 6), "polyp"))])
    library.annotations.edit(
        study_id, "A finding", [Add(Finding("f-1", study_id, "polyp", Span(3, 6), comment="of Anna"))]
    )
    library.annotations.edit(study_id, "A box", [Add(Box("x-1", study_id, 4, 1, 2, 9, 9, "polyp"))])
    library.annotations.edit("b", f"Link with {NAME}", [Add(Link("k-1", "b", 3, study_id, 4, True))])
    library.annotations.edit("b", "Label b", [Add(Label("l-2", "b", Span(3, 6), "blood"))])
    old = library.studies.record(study_id)
    new = Replace(old, type(old)(study_id, old.patient_id, "Meier, Anna", 1950))
    library.annotations.edit_studies("Records", {study_id: [new], "b": []})
    library.annotations.mark_seen(study_id, [Span(0, 10)], [Span(10, 20)], {8: 10})
    return library.studies.get(study_id)


def everything_in(folder: Path) -> str:
    """All bytes of a folder's files, as text."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return "".join(path.read_bytes().decode("latin-1") for path in files)


def test_nothing_of_it_is_left_but_that_it_was_removed(session: Session, study: Study) -> None:
    library = session.library
    library.removals.remove([study.study_id], {study.study_id: ["m1"]})
    assert [one.study_id for one in library.studies.all()] == ["b"]
    assert [label.label_id for label in library.annotations.labels("b")] == ["l-2"]
    assert library.annotations.links("b") == ()
    assert not (library.folder / "studies" / study.study_id).exists()
    (removal,) = library.removals.all()
    assert (removal.study_id, removal.patient_id) == (study.study_id, study.patient_id)
    assert removal.facts["learned"] == ["m1"]
    assert removal.facts["rows"]["labels"] == 1
    lines = library.audit.entries(study.study_id)
    assert {line.title for line in lines[:-1]} == {"Content (removed)"}
    assert all(line.before is None and line.after is None for line in lines[:-1])
    assert lines[-1].action == "remove"
    left = everything_in(library.folder)
    assert "MEIER" not in left
    assert "Meier" not in left
    assert "of Anna" not in left
    assert library.annotations.undo("b") is not None, "edits of other studies can still be undone"


NAMES = [
    "Müller, Änne", 'the "second" one', "C:\\studies\\Anna", "Anna\\", '"Anna"', "Anna 😀", "{Anna}",
    "text", "values", "name", "count", "Label", "1204", "Änne\tB", "Anna\u2028B", "{\"text\": ",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_its_name_leaves_the_titles_of_other_studies_which_stay_sentences(
    session: Session, study: Study, name: str
) -> None:
    library = session.library
    library.studies.update(study.study_id, name=name)
    titles = [
        Text("Link with {name}", name),
        count_text("Label {count} frame as {kind}", "Label {count} frames as {kind}", 1204, f"as in {name}!"),
        Text("{title} of {study}", Text("Link with {name}", name), "b"),
        f"Link with {name}",
        Text("Label {part1}{part2}", name[:2], name[2:]),
    ]
    for number, title in enumerate(titles):
        label = Label(f"l-{10 + number}", "b", Span(10 + 2 * number, 11 + 2 * number), "blood")
        library.annotations.edit("b", title, [Add(label)])
    library.removals.remove([study.study_id], {})
    shown = [line.title for line in library.audit.entries("b")][-len(titles) :]
    assert not [title for title in shown if name in title]
    assert shown[0] == str(titles[0]).replace(name, "(removed)")
    for title in shown:
        assert not title.startswith('{"') or "values" not in title, "JSON is no sentence"
    while library.annotations.undo_title("b"):
        edit = library.annotations.undo("b")
        assert edit is not None
        assert name not in edit.title
    with raw_database(library.folder) as connection:
        stored = [row[0] for table in ("audit", "edits") for row in connection.execute(f"SELECT title FROM {table}")]
    in_json = json.dumps(name, ensure_ascii=False)[1:-1]
    for title in stored if name not in ("text", "values", "name", "count", '{"text": ') else ():
        assert name not in title.replace('{"text": ', "")
        assert in_json not in title
    assert [each for each in check_log(library, SilentReporter()) if not isinstance(each, Note)] == []


def test_the_log_stays_append_only(session: Session, study: Study) -> None:
    session.library.removals.remove([study.study_id])
    with raw_database(session.library.folder) as connection:
        for statement in ("UPDATE audit SET title = 'x'", "DELETE FROM audit"):
            with pytest.raises(Exception, match="append-only"):
                connection.execute(statement)


def test_runs_and_maps_lose_it_and_the_models_that_learned_from_it_are_named(
    session: Session, study: Study, tmp_path: Path
) -> None:
    library = session.library
    run = library.runs.add("A run", run_id="r-1")
    export_library(library, run.folder / "inputs", has_paths=True)
    split = {"training_patients": [study.patient_id], "held_out_patients": [library.studies.get("b").patient_id]}
    (run.folder / "split.json").write_text(json.dumps(split), encoding="utf-8")
    library.runs.add("From it", run_id="r-2", base_run_id="r-1")
    library.runs.add("Another", run_id="r-3")
    a_map = library.folder / "maps" / "map-1"
    a_map.mkdir(parents=True)
    (a_map / "asked.json").write_text(json.dumps({"paths": {study.study_id: "x"}}), encoding="utf-8")
    family = Family.of(library)
    learned = learned_from(family, study.study_id, study.patient_id)
    assert [(one.item_id, one.is_direct) for one in learned] == [("r-1", True), ("r-2", False)]
    assert learned_from(family, "b", library.studies.get("b").patient_id) == [], "it was held out"
    library.removals.remove([study.study_id])
    assert not a_map.exists()
    for name in ("manifest.json", "labels.csv", "boxes.csv", "findings.csv", "links.csv", local_paths.FILE_NAME):
        text = (run.folder / "inputs" / name).read_text(encoding="utf-8")
        assert study.study_id not in text
    assert '"b"' in (run.folder / "inputs" / "manifest.json").read_text(encoding="utf-8")
    assert "l-2" not in (run.folder / "inputs" / "labels.csv").read_text(encoding="utf-8")


def test_backups_lose_it_after_the_stated_days_and_keep_the_rest(session: Session, study: Study) -> None:
    library = session.library
    before = backups.backup(library.folder, always=True)
    assert before is not None
    library.removals.remove([study.study_id])
    now = datetime.now(UTC)
    assert forget_in_backups(library.folder, now + timedelta(days=KEPT_DAYS - 1)) == 0
    assert "MEIER" in before.read_bytes().decode("latin-1")
    assert forget_in_backups(library.folder, now + timedelta(days=KEPT_DAYS + 1)) == 1
    assert "MEIER" not in everything_in(library.folder)
    with closing(sqlite3.connect(before)) as connection:
        assert connection.execute("SELECT label_id FROM labels").fetchall() == [("l-2",)]
    assert backups.listed_backups(library.folder)[-1].contents.labels == 1


def test_copies_in_another_folder_lose_it_too(
    session: Session, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, disk = session.library.folder, tmp_path / "disk"
    (place := copies.place_of_copies(folder, disk)).mkdir(parents=True)
    report, other = (place / "reports" / name / "report-1.pdf" for name in (study.study_id, "s-other"))
    for each in (report, other):
        each.parent.mkdir(parents=True)
        each.write_bytes(b"%PDF")
    backups.backup(folder, always=True)
    copies.copy_newest(folder, disk)
    session.library.removals.remove([study.study_id])
    copies.copy_newest(folder, disk)
    assert report.exists()
    assert "MEIER" in everything_in(place)
    monkeypatch.setattr(removals, "KEPT_DAYS", -1)
    copies.copy_newest(folder, disk)
    assert not report.exists()
    assert other.exists()
    assert "MEIER" not in everything_in(place)
    assert copies.copies(folder, disk)[-1].path.exists()


def test_opening_after_a_removal_reports_no_loss(session: Session, study: Study) -> None:
    library = session.library
    backups.backup(library.folder, always=True)
    library.removals.remove([study.study_id])
    for path in backup_file.list_backups(library.folder)[1:]:
        path.unlink()  # as if the power had gone before the backup after it
    session.library.close()
    with Library.open(library.folder, "reader") as again:
        assert again.loss is None


def test_a_study_that_is_not_there_cannot_be_removed(session: Session, study: Study) -> None:
    with pytest.raises(KeyError):
        session.library.removals.remove(["s-none"])
    assert len(session.library.studies.all()) == 2


def remove_signed_study(folder: Path) -> Path:
    """Add, sign, back up and remove the study s-gone; returns the backup from before it was added."""
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("other.mp4"), study_id="s-other", fingerprint="o")
        before = backups.backup(folder, always=True)
        library.studies.add(Path("a.mp4"), name=NAME, study_id="s-gone", fingerprint="a")
        library.annotations.edit("s-gone", "Label", [Add(Label("l-1", "s-gone", Span(3, 6), "polyp"))])
        library.reports.keep("s-gone", 1, html=b"<p>", pdf=b"%PDF", reader="reader", acknowledged={})
        backups.backup(folder, always=True)
        library.removals.remove(["s-gone"])
    assert before is not None
    return before


def names_in_backups(folder: Path) -> bool:
    """Whether a backup or a replaced database holds the study's name, or its report has a copy."""
    databases = [*folder.glob("library.*.sqlite"), *(folder / "backups").glob("*.sqlite")]
    has_rows = any("MEIER" in path.read_bytes().decode("latin-1") for path in databases)
    return has_rows or (folder / "backups" / "reports" / "s-gone").exists()


def restore_older(folder: Path, before: Path) -> None:
    backups.restore_backup(folder, before)


def restore_twice(folder: Path, before: Path) -> None:
    backups.restore_backup(folder, before)
    backups.restore_backup(folder, before)


def begin_empty(folder: Path, _: Path) -> None:
    start_empty(folder)


def restore_over_a_lost_database(folder: Path, before: Path) -> None:
    (folder / "library.sqlite").unlink()
    backups.restore_backup(folder, before)


def restore_over_a_damaged_database(folder: Path, before: Path) -> None:
    (folder / "library.sqlite").write_bytes(b"damaged" * 1000)
    newest = backup_file.list_backups(folder)[-1]
    newest.with_name("library-000999-20990101-000000-000000.sqlite").write_bytes(b"damaged" * 1000)
    backups.restore_backup(folder, before)


def begin_empty_over_a_lost_database(folder: Path, _: Path) -> None:
    (folder / "library.sqlite").unlink()
    start_empty(folder)


def restore_an_older_version(folder: Path, _: Path) -> None:
    old = folder / "backups" / "library-of-an-older-version.sqlite"
    engine = create_engine(f"sqlite:///{old}")
    definitions.upgrade(engine, "0006")
    engine.dispose()
    backups.restore_backup(folder, old)


@pytest.mark.parametrize(
    "go_back",
    [
        restore_older,
        restore_twice,
        begin_empty,
        restore_over_a_lost_database,
        restore_over_a_damaged_database,
        begin_empty_over_a_lost_database,
        restore_an_older_version,
    ],
)
def test_a_removed_study_leaves_the_backups_after_an_older_state_came_back(
    folder: Path, go_back: Callable[[Path, Path], None]
) -> None:
    go_back(folder, remove_signed_study(folder))
    with Library.open(folder, "reader") as library:
        assert library.loss is None
        assert [one.study_id for one in library.removals.all()] == ["s-gone"]
        lines = [line for line in library.audit.entries("s-gone") if line.action == "remove" and line.kind == "study"]
        assert [line.when_utc for line in lines] == [library.removals.all()[0].when_utc]
        assert [one for one in check_log(library, SilentReporter()) if not isinstance(one, Note)] == []
    assert names_in_backups(folder)
    assert forget_in_backups(folder, datetime.now(UTC) + timedelta(days=KEPT_DAYS - 1)) == 0
    forget_in_backups(folder, datetime.now(UTC) + LATER)
    assert not names_in_backups(folder)


def test_a_study_that_a_backup_brings_back_stays(folder: Path) -> None:
    remove_signed_study(folder)
    (chosen,) = [path for path in backup_file.list_backups(folder) if "MEIER" in path.read_bytes().decode("latin-1")]
    backups.restore_backup(folder, chosen)
    with Library.open(folder, "reader") as library:
        assert library.removals.all() == ()
        assert [report.path.is_file() for report in library.reports.signed("s-gone")] == [True]
    assert forget_in_backups(folder, datetime.now(UTC) + LATER) == 0
    start_empty(folder)
    assert forget_in_backups(folder, datetime.now(UTC) + LATER) == 0, "its last state was not removed"
    assert names_in_backups(folder)


def test_an_old_backup_that_lost_the_study_keeps_its_removal_when_it_comes_back(folder: Path) -> None:
    remove_signed_study(folder)
    (chosen,) = [path for path in backup_file.list_backups(folder) if "MEIER" in path.read_bytes().decode("latin-1")]
    forget_in_backups(folder, datetime.now(UTC) + LATER)
    backups.restore_backup(folder, chosen)
    with Library.open(folder, "reader") as library:
        assert [one.study_id for one in library.removals.all()] == ["s-gone"]
        assert [line.action for line in library.audit.entries("s-gone") if line.kind == "study"][-1] == "remove"
        assert [one for one in check_log(library, SilentReporter()) if not isinstance(one, Note)] == []


@pytest.mark.parametrize("line", [None, ("remove", "study", "s-other"), ("add", "study", "s-gone"), ("other time",)])
def test_a_removal_without_its_line_in_the_log_deletes_nothing(
    folder: Path, line: tuple[str, ...] | None, caplog: pytest.LogCaptureFixture
) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"), name=NAME, study_id="s-gone", fingerprint="a")
        library.reports.keep("s-gone", 1, html=b"<p>", pdf=b"%PDF", reader="reader", acknowledged={})
        (library.studies.folder("s-gone") / "embeddings-m1.h5").write_bytes(b"scores")
        backups.backup(folder, always=True)
    start_empty(folder)
    old, other = "2020-01-01T00:00:00.000000+00:00", "2020-01-02T00:00:00.000000+00:00"
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection, connection:
        connection.execute(INSERT, (old, "s-gone", "{}"))
        if line is not None:
            when, fields = (other, ("remove", "study", "s-gone")) if line == ("other time",) else (old, line)
            connection.execute(
                "INSERT INTO audit (when_utc, reader, title, action, kind, item_id) VALUES (?, '', '', ?, ?, ?)",
                (when, *fields),
            )
    with caplog.at_level(logging.WARNING):
        Library.open(folder, "reader").close()
    assert "removals without a line in the audit log delete nothing: 1" in caplog.text
    assert names_in_backups(folder)
    assert (folder / "backups" / "reports" / "s-gone").is_dir()
    assert (folder / "reports" / "s-gone").is_dir()


JUNK = (
    *("2020-01-01T00:00:00", "2020-01-01", "", "yesterday", "zzz", 5, 1.5, b"\xff\xfe", "\udcff", "9" * 5000),
    *("9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59", "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00"),
)


@pytest.mark.parametrize("facts", ["{}", "[", '{"rows": {"labels": Infinity}}', '{"rows": 1}', "[" * 100_000, b"\xff"])
@pytest.mark.parametrize("has_lines", [False, True])
def test_rows_of_removals_that_hold_anything_do_not_stop_a_library_from_opening(
    folder: Path, facts: str | bytes, has_lines: bool
) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"), name=NAME, study_id="s-kept", fingerprint="a")
    backups.backup(folder, always=True)
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection, connection:
        for number, when in enumerate(JUNK):
            for study_id in (f"s-{number}", b"\xff", 7, "", "..", "s-kept"):
                value = when.encode("utf-8", "surrogateescape") if isinstance(when, str) else when
                expression = "CAST(? AS TEXT)" if isinstance(when, str) else "?"
                connection.execute(INSERT.replace("(?,", f"({expression},"), (value, study_id, facts))
                if has_lines:
                    connection.execute(
                        "INSERT INTO audit (when_utc, reader, title, action, kind, item_id)"
                        f" VALUES ({expression}, '', '', 'remove', 'study', ?)",
                        (value, study_id),
                    )
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('finished_removals', ?)", ("9" * 30,))
    for _ in range(2):
        with Library.open(folder, "reader") as library:
            assert [study.study_id for study in library.studies.all()] == ["s-kept"]
    backups.restore_backup(folder, backup_file.list_backups(folder)[0])
    Library.open(folder, "reader").close()


def test_a_removal_without_a_time_zone_counts_as_utc(folder: Path) -> None:
    remove_signed_study(folder)
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection, connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE removals SET when_utc = '2020-01-01T00:00:00'")
        connection.execute("UPDATE audit SET when_utc = '2020-01-01T00:00:00' WHERE action = 'remove'")
        for _, sql in triggers:
            connection.execute(sql)
    Library.open(folder, "reader").close()
    assert not names_in_backups(folder)
