"""The first start asks three things, by keys alone; it can be skipped and does not come again."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.controls import jumps_back, unnamed, unreachable
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog
from wce_desktop.library import Library
from wce_desktop.library.backup import copies
from wce_desktop.session.places import default_library, usual_library
from wce_desktop.session.settings import Settings
from wce_desktop.shell import first_start
from wce_desktop.shell.application import open_session_or_backup
from wce_desktop.shell.first_start import FirstStartDialog, ask_first, is_first_start
from wce_desktop.shell.restore_dialog import restore_copy


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path) -> FirstStartDialog:
    made = FirstStartDialog(tmp_path / "library")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def press(key: Qt.Key) -> None:
    """Press a key wherever the focus is."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


def test_three_steps_by_keys(dialog: FirstStartDialog, tmp_path: Path) -> None:
    assert dialog.step.text() == "Step 1 of 3"
    dialog.folder.setText(str(tmp_path / "elsewhere"))
    press(Qt.Key.Key_Return)
    QTest.keyClicks(dialog.reader, "Dr. Example")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    assert dialog.choices == first_start.FirstChoices(tmp_path / "elsewhere", "Dr. Example", "own")


def test_every_step_can_be_used_without_mouse_and_screen(dialog: FirstStartDialog) -> None:
    for page in range(3):
        dialog._show_page(page)
        assert [*unnamed(dialog), *unreachable(dialog), *jumps_back(dialog)] == []


@pytest.mark.parametrize("folder", ["relative/folder", "/proc/library", "/dev/null/library"])
def test_a_folder_that_cannot_hold_a_library_is_refused(dialog: FirstStartDialog, folder: str) -> None:
    dialog.folder.setText(folder)
    press(Qt.Key.Key_Return)
    assert dialog.pages.currentIndex() == 0
    assert dialog.problem.text().endswith(".")


def test_what_was_chosen_is_kept_and_not_asked_again(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    def choose(dialog: FirstStartDialog) -> int:
        dialog.folder.setText(str(tmp_path / "chosen"))
        dialog.reader.setText("Dr. Example")
        dialog.accept()
        return 1

    assert is_first_start(default_library())
    monkeypatch.setattr(FirstStartDialog, "exec", choose)
    assert ask_first(usual_library()).opening == "demo"
    assert default_library() == tmp_path / "chosen"
    assert Settings(default_library() / "settings.json")["reader"] == "Dr. Example"
    assert not is_first_start(default_library())


def test_skipping_leaves_all_as_usual(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(FirstStartDialog, "exec", lambda dialog: dialog.reject())
    assert ask_first(usual_library()) == first_start.FirstChoices(usual_library())
    assert default_library() == usual_library()
    assert not is_first_start(default_library())


def test_a_copy_can_be_restored_at_the_first_start(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    """On a new computer there is nothing but the folder of copies."""
    with Library.open(tmp_path / "lost", "reader") as lost:
        lost.studies.add(tmp_path / "b.mp4", study_id="S1", frame_count=10)
        lost.back_up()
    Settings(tmp_path / "lost" / "settings.json").set("reader", "Dr. Example")
    (disk := tmp_path / "disk").mkdir()
    copies.copy_newest(tmp_path / "lost", disk)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(disk))

    def choose_copy(dialog: CopiesDialog) -> int:
        QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
        return dialog.result()

    def execute(dialog: FirstStartDialog) -> int:
        QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(CopiesDialog, "exec", choose_copy)
    monkeypatch.setattr(FirstStartDialog, "exec", execute)
    choices = ask_first(tmp_path / "library")
    assert choices.recovery is not None
    restore_copy(choices.recovery, choices.library)
    session = open_session_or_backup(choices.library)
    assert [study.study_id for study in session.library.studies.all()] == ["S1"]
    assert session.library.reader == "Dr. Example"
    session.library.close()


def test_who_trains_begins_at_the_research_desk(dialog: FirstStartDialog) -> None:
    assert dialog.reads.isChecked()
    press(Qt.Key.Key_Return)
    dialog.trains.click()
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Return)
    assert dialog.choices.desk == "research"
