"""A library on a PostgreSQL server, used by several readers at once."""

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Server, make_library
from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.sharing.conftest import Shared
from training.errors import UserError
from wce_desktop.core.annotation import Landmark, ReportPart
from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library, moving
from wce_desktop.library.backup import backups
from wce_desktop.library.errors import ConflictError, UnreachableLibraryError
from wce_desktop.library.sharing import copying, listening
from wce_desktop.library.sharing.journal import Entry, Journal
from wce_desktop.library.storage import encrypting, server
from wce_desktop.library.storage.integrity import is_library
from wce_desktop.session import places
from wce_desktop.shell.cli import library_cli


def test_the_audit_log_names_the_account(anna: Library, study: Study) -> None:
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    assert {entry.reader for entry in anna.audit.entries(study.study_id)} == {"anna"}


def test_each_reader_undoes_their_own_edits(anna: Library, bert: Library, study: Study) -> None:
    anna.annotations.edit(study.study_id, "Of Anna", [Add(make_label(study.study_id, 0, 10))])
    bert.annotations.edit(study.study_id, "Of Bert", [Add(make_label(study.study_id, 50, 60))])
    assert anna.annotations.undo_title(study.study_id) == "Of Anna"
    assert anna.annotations.undo(study.study_id) is not None
    assert [label.span for label in bert.annotations.labels(study.study_id)] == [Span(50, 60)]
    bert.annotations.edit(study.study_id, "More", [Add(make_label(study.study_id, 80, 90))])
    assert anna.annotations.redo_title(study.study_id) == "Of Anna"
    assert anna.annotations.redo(study.study_id) is not None
    assert len(bert.annotations.labels(study.study_id)) == 3


def test_the_later_of_two_edits_of_an_item_is_refused_and_names_the_other_reader(
    anna: Library, bert: Library, study: Study
) -> None:
    mark = Landmark("l-1", study.study_id, Region.COLON, 100, "anna")
    anna.annotations.edit(study.study_id, "Mark the colon", [Add(mark)])
    moved = replace(mark, frame_index=120)
    bert.annotations.edit(study.study_id, "Move it", [Replace(mark, moved)])
    for change in (Replace(mark, replace(mark, frame_index=90)), Remove(mark)):
        with pytest.raises(ConflictError, match=r"bert.*Move it"):
            anna.annotations.edit(study.study_id, "Move it back", [change])
    assert anna.annotations.landmarks(study.study_id) == (moved,)
    with pytest.raises(UserError, match="bert"):
        anna.annotations.undo(study.study_id)


def test_two_labels_of_a_class_on_one_frame_are_a_conflict(anna: Library, bert: Library, study: Study) -> None:
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    with pytest.raises(ConflictError, match="anna"):
        bert.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 5, 15))])
    bert.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 10, 15))])


def test_edits_at_the_same_time_are_all_there_and_the_log_stays_whole(
    anna: Library, bert: Library, study: Study
) -> None:
    def label(library: Library, first: int) -> None:
        for number in range(first, first + 40):
            library.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, number, number + 1))])

    threads = [threading.Thread(target=label, args=each) for each in ((anna, 0), (bert, 100))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(anna.annotations.labels(study.study_id)) == 80
    check = bert.audit.check()
    assert (check.breaks, check.head.lines) == ([], len(bert.audit.entries()))


def test_what_another_window_changes_is_news_and_the_own_change_is_none(
    anna: Library, bert: Library, shared: Shared, study: Study
) -> None:
    news: list[Mapping[str, object]] = []
    heard = threading.Event()

    def check() -> None:
        """Change something once the server is listened to: in this window, then in another one."""
        if not heard.is_set():
            heard.set()
            anna.annotations.edit(study.study_id, "Own", [Add(make_label(study.study_id, 0, 1))])
            bert.annotations.edit(study.study_id, "Other", [Add(make_label(study.study_id, 5, 6))])

    for change in listening.changes(anna.engine, shared.postgres.address(shared.name, "anna"), check):
        if "studies" in change:
            news.append(change)
            break
    assert news == [{"studies": [study.study_id], "reader": "bert"}]


def test_a_researcher_sees_labels_but_neither_patients_nor_file_names(
    anna: Library, shared: Shared, study: Study
) -> None:
    anna.studies.update(study.study_id, name="Meier, Anna")
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    rosa = shared.open("rosa")
    (seen,) = rosa.studies.all()
    assert (seen.name, str(seen.path), seen.patient_id) == (study.study_id, ".", "p-1")
    assert [label.span for label in rosa.annotations.labels(study.study_id)] == [Span(0, 10)]
    for table in ("public.studies", "public.patients", "public.reports"):
        with pytest.raises(UserError, match="does not allow"), rosa.reading("it") as connection:
            connection.exec_driver_sql(f"SELECT * FROM {table}")
    with pytest.raises(UserError, match="does not allow"):
        rosa.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 50, 60))])


