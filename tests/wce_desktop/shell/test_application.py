"""Starting the program on libraries that cannot be opened: a sentence, 1, and the last backup where one helps."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog
from wce_desktop.library import DamagedLibraryError, Library, LostDatabaseError
from wce_desktop.library.backup import backup_file, backups, copies
from wce_desktop.library.storage import encrypting, key_file, sqlite_file
from wce_desktop.shell import application, restore_dialog
from wce_desktop.shell.application import open_session, open_session_or_backup, run
from wce_desktop.shell.restore_dialog import RestoreDialog
from wce_desktop.widgets.dialogs import PassphraseDialog


class Dialogs:
    """What the program asked and told, and what a person does with the question."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.told: list[str] = []
        self.listed: list[list[str]] = []
        self.act: Callable[[RestoreDialog], object] = lambda dialog: dialog.leave.click()
        monkeypatch.setattr(QMessageBox, "exec", lambda box: self.told.append(box.text()))


def restore(dialog: RestoreDialog) -> None:
    """Press the button that is the default."""
    assert dialog.restore.isDefault()
    dialog.restore.click()


@pytest.fixture
def dialogs(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Dialogs:
    monkeypatch.setattr(application, "start_logging", lambda _: None)
    made = Dialogs(monkeypatch)

    def execute(dialog: RestoreDialog) -> int:
        made.asked.append(dialog.findChildren(QLabel)[0].text())
        table = dialog.table
        rows, columns = range(table.rowCount()), range(table.columnCount())
        cells = [[item.text() for column in columns if (item := table.item(row, column))] for row in rows]
        made.listed = [cell[1:] for cell in cells]
        made.act(dialog)
        return dialog.result()

    monkeypatch.setattr(RestoreDialog, "exec", execute)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library with a study, a label, and a backup that holds both."""
    place = tmp_path / "library"
    with Library.open(place, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        label = Label(label_id="L1", study_id=study_id, span=Span(0, 5), name="polyp", source="reader", reader="reader")
        library.annotations.edit(study_id, "Label 5 frames polyp", [Add(label)])
    assert backups.backup(place, always=True) is not None
    return place


def damage(folder: Path) -> bytes:
    """Overwrite the database, as a bad disk does; returns what stands there now."""
    (folder / "library.sqlite").write_bytes(b"\xa5" * 40_000)
    return (folder / "library.sqlite").read_bytes()


def start(folder: Path, *, screenshot: Path | None = None) -> int:
    """Start the program on this library; only for starts that fail."""
    return run([], folder, False, screenshot, None)


def test_a_damaged_database_comes_back_from_its_last_backup(dialogs: Dialogs, folder: Path) -> None:
    broken = damage(folder)
    dialogs.act = restore
    session = open_session_or_backup(folder)
    (study,) = session.library.studies.all()
    assert [label.name for label in session.library.annotations.labels(study.study_id)] == ["polyp"]
    session.library.close()
    (asked,) = dialogs.asked
    assert "is damaged and cannot be opened" in asked
    assert dialogs.listed == [["1", "1", "0", "newest, most labels"]]
    (kept,) = folder.glob("library.damaged-*.sqlite")
    assert kept.read_bytes() == broken


def test_who_declines_the_backup_gets_the_sentence_and_the_file_stays(
    dialogs: Dialogs, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = damage(folder)
    assert start(folder) == 1
    assert len(dialogs.asked) == 1
    assert "is damaged and cannot be opened" in dialogs.told[0]
    assert capsys.readouterr().err.strip() == dialogs.told[0]
    assert (folder / "library.sqlite").read_bytes() == broken


def test_without_a_backup_a_copy_is_offered(
    dialogs: Dialogs, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (disk := tmp_path / "disk").mkdir()
    copies.copy_newest(folder, disk)
    broken = damage(folder)
    for backup in backup_file.list_backups(folder):
        backup.unlink()
    assert start(folder) == 1
    assert "There is no backup of it" in dialogs.told[0]
    assert dialogs.listed == []

    def choose_copy(dialog: CopiesDialog) -> int:
        QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(disk))
    monkeypatch.setattr(CopiesDialog, "exec", choose_copy)
    dialogs.act = lambda dialog: QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    session = open_session_or_backup(folder)
    (study,) = session.library.studies.all()
    assert [label.name for label in session.library.annotations.labels(study.study_id)] == ["polyp"]
    session.library.close()
    (kept,) = folder.glob("library.damaged-*.sqlite")
    assert kept.read_bytes() == broken


def test_nobody_is_asked_while_a_picture_is_wanted(
    dialogs: Dialogs, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(folder)
    assert start(folder, screenshot=tmp_path / "a.png") == 1
    assert (dialogs.asked, dialogs.told) == ([], [])
    assert "is damaged" in capsys.readouterr().err


def test_a_library_of_a_newer_schema_is_left_alone(
    dialogs: Dialogs, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = '0999'")
    before = (folder / "library.sqlite").read_bytes()
    assert start(folder) == 1
    said = capsys.readouterr().err
    assert "newer version of the application" in said
    assert said.count("\n") == 1
    assert dialogs.told == [said.strip()]
    assert (folder / "library.sqlite").read_bytes() == before


def test_a_second_window_on_the_same_library(
    dialogs: Dialogs, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(folder, "first") as first:
        assert start(folder) == 1
        said = capsys.readouterr().err
        assert "already open in another window" in said
        assert said.count("\n") == 1
        (study,) = first.studies.all()
        assert len(first.annotations.labels(study.study_id)) == 1
    open_session(folder).library.close()


def test_a_folder_that_cannot_be_made(dialogs: Dialogs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes").write_text("a file, where the folder should be", encoding="utf-8")
    assert start(tmp_path / "notes" / "library") == 1
    said = capsys.readouterr().err
    assert "cannot be written" in said
    assert "--library" in said
    assert said.count("\n") == 1


def test_damaged_settings_do_not_keep_the_library_closed(dialogs: Dialogs, folder: Path) -> None:
    (folder / "settings.json").write_text("{", encoding="utf-8")
    session = open_session(folder)
    assert session.settings.problem is not None
    assert "reset to their defaults" in session.settings.problem
    session.library.close()


def test_a_restored_backup_that_is_damaged_too_is_not_asked_for_again(
    dialogs: Dialogs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(folder)
    dialogs.act = restore
    monkeypatch.setattr(restore_dialog, "restore_backup", lambda *_, **__: None)
    with pytest.raises(DamagedLibraryError):
        open_session_or_backup(folder)
    assert len(dialogs.asked) == 1


@pytest.mark.parametrize("is_there", [True, False])
def test_a_lost_database_asks_for_restoring(dialogs: Dialogs, folder: Path, is_there: bool) -> None:
    (folder / "library.sqlite").unlink()
    if is_there:
        (folder / "library.sqlite").touch()
    dialogs.act = restore
    session = open_session_or_backup(folder)
    assert len(session.library.annotations.labels(session.library.studies.all()[0].study_id)) == 1
    session.library.close()
    assert "has no database" in dialogs.asked[0]
    assert dialogs.listed == [["1", "1", "0", "newest, most labels"]]


def test_a_lost_database_without_a_window_is_a_sentence(
    dialogs: Dialogs, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "library.sqlite").unlink()
    assert start(folder, screenshot=tmp_path / "a.png") == 1
    assert "wce-desktop restore --library" in capsys.readouterr().err
    assert (dialogs.asked, dialogs.told) == ([], [])
    assert not (folder / "library.sqlite").exists()


def test_starting_empty_takes_a_second_yes_and_keeps_what_is_there(
    dialogs: Dialogs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "library.sqlite").unlink()
    asked: list[object] = []
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]

    def question(box: QMessageBox) -> object:
        asked.append(box.standardButton(box.defaultButton()))
        return answers.pop(0)

    monkeypatch.setattr(QMessageBox, "exec", question)
    kept = backup_file.list_backups(folder)

    def insist(dialog: RestoreDialog) -> None:
        dialog.empty.click()
        assert dialog.step is None
        dialog.empty.click()

    dialogs.act = insist
    session = open_session_or_backup(folder)
    assert session.library.studies.all() == ()
    session.library.close()
    assert asked[0] == QMessageBox.StandardButton.No  # what Enter chooses
    assert set(kept) <= set(backup_file.list_backups(folder))


def test_another_library_can_be_chosen_instead(
    dialogs: Dialogs, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "library.sqlite").unlink()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "other"))
    dialogs.act = lambda dialog: dialog.choose.click()
    session = open_session_or_backup(folder)
    assert session.library.folder == tmp_path / "other"
    session.library.close()
    assert not (folder / "library.sqlite").exists()


def test_choosing_the_same_library_again_leaves_the_question_open(
    dialogs: Dialogs, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "library.sqlite").unlink()
    chosen = iter([folder, tmp_path / "other"])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(next(chosen)))

    def insist(dialog: RestoreDialog) -> None:
        dialog.choose.click()
        assert dialog.step is None
        dialog.choose.click()

    dialogs.act = insist
    session = open_session_or_backup(folder)
    assert session.library.folder == tmp_path / "other"
    session.library.close()


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_library_that_lost_labels_says_so_and_offers_its_backup(
    dialogs: Dialogs, folder: Path, is_wanted: bool
) -> None:
    Library.open(folder.with_name("poor"), "reader").close()
    (folder / "library.sqlite").write_bytes((folder.with_name("poor") / "library.sqlite").read_bytes())
    if is_wanted:
        dialogs.act = restore
    session = open_session_or_backup(folder)
    assert len(session.library.studies.all()) == (1 if is_wanted else 0)
    session.library.close()
    assert "1 fewer label, 1 fewer study than its backup of" in dialogs.asked[0]
    open_session_or_backup(folder).library.close()
    assert len(dialogs.asked) == 1


def test_a_replaced_database_and_a_backup_with_an_earlier_passphrase_are_offered(
    folder: Path, dialogs: Dialogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups.restore_backup(folder)
    for backup in backup_file.list_backups(folder):
        encrypting.convert(backup, key_file.make(folder, "earlier words"))
    key_file.set_aside(folder)
    (folder / "library.sqlite").unlink()
    with pytest.raises(LostDatabaseError):
        open_session_or_backup(folder)
    assert [row[0] for row in dialogs.listed] == ["–", "–", "1"]
    assert [row[-1] for row in dialogs.listed] == ["needs an earlier passphrase"] * 2 + ["replaced database"]
    typed: list[str] = []

    def execute(dialog: PassphraseDialog) -> int:
        typed.append("earlier words")
        dialog.inputs[0].setText(typed[0])
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(PassphraseDialog, "exec", execute)

    def restore_oldest(dialog: RestoreDialog) -> None:
        dialog.table.selectRow(1)
        dialog.restore.click()

    dialogs.act = restore_oldest
    session = open_session_or_backup(folder)
    assert typed
    (study,) = session.library.studies.all()
    assert len(session.library.annotations.labels(study.study_id)) == 1
    session.library.close()
    key_file.lock(folder)


def change(folder: Path) -> None:
    """Add a trigger to the database, as another program may."""
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw:
        raw.execute("CREATE TRIGGER emptying AFTER INSERT ON audit BEGIN DELETE FROM labels; END")


def test_a_database_that_another_program_changed_is_kept_without_the_changes(
    dialogs: Dialogs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(folder)
    for answer, is_open in ((QMessageBox.StandardButton.No, False), (QMessageBox.StandardButton.Yes, True)):
        monkeypatch.setattr(QMessageBox, "exec", lambda _, answer=answer: answer)
        dialogs.act = lambda dialog: dialog.keep.click()
        if is_open:
            session = open_session_or_backup(folder)
            (study,) = session.library.studies.all()
            assert [label.name for label in session.library.annotations.labels(study.study_id)] == ["polyp"]
            session.library.close()
        else:
            assert start(folder) == 1
    assert all("“emptying”" in asked for asked in dialogs.asked)


def test_a_plain_database_in_the_place_of_an_encrypted_one_is_replaced_by_the_backup(
    dialogs: Dialogs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = (folder / "library.sqlite").read_bytes()
    encrypting.encrypt_library(folder, "four quiet words")
    key_file.lock(folder)
    (folder / "library.sqlite").write_bytes(plain)

    def unlock(place: Path) -> bool:
        key_file.unlock(place, "four quiet words")
        return True

    monkeypatch.setattr(application, "ask_to_unlock", unlock)
    dialogs.act = restore
    session = open_session_or_backup(folder)
    session.library.close()
    key_file.lock(folder)
    assert "its database is not" in dialogs.asked[0]
    assert sqlite_file.is_encrypted(folder / "library.sqlite")
