"""Changing keys in the settings, through the real window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.learning.feature import ModelPanel
from wce_desktop.session import keys
from wce_desktop.session.actions import ACTIONS
from wce_desktop.session.settings import Settings
from wce_desktop.shell.keys_dialog import KeysDialog, keys_page
from wce_desktop.shell.keys_page import KeysPage
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.shell.settings_dialog import SettingsDialog

CONTROL = Qt.KeyboardModifier.ControlModifier


def change_keys(window: MainWindow, step: Callable[[KeysPage], None]) -> None:
    """Open the settings by their key, change keys as `step` does, and save."""

    failures: list[BaseException] = []

    def drive() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, SettingsDialog)
        try:
            dialog.tabs.setCurrentWidget(dialog.keys)
            step(dialog.keys)
            buttons = dialog.findChild(QDialogButtonBox)
            assert buttons is not None
            buttons.button(QDialogButtonBox.StandardButton.Save).click()
        except BaseException as error:
            failures.append(error)
            dialog.reject()

    QTimer.singleShot(0, window, drive)
    press(window, "show_settings")
    if failures:
        raise failures[0]
    window.activateWindow()
    window.player.setFocus()


def give(
    page: KeysPage, words: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Search for an action and press a new key for it."""
    page.search.setText(words)
    page.change.click()
    QTest.keyClick(page.change, key, modifiers)


def test_a_key_changed_in_the_settings_works_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:

        def swap(page: KeysPage) -> None:
            give(page, "new finding", Qt.Key.Key_F13)
            give(page, window.menus.titles["label_3"], Qt.Key.Key_F14)
            give(page, "next flag not answered", Qt.Key.Key_Tab)
            assert "Tab moves to the next control" in page.said.text()
            give(page, "redo", Qt.Key.Key_Z, CONTROL)
            assert "“Undo”" in page.said.text()
            assert not page.take.isHidden()
            page.take.click()
            give(page, "undo", Qt.Key.Key_B, CONTROL)

        change_keys(window, swap)
        wait(qtbot, window.isActiveWindow)
        actions = window.menus.actions
        assert actions["new_finding"].toolTip().endswith("(F13)")
        assert "Ctrl+B" in keys_page(window.menus.rows, window.menus.titles)
        assert any(button.text().startswith("F14 ") for button in window.features.reading.label_bar._buttons.values())
        reading = window.session.reading
        assert reading is not None
        before = len(reading.entries.findings)
        qtbot.keyClick(window, Qt.Key.Key_M)
        assert len(reading.entries.findings) == before, "the old key does nothing"
        qtbot.keyClick(window, Qt.Key.Key_F13)
        assert len(reading.entries.findings) == before + 1
        QTest.keyClick(window.features.reading.describing.card.form.kind, Qt.Key.Key_Escape)
        qtbot.keyClick(window, Qt.Key.Key_B, CONTROL)
        assert len(reading.entries.findings) == before
        qtbot.keyClick(window, Qt.Key.Key_Z, CONTROL)
        assert len(reading.entries.findings) == before + 1, "Ctrl+Z is Redo now"
        kept = Settings(window.session.settings._path).keys
        assert kept["new_finding"] == "F13"

        def reset(page: KeysPage) -> None:
            page.reset_all.click()

        change_keys(window, reset)
        assert actions["undo"].shortcut().toString() == "Ctrl+Z"
        assert window.session.settings.keys == {}


def test_one_action_gets_its_key_back(qtbot: QtBot) -> None:
    from wce_desktop.session.actions import ACTIONS

    page = KeysPage(ACTIONS, {"undo": "", "redo": "Ctrl+Z"}, {})
    qtbot.addWidget(page)
    page.tree.setCurrentItem(page.items["undo"])
    page.reset.click()
    assert page.chosen == {"redo": ""}, "a key that was taken is given back"
    page.tree.setCurrentItem(page.items["clear_span"])
    assert not page.change.isEnabled()
    assert "Escape" in page.said.text()


def test_texts_name_the_chosen_keys_from_the_start(qtbot: QtBot, tmp_path: Path) -> None:
    keys.use(ACTIONS, str)  # as when the program starts
    (tmp_path / "settings.json").write_text(
        '{"keys": {"choose_model": "F13", "slower": "Ctrl+Down"}}', encoding="utf-8"
    )
    with main_window(qtbot, tmp_path) as window:
        model = window.left.findChild(ModelPanel)
        assert model is not None
        assert "(F13)" in model.name.toolTip()
        assert "(Ctrl+Down)" in window.player.transport.rate_label.slower.toolTip()


def test_the_page_of_keys_shows_those_of_the_desk_and_of_single_places(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        pages: list[str] = []

        def read() -> None:
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, KeysDialog)
            pages.extend(label.text() for label in dialog.findChildren(QLabel))
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

        for _ in range(2):
            QTimer.singleShot(0, window, read)
            press(window, "show_keys")
            press(window, "research_desk")
        assert all("Take the view of the second reader." in page for page in pages)
        assert ["Cross-validate the model" in page for page in pages] == [True, False]