@pytest.mark.parametrize("account", ["anna", "carla", "rosa"])
def test_nobody_but_the_administrator_changes_the_audit_log(
    account: str, anna: Library, shared: Shared, study: Study
) -> None:
    library = shared.open(account)
    for statement in ("UPDATE audit SET reader = 'nobody'", "DELETE FROM audit", "TRUNCATE audit",
                      "ALTER TABLE audit DISABLE TRIGGER ALL"):  # fmt: skip
        with pytest.raises(UserError, match="does not allow"), library.writing("it") as connection:
            connection.exec_driver_sql(statement)
    assert anna.audit.check().breaks == []


def test_the_owner_cannot_change_the_log_by_accident(shared: Shared, study: Study) -> None:
    with pytest.raises(Exception, match="append-only"):
        shared.postgres.execute("UPDATE audit SET reader = 'nobody'", database=shared.name)


def test_a_server_that_is_gone_is_a_sentence_and_edits_go_on_when_it_is_back(
    anna: Library, shared: Shared, study: Study
) -> None:
    shared.postgres.stop()
    try:
        with pytest.raises(UnreachableLibraryError, match="cannot be reached"):
            anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    finally:
        shared.postgres.start()
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    assert len(anna.annotations.labels(study.study_id)) == 1


def test_a_connection_that_is_cut_between_rows_leaves_a_sentence_and_no_trace(
    anna: Library, study: Study, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    psycopg = pytest.importorskip("psycopg")

    def cut(cursor: Any, *_: object) -> None:
        cursor.connection.pgconn.enter_pipeline_mode()
        cursor.connection.pgconn.send_query_params(b"SELECT 1", None)
        raise psycopg.OperationalError("cannot exit pipeline mode while busy")

    label = make_label(study.study_id, 0, 10)
    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "executemany", cut)
        with pytest.raises(UnreachableLibraryError):
            anna.annotations.edit(study.study_id, "Label", [Add(label)])
    assert not [record for record in caplog.records if record.exc_info]
    anna.annotations.edit(study.study_id, "Label", [Add(label)])
    assert anna.annotations.labels(study.study_id) == (label,)


def test_edits_without_the_server_are_kept_and_sent_once(
    anna: Library, bert: Library, shared: Shared, study: Study, tmp_path: Path
) -> None:
    anna.journal = Journal(tmp_path / "journal.jsonl")
    mark = Landmark("l-1", study.study_id, Region.COLON, 100, "anna")
    anna.annotations.edit(study.study_id, "Mark", [Add(mark)])
    shared.postgres.stop()
    try:
        for start in (0, 20):
            (edit,) = anna.annotations.edit_studies(
                "Label", {study.study_id: [Add(make_label(study.study_id, start, start + 5))]}
            )
            assert edit.edit_id == 0
        anna.annotations.edit(study.study_id, "Move", [Replace(mark, replace(mark, frame_index=90))])
    finally:
        shared.postgres.start()
    bert.annotations.edit(study.study_id, "Move too", [Replace(mark, replace(mark, frame_index=110))])
    anna.is_offline = False
    first = anna.journal.waiting[0]
    anna.annotations._write(first)  # as if the connection had broken after it was written
    anna.journal = Journal(tmp_path / "journal.jsonl")  # as if the program had been killed
    assert len(anna.journal.waiting) == 3
    assert anna.annotations.send_journal() == 2
    assert [label.span for label in bert.annotations.labels(study.study_id)] == [Span(0, 5), Span(20, 25)]
    assert [(entry.title, "bert" in entry.refused) for entry in anna.journal.entries] == [("Move", True)]
    assert bert.annotations.landmarks(study.study_id)[0].frame_index == 110
    assert (anna.audit.check().breaks, Journal(tmp_path / "journal.jsonl").entries) == ([], anna.journal.entries)


