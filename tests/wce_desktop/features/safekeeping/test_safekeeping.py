"""Restoring a backup, moving the library, copies, the check and the passphrase, each through the real window."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait
from wce_desktop.features.safekeeping import library_dialogs
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog
from wce_desktop.library import Library
from wce_desktop.library.backup import copies
from wce_desktop.library.storage import encrypting, key_file, sqlite_file
from wce_desktop.session import places
from wce_desktop.shell import application
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.shell.restore_dialog import RestoreDialog
from wce_desktop.widgets.dialogs import PassphraseDialog

PASSPHRASE = "four quiet words"


class Reader:
    """Who sits before the window, which is closed and opened again on the way."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self._qtbot = qtbot
        session = make_session(folder)
        self.study_id = add_study(session, folder).study_id
        self.window = MainWindow(session)
        self.window.resize(1280, 800)
        self.window.show()
        self.open_study()

    def open_study(self) -> None:
        session = self.window.session
        self.window.features.studies.open_study(session.library.studies.get(self.study_id))
        self.wait(lambda: session.reading is not None and self.window.is_idle)

    def wait(self, condition: object) -> None:
        wait(self._qtbot, condition)  # type: ignore[arg-type]

    def press_keys(self, keys: str) -> None:
        self.window.player.setFocus()
        QTest.keyClicks(self.window.player, keys)

    def reopen(self) -> None:
        """What the program does after the window was closed for work on the library."""
        assert self.window.reopening is not None
        assert not self.window.isVisible()
        self.window = application.reopen(self.window)
        self.window.session.ask_reader = None  # who works here
        self.wait(lambda: self.window.is_idle)

    @property
    def labels(self) -> list[tuple[str, int]]:
        return sorted(
            (label.name, label.span.start) for label in self.window.session.library.annotations.labels(self.study_id)
        )

    def leave(self) -> None:
        self.window.jobs.shut_down()
        self.window.close()
        self.window.deleteLater()


@pytest.fixture
def reader(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.setattr(places, "remembered_file", lambda: tmp_path / "config" / "library.json")

    def agree(box: QMessageBox) -> QMessageBox.StandardButton:
        if not box.button(QMessageBox.StandardButton.Yes):
            pytest.fail(box.text())
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "exec", agree)
    monkeypatch.setattr(application, "catch_bugs", lambda _: None)
    made = Reader(qtbot, tmp_path)
    yield made
    made.leave()
    for folder in list(key_file._held):
        key_file.lock(folder)


def choose(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))


def fill_in(monkeypatch: pytest.MonkeyPatch, *texts: str) -> list[str]:
    """Type into the next passphrase dialog and press Return; returns the problems that it showed."""
    problems: list[str] = []

    def execute(dialog: PassphraseDialog) -> int:
        for field, text in zip(dialog.inputs, texts, strict=True):
            QTest.keyClicks(field, text)
        dialog.confirmed.setChecked(True)
        QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
        problems.append(dialog.problem.text())
        return dialog.result()

    monkeypatch.setattr(PassphraseDialog, "exec", execute)
    return problems


def test_a_backup_is_compared_and_restored(reader: Reader) -> None:
    reader.press_keys("4")
    reader.window.session.library.back_up()
    reader.press_keys("1")
    assert len(reader.labels) == 2
    press(reader.window, "show_backups")
    window = reader.window.features.safekeeping.backups_window
    assert window is not None
    reader.wait(lambda: window.restore.isEnabled())
    assert window.summary.text().splitlines() == ["Comes back: nothing.", "Goes: 1 label.", "Changes: nothing."]
    row = [item.text() for column in range(4) if (item := window.changes.item(0, column))]
    assert row[:3] == ["goes", "label", "polyp, frame 1"]
    QTest.mouseClick(window.restore, Qt.MouseButton.LeftButton)
    reader.reopen()
    assert reader.labels == [("blood", 0)]
    assert "was restored" in reader.window.banner.text
    press(reader.window, "show_backups")  # the way back: what was there before is the newest but one
    window = reader.window.features.safekeeping.backups_window
    assert window is not None
    reader.wait(lambda: window.restore.isEnabled())
    window.backups.selectRow(1)
    reader.wait(lambda: "Comes back: 1 label." in window.summary.text())


