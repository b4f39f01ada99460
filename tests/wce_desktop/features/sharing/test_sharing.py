"""A window on a library on a server: changes of others, conflicts, and a server that goes away."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.postgres import Server, make_library
from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import answer_input, press, wait, window_on
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.features.sharing.unsent import UnsentDialog
from wce_desktop.features.studies.worklist_model import STATUS
from wce_desktop.library import Library
from wce_desktop.library.errors import ConflictError, UnreachableLibraryError
from wce_desktop.library.sharing import copying, listening
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import server
from wce_desktop.session.classes import change_vocabulary, library_vocabulary, reload_vocabulary
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs


@dataclass
class Desk:
    """A window on a shared library, and the library as another reader has it open."""

    window: MainWindow
    other: Library
    postgres: Server
    qtbot: QtBot
    name: str
    """Of the database."""

    def wait(self, condition: object) -> None:
        wait(self.qtbot, condition)  # type: ignore[arg-type]

    def press(self, key: Qt.Key) -> None:
        self.window.player.setFocus()
        QTest.keyClick(self.window.player, key)

    @property
    def labels(self) -> list[tuple[str, str]]:
        """Class and reader of the labels that the window shows."""
        reading = self.window.session.opened()
        return sorted((label.name, label.reader) for label in reading.entries.labels)

    @property
    def study_id(self) -> str:
        return self.window.session.open_id


@pytest.fixture
def desk(qtbot: QtBot, postgres: Server, tmp_path: Path) -> Iterator[Desk]:
    """A window on a shared library with a study open."""
    here = make_session(tmp_path)
    study_id = add_study(here, tmp_path).study_id
    here.library.close()
    name = postgres.database()
    copying.copy_library(here.library.folder, tmp_path / "shared", postgres.address(name))
    for account in ("reader", "other"):
        postgres.add_account(account)
    make_library(postgres.address(name, "reader"), tmp_path / "shared")
    library = Library.open(tmp_path / "shared", "")
    library.journal = Journal(tmp_path / "journal.jsonl")
    session = Session(library, here.settings, here.vocabulary)
    make_library(postgres.address(name, "other"), tmp_path / "other")
    with (
        Library.open(tmp_path / "other", "") as other,
        window_on(qtbot, session, library.studies.get(study_id)) as window,
    ):
        yield Desk(window, other, postgres, qtbot, name)


def test_a_label_of_another_reader_appears_with_their_name(desk: Desk) -> None:
    desk.press(Qt.Key.Key_1)
    desk.wait(lambda: desk.labels == [("polyp", "reader")])
    desk.other.annotations.edit(desk.study_id, "Label", [Add(make_label(desk.study_id, 5, 8, "blood"))])
    desk.wait(lambda: ("blood", "reader") in desk.labels)
    assert "other changed this study." in desk.window.workspace.messages.text


def test_edits_without_the_server_are_shown_kept_and_sent(desk: Desk, qtbot: QtBot) -> None:
    desk.postgres.stop()
    try:
        desk.press(Qt.Key.Key_1)
        desk.wait(lambda: desk.labels == [("polyp", "reader")])
        assert desk.window.saved.text() == "1 edit not yet on the server"
    finally:
        desk.postgres.start()
    journal = desk.window.session.library.journal
    assert journal is not None
    desk.wait(lambda: not journal.entries)
    assert [label.name for label in desk.other.annotations.labels(desk.study_id)] == ["polyp"]
    assert desk.window.saved.text().startswith("saved")
    press(desk.window, "undo")
    desk.wait(lambda: desk.labels == [])


def test_a_window_waits_for_the_server_without_an_error(desk: Desk) -> None:
    desk.postgres.stop()
    try:
        desk.window.workspace.guard(lambda: desk.window.session.library.studies.all())()
        assert "cannot be reached" in desk.window.workspace.messages.text
        desk.window._try_again()
        assert desk.window._reconnect_timer.isActive()
        desk.window.workspace.guard(lambda: desk.window.session.library.studies.all())()
        assert "is away" in desk.window.banner.error
    finally:
        desk.postgres.start()
    desk.wait(lambda: not desk.window.session.library.is_offline)
    desk.window._try_again()
    desk.wait(lambda: not desk.window._reconnect_timer.isActive())
    assert desk.window.banner.error == ""
    assert "can be reached again" in desk.window.banner.text


def test_what_failed_in_another_thread_while_the_server_was_away_is_taken_back(desk: Desk) -> None:
    desk.postgres.stop()
    try:
        library, shown = desk.window.session.library, desk.window.workspace.show_failure
        thread = FunctionThread(desk.window, failed=shown)
        thread.request(lambda _: library.studies.all())
        desk.wait(lambda: "cannot be reached" in desk.window.banner.error)
    finally:
        desk.postgres.start()
    desk.wait(lambda: not library.is_offline)
    desk.window._try_again()
    desk.wait(lambda: desk.window.banner.error == "")
    thread.close()


def test_a_server_that_goes_away_right_after_a_conflict_is_said(desk: Desk) -> None:
    def contradict() -> None:
        desk.postgres.stop()
        raise ConflictError("Nothing was saved: other changed the same place.", "The present state is shown now.")

    try:
        desk.window.workspace.guard(contradict)()
        assert "cannot be reached" in desk.window.workspace.messages.text
    finally:
        desk.postgres.start()
    desk.wait(lambda: not desk.window.session.library.is_offline)  # else closing would ask


def test_no_study_is_open_by_half_where_the_server_goes_away_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = desk.window.session
    study, index = session.opened().study, session.opened().index

    def go_away(_: object) -> None:
        desk.postgres.stop()
        session.library.studies.all()

    monkeypatch.setattr(session.edits, "reload_items", go_away)
    try:
        with pytest.raises(UnreachableLibraryError):
            session.open_study(study, index)
        assert session.reading is None
        monkeypatch.undo()
    finally:
        desk.postgres.start()
    desk.wait(lambda: not session.library.is_offline)
    session.open_study(study, index)
    assert desk.study_id == study.study_id


def test_an_edit_that_another_reader_contradicts_is_listed_and_can_be_discarded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[tuple[str, bool]] = []

    def discard(dialog: UnsentDialog) -> bool:
        why = dialog.table.item(0, 2)
        listed.append(("" if why is None else why.text(), dialog.discard.isEnabled()))
        dialog.table.selectRow(0)
        dialog.discard.click()
        return False

    monkeypatch.setattr(UnsentDialog, "exec", discard)
    monkeypatch.setattr(dialogs, "agrees", lambda *_: True)
    changes, may_connect = listening.changes, threading.Event()

    def connect(*given: Any, **further: Any) -> Iterator[Mapping[str, Any]]:
        if not may_connect.is_set():
            raise server.lost_error()
        yield from changes(*given, **further)

    monkeypatch.setattr(listening, "changes", connect)
    desk.postgres.stop()
    try:
        desk.press(Qt.Key.Key_1)
    finally:
        desk.postgres.start()
    frame = desk.window.session.opened().place.frame_index
    desk.other.annotations.edit(desk.study_id, "Theirs", [Add(make_label(desk.study_id, frame, frame + 3))])
    may_connect.set()
    desk.wait(lambda: bool(listed))
    ((why, can_discard),) = listed
    assert "other" in why
    assert not can_discard
    assert [label.span.stop for label in desk.window.session.opened().entries.labels] == [frame + 3]
    journal = desk.window.session.library.journal
    assert journal is not None
    assert journal.entries == ()
    assert desk.window.saved.text().startswith("saved")


def test_the_timeline_shows_labels_also_where_somebody_fails_who_was_told_of_them(desk: Desk) -> None:
    def fail(_edit: object) -> None:
        raise UserError("The server is away.", "Wait.")

    session, shown = desk.window.session, desk.window.workspace.timeline.content.labels
    session.annotations_changed.connect(fail)
    slots = session.annotations_changed._slots
    slots.insert(0, slots.pop())  # is told first
    desk.press(Qt.Key.Key_1)
    desk.press(Qt.Key.Key_2)
    session.annotations_changed.disconnect(fail)
    desk.press(Qt.Key.Key_1)  # takes off what the timeline does not show
    desk.wait(lambda: len(desk.labels) == 1)
    assert [name for name, spans in shown.items() if spans.starts.size] == [desk.labels[0][0]]


def test_what_a_server_does_not_offer_is_a_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_input(monkeypatch, "server/library")
    press(desk.window, "open_shared_library")
    assert "is no address of a shared library" in desk.window.workspace.messages.text
    press(desk.window, "encrypt_library")
    assert "on a server" in desk.window.workspace.messages.text
    press(desk.window, "show_unsent")
    assert "Every edit is in the library" in desk.window.workspace.messages.text


def test_classes_of_another_reader_appear_and_are_not_overwritten(desk: Desk) -> None:
    here, folder = desk.window.session, desk.window.session.library.folder
    base = here.vocabulary.classes
    there = Session(desk.other, here.settings, library_vocabulary(folder))
    desk.other.folder = folder  # both reach the same files
    added = (*base, replace(base[-1], name="xanthoma", key="", title="Xanthoma"))
    change_vocabulary(here, tuple(replace(one, key="") for one in base))
    with pytest.raises(ConflictError, match="reader changed the same place"):
        change_vocabulary(there, added, base)
    reload_vocabulary(there)
    change_vocabulary(there, (*there.vocabulary.classes, added[-1]))
    desk.wait(lambda: "xanthoma" in here.vocabulary)


def test_who_else_reads_is_shown_in_the_study_and_in_the_lists(desk: Desk) -> None:
    address, ended = desk.postgres.address(desk.name, "other"), threading.Event()

    def check() -> None:
        if ended.is_set():
            raise InterruptedError

    def read() -> None:
        with suppress(InterruptedError):
            list(listening.changes(desk.other.engine, address, check, lambda: desk.study_id))

    press(desk.window, "show_worklist")
    worklist = desk.window.features.studies.worklist.window
    thread = threading.Thread(target=read)
    thread.start()
    others = desk.window.features.sharing.others
    desk.wait(lambda: others.text() == "Also read by other now")
    assert others.isVisibleTo(desk.window)
    assert "· read by other now" in worklist.model.index(0, STATUS).data()
    ended.set()
    thread.join()
    desk.wait(lambda: not others.isVisibleTo(desk.window))
    assert "other" not in worklist.model.index(0, STATUS).data()


def test_a_second_reader_of_a_shared_library_opens_their_own_reading(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.study_id
    label = replace(make_label(first, 5, 8, "blood"), reader="first")
    desk.other.annotations.edit(first, "Label", [Add(label)])
    answer_input(monkeypatch, "nobody")
    press(desk.window, "second_reading")
    assert "is no account that reads" in desk.window.workspace.messages.text
    answer_input(monkeypatch, "other")
    press(desk.window, "second_reading")
    assert "other can read this study as a second reader" in desk.window.workspace.messages.text
    assert desk.study_id == first
    answer_input(monkeypatch, "reader")
    press(desk.window, "second_reading")
    desk.wait(lambda: desk.study_id not in ("", first))
    assert desk.labels == []
    second = desk.study_id
    press(desk.window, "compare_readings")
    assert "is hidden until yours is finished" in desk.window.workspace.messages.text
    desk.window.features.studies.open_study(desk.window.session.library.studies.get(first))
    assert desk.study_id == second