def test_a_line_of_the_journal_that_was_being_written_is_left_out(tmp_path: Path, study: Study) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    for when in ("2026-01-01", "2026-01-02"):
        journal.add(Entry(when, "Label", "anna", {study.study_id: (Add(make_label(study.study_id, 0, 5)),)}))
    text = (tmp_path / "journal.jsonl").read_text()
    (tmp_path / "journal.jsonl").write_text(text[:-30])
    assert [entry.when_utc for entry in Journal(tmp_path / "journal.jsonl").entries] == ["2026-01-01"]
    (tmp_path / "journal.jsonl").write_text("{}\n" + text)
    with pytest.raises(KeyError):
        Journal(tmp_path / "journal.jsonl")


def test_each_account_has_a_journal_of_its_own_and_a_damaged_one_is_a_sentence(tmp_path: Path, study: Study) -> None:
    Journal.of(tmp_path, "anna").add(Entry("2026-01-01", "Label", "anna", {study.study_id: ()}))
    assert len(Journal.of(tmp_path, "anna").entries) == 1
    assert Journal.of(tmp_path, "bert").entries == ()
    (file,) = tmp_path.glob("journal-*.jsonl")
    file.write_text("{}\n" + file.read_text())
    with pytest.raises(UserError, match="not yet on the server"):
        Journal.of(tmp_path, "anna")


def test_a_library_is_copied_to_the_server_and_back_row_by_row(
    folder: Path, library: Library, study: Study, shared: Shared, tmp_path: Path
) -> None:
    here = library.studies.add(tmp_path / "b.mp4", frame_count=500, fingerprint="b", patient_id="p-2")
    for start in range(0, 100, 10):
        library.annotations.edit(here.study_id, "Label", [Add(make_label(here.study_id, start, start + 5))])
    library.close()
    address = shared.postgres.address(shared.postgres.database())
    rows = copying.copy_library(folder, tmp_path / "there", address)
    assert server.folder_of(address) == tmp_path / "there"
    assert copying.copy_library(tmp_path / "there", tmp_path / "back") >= rows
    for place in (tmp_path / "there", tmp_path / "back"):
        with Library.open(place, "reader") as copied:
            assert len(copied.annotations.labels(here.study_id)) == 10
            copied.annotations.edit(here.study_id, "More", [Add(make_label(here.study_id, 200, 210))])
            check = copied.audit.check()
            assert (check.breaks, check.head.lines) == ([], len(copied.audit.entries()))


def test_an_address_with_a_password_and_a_folder_with_a_library_are_refused(
    postgres: Server, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="password"):
        copying.create("postgresql://anna:secret@server/library", tmp_path / "new")
    with pytest.raises(UserError, match="already"):
        copying.create(postgres.address(postgres.database()), folder)


def test_the_folder_names_the_server_without_the_account_that_made_the_library(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "OWN_ADDRESSES", {})
    monkeypatch.setattr(places, "remembered_file", lambda: tmp_path / "note.json")
    address, files = postgres.address(postgres.database()), tmp_path / "files"
    copying.create(f"{address}&sslcert=/home/carla/carla.crt", files)
    assert server.address_in(files) == address.replace("tests@", "")
    assert server.folder_of(address) == files
    places.remember_library(files)
    server.OWN_ADDRESSES.clear()
    assert places.default_library() == files
    assert server.address_in(files) == address


def test_a_new_library_has_a_model_that_its_readers_use(postgres: Server, tmp_path: Path) -> None:
    address = postgres.address(postgres.database())
    assert library_cli.main(["library", "create", address, "--files", str(tmp_path / "files")]) == 0
    with Library.open(server.folder_of(address), "") as library:
        assert library.models.current is not None