def test_a_moved_library_opens_in_its_new_place_with_all_it_holds(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.press_keys("4")
    old, new = tmp_path / "library", tmp_path / "elsewhere" / "library"
    new.mkdir(parents=True)
    choose(monkeypatch, tmp_path)
    press(reader.window, "move_library")
    assert "inside the library, or around it" in reader.window.banner.text
    choose(monkeypatch, new)
    press(reader.window, "move_library")
    reader.reopen()
    assert reader.window.session.library.folder == new
    assert not old.exists()
    assert places.default_library() == new
    reader.open_study()
    reading = reader.window.session.reading
    assert reading is not None
    assert reading.flags.scores is not None  # the file of embeddings was found again
    assert reader.labels == [("blood", 0)]
    model = reader.window.session.current_model
    assert model is not None
    assert model.folder.is_relative_to(new)
    reader.press_keys("1")
    assert len(reader.labels) == 2


def test_another_library_that_cannot_be_opened_leaves_the_present_one(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: told.append(box.text()))
    monkeypatch.setattr(RestoreDialog, "exec", lambda dialog: dialog.reject())
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    choose(monkeypatch, other)
    press(reader.window, "open_library")
    assert "There is no library" in reader.window.banner.text
    (other / "library.sqlite").write_bytes(b"no database" * 1000)
    press(reader.window, "open_library")
    reader.reopen()
    assert "damaged" in told[0]
    assert reader.window.session.library.folder == tmp_path / "library"


def test_backups_are_copied_to_a_chosen_folder(reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feature, disk = reader.window.features.safekeeping, tmp_path / "disk"
    disk.mkdir()
    press(reader.window, "show_backups")
    window = feature.backups_window
    assert window is not None
    choose(monkeypatch, disk)
    QTest.mouseClick(window.choose, Qt.MouseButton.LeftButton)
    reader.wait(lambda: not feature.is_busy)
    assert len(list(disk.rglob("library-*.sqlite"))) == 1
    assert "There: 1 copy" in window.copies.text()
    disk.rename(tmp_path / "unplugged")
    feature.copy_if_due()
    reader.wait(lambda: not feature.is_busy)
    assert "could not be copied" in reader.window.banner.text
    assert "could not be copied" in window.copies.text()
    assert not disk.exists()  # the disk's place stays empty


def test_a_copy_in_another_folder_is_unlocked_compared_and_restored(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(tmp_path / "lost", "reader") as lost:
        lost.studies.add(tmp_path / "b.mp4", study_id="lost-study", frame_count=10)
        lost.reports.keep("lost-study", 1, html=b"html", pdf=b"%PDF", reader="reader", acknowledged={})
        lost.back_up()
    encrypting.encrypt_library(tmp_path / "lost", PASSPHRASE)
    (disk := tmp_path / "disk").mkdir()
    copies.copy_newest(tmp_path / "lost", disk)
    key_file.lock(tmp_path / "lost")
    shutil.rmtree(tmp_path / "lost")
    problems = fill_in(monkeypatch, PASSPHRASE)
    choose(monkeypatch, disk)

    def choose_copy(dialog: CopiesDialog) -> int:
        QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(CopiesDialog, "exec", choose_copy)
    press(reader.window, "show_backups")
    window = reader.window.features.safekeeping.backups_window
    assert window is not None
    QTest.mouseClick(window.other, Qt.MouseButton.LeftButton)
    assert problems == [""]
    reader.wait(lambda: window.restore.isEnabled())
    assert "Comes back: 1 study" in window.summary.text()
    QTest.mouseClick(window.restore, Qt.MouseButton.LeftButton)
    reader.reopen()
    library = reader.window.session.library
    assert [study.study_id for study in library.studies.all()] == ["lost-study"]
    library.reports.signed("lost-study")[0].check()
    assert not key_file.is_protected(library.folder)
    reader.study_id = "lost-study"


def test_the_check_reads_all_and_names_what_is_damaged(reader: Reader) -> None:
    press(reader.window, "check_library")
    window = reader.window.features.safekeeping.check_window
    assert window is not None
    reader.wait(lambda: window.again.isEnabled())
    assert window.summary.text().endswith("no problems.")
    model = reader.window.session.current_model
    assert model is not None
    reading = reader.window.session.reading
    assert reading is not None
    scores = reader.window.session.files(reading.study).scores_path(model.model_id)
    scores.write_bytes(scores.read_bytes()[: scores.stat().st_size // 2])
    QTest.mouseClick(window.again, Qt.MouseButton.LeftButton)
    QTest.mouseClick(window.stop, Qt.MouseButton.LeftButton)
    assert "Stopped" in window.summary.text()
    QTest.mouseClick(window.again, Qt.MouseButton.LeftButton)
    reader.wait(lambda: window.again.isEnabled())
    assert "1 problem" in window.summary.text()
    assert "scores of Model 1" in window.report.toPlainText()


def test_the_library_is_encrypted_locked_and_opened_with_its_passphrase(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.press_keys("4")
    folder = tmp_path / "library"
    problems = fill_in(monkeypatch, PASSPHRASE, "another one")
    press(reader.window, "encrypt_library")
    assert problems == ["The two new passphrases differ."]
    fill_in(monkeypatch, PASSPHRASE, PASSPHRASE)
    press(reader.window, "encrypt_library")
    reader.reopen()
    assert sqlite_file.is_encrypted(folder / "library.sqlite")
    assert reader.labels == [("blood", 0)]
    press(reader.window, "lock_library")
    problems = fill_in(monkeypatch, PASSPHRASE)
    reader.reopen()
    assert problems == [""]
    assert reader.labels == [("blood", 0)]
    problems = fill_in(monkeypatch, "a wrong one", "a new passphrase", "a new passphrase")
    press(reader.window, "change_passphrase")
    assert "not the passphrase" in problems[0]
    fill_in(monkeypatch, PASSPHRASE, "a new passphrase", "a new passphrase")
    press(reader.window, "change_passphrase")
    assert reader.window.banner.text == "The passphrase was changed."
    fill_in(monkeypatch, "a new passphrase")
    press(reader.window, "decrypt_library")
    reader.reopen()
    assert not key_file.is_protected(folder)
    assert reader.labels == [("blood", 0)]


def test_what_stays_readable_and_that_nothing_recovers_a_passphrase_is_said_before(qtbot: QtBot) -> None:
    dialog = PassphraseDialog("T", library_dialogs.READABLE, ("New passphrase",), print, ok="OK", repeated=True)
    qtbot.addWidget(dialog)
    texts = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "cannot be recovered" in texts
    encrypted, readable = (part.partition("Not encrypted:")[at] for part in [texts] for at in (0, 2))
    assert "signed reports" in encrypted
    assert "exports (also reports that you save)" in readable
    assert not dialog.ok.isEnabled()


def test_a_backup_with_an_earlier_passphrase_is_compared_and_restored_once_that_is_entered(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The encryption was removed, and one backup could not be decrypted."""
    folder = reader.window.session.library.folder
    reader.press_keys("4")
    backup = reader.window.session.library.back_up()
    assert backup is not None
    encrypting.allow_plain(folder)
    encrypting.convert(backup, key_file.make(folder, PASSPHRASE))
    key_file.set_aside(folder)
    reader.press_keys("1")
    typed = ["another passphrase", PASSPHRASE]
    problems: list[str] = []

    def execute(dialog: PassphraseDialog) -> int:
        while not dialog.result():
            dialog.inputs[0].setText(typed.pop(0))
            dialog.accept()
            problems.append(dialog.problem.text())
        return dialog.result()

    monkeypatch.setattr(PassphraseDialog, "exec", execute)
    press(reader.window, "show_backups")
    window = reader.window.features.safekeeping.backups_window
    assert window is not None
    assert "earlier passphrase" in window.summary.text()
    assert not window.restore.isEnabled()
    QTest.mouseClick(window.unlock, Qt.MouseButton.LeftButton)
    assert "not the passphrase" in problems[0]
    reader.wait(lambda: window.restore.isEnabled())
    assert "Goes: 1 label." in window.summary.text()
    assert not window.unlock.isEnabled()
    QTest.mouseClick(window.restore, Qt.MouseButton.LeftButton)
    reader.reopen()
    assert reader.labels == [("blood", 0)]
    assert not key_file.is_protected(folder)