def test_a_folder_that_the_account_may_not_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.write_address(tmp_path, "postgresql://server/library")
    monkeypatch.setattr(os, "access", lambda *_: False)
    for step in (lambda: is_library(tmp_path), lambda: Library.open(tmp_path, "")):
        with pytest.raises(UserError, match="may not read"):
            step()


def test_the_certificate_of_the_server_is_asked_for_unless_the_address_says_otherwise() -> None:
    assert server.connection_url("postgresql://server/library").query["sslmode"] == "verify-full"
    assert server.connection_url("postgresql://server/library?sslmode=require").query["sslmode"] == "require"


@pytest.mark.parametrize(
    "step",
    [
        lambda library: library.back_up(),
        lambda library: backups.restore_backup(library.folder, library.folder / "backups" / "library-1.sqlite"),
        lambda library: moving.move_library(library.folder, library.folder.with_name("moved")),
        lambda library: encrypting.encrypt_library(library.folder, "four quiet words"),
    ],
)
def test_what_is_only_for_a_library_in_a_folder_says_what_to_use(
    anna: Library, step: Callable[[Library], object]
) -> None:
    with pytest.raises(UserError, match="on a server") as caught:
        step(anna)
    assert "library copy" in caught.value.hint


def test_an_item_that_another_reader_added_by_its_key_is_a_conflict(anna: Library, bert: Library, study: Study) -> None:
    """Also when it waited for the server: what the database refuses for good must not stop what comes after it."""
    texts = [
        ReportPart.new(study_id=study.study_id, kind="texts", content={"summary": words}, reader="r")
        for words in ("First", "Second")
    ]
    anna.annotations.edit(study.study_id, "Texts", [Add(texts[0])])
    with pytest.raises(ConflictError):
        bert.annotations.edit(study.study_id, "Texts", [Add(texts[1])])
    bert.journal = Journal.of(bert.folder, "bert")
    bert.is_offline = True
    bert.annotations.edit(study.study_id, "Texts", [Add(texts[1])])
    bert.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 5))])
    bert.is_offline = False
    assert bert.annotations.send_journal() == 1
    assert [bool(entry.refused) for entry in bert.journal.entries] == [True]
    assert len(anna.annotations.labels(study.study_id)) == 1


def hold_while(library: Library, step: Callable[[], object]) -> None:
    """Do nothing within a transaction while something else is done."""
    with library.writing("nothing") as connection:
        step()
        connection.exec_driver_sql("SELECT 1")


def test_a_computer_that_vanishes_in_a_transaction_keeps_nobody_waiting(
    anna: Library, bert: Library, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_WAIT_SECONDS", 1)
    bert.journal = Journal.of(bert.folder, "bert")
    with anna.writing("nothing"):
        bert.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 5))])
        assert len(bert.journal.waiting) == 1
    bert.is_offline = False
    assert bert.annotations.send_journal() == 1
    monkeypatch.undo()
    monkeypatch.setattr(server, "_VANISHED_SECONDS", 1)
    label = make_label(study.study_id, 10, 15)
    with pytest.raises(UnreachableLibraryError):
        hold_while(anna, lambda: bert.annotations.edit(study.study_id, "Label", [Add(label)]))
    assert label in bert.annotations.labels(study.study_id)


def test_what_a_killed_program_left_goes_with_the_next_opening_by_who_may_remove(
    postgres: Server, made_on_server: str, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    make_library(postgres.address(postgres.database(made_on_server)), folder)
    with Library.open(folder, "") as library:
        study_id = library.studies.add(tmp_path / "a.mp4", frame_count=10).study_id
    studies = folder / "studies"
    (studies / study_id).mkdir(exist_ok=True)
    (studies / study_id).rename(studies / f".{study_id}.deleted-1")  # its row is still there
    (studies / ".s-gone.deleted-1").mkdir()
    parts = [studies / study_id / name for name in (".index.npz.partial-99999999", ".map.json.partial-99999999")]
    with Library.open(folder, ""):
        assert sorted(path.name for path in studies.iterdir()) == [study_id]
        for part in parts:
            part.touch()
    os.utime(parts[0], (0, 0))
    Library.open(folder, "").close()
    assert [part.exists() for part in parts] == [False, True], "another computer may still write the other one"
