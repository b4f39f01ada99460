"""After menus, windows and controls that go, the keys are those of the frame again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.every_window import OPENS_A_WINDOW, OPENS_NO_WINDOW, rich_window
from tests.wce_desktop.windows import main_window, wait
from wce_desktop.session.actions import ACTIONS
from wce_desktop.session.keys import parts
from wce_desktop.shell.main_window import MainWindow

STAYS = {"find_like_region", "show_worklist"}
"""They end with a step of their own: a mouse press, or a study."""


def focused() -> QWidget:
    widget = QApplication.activePopupWidget() or QApplication.focusWidget() or QApplication.activeWindow()
    assert widget is not None
    return widget


def press(key: str) -> None:
    QTest.keySequence(focused(), QKeySequence(key))


def come_back(qtbot: QtBot, window: MainWindow) -> None:
    """Do what a window manager does when the window above closes; here there is none."""
    window.activateWindow()
    wait(qtbot, window.isActiveWindow)


def check_moves(qtbot: QtBot, window: MainWindow, where: str) -> None:
    """Left or Right reach the frame, as a reader presses them, without a click."""
    come_back(qtbot, window)
    wait(qtbot, lambda: window.is_idle and window.player.is_settled)
    before = window.player.frame_index
    assert before is not None
    assert focused() is window.player, f"{where}: {focused()}"
    press("Left" if before else "Right")
    wait(qtbot, lambda: window.player.frame_index != before)


class Closer(QObject):
    """Closes every window that opens with Escape, also those that code waits for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self.count = window, 0
        self._timer = QTimer(self, interval=5)
        self._timer.timeout.connect(self.close)
        self._timer.start()

    @property
    def opened(self) -> list[QWidget]:
        tops = QApplication.topLevelWidgets()
        return [one for one in tops if one.isVisible() and one is not self._window and one.windowTitle()]

    def close(self) -> None:
        above = QApplication.activePopupWidget() or QApplication.activeModalWidget() or next(iter(self.opened), None)
        if above is not None and above.isVisible():
            self.count += 1
            QTest.keyClick(above, Qt.Key.Key_Escape)


def test_every_window_gives_the_keys_back(qtbot: QtBot, tmp_path: Path) -> None:
    with rich_window(qtbot, tmp_path) as window:
        closer, actions = Closer(window), window.menus.actions
        for row in ACTIONS:
            opens = row.title.endswith("…") or row.action_id.startswith("show_") or row.action_id in OPENS_A_WINDOW
            is_left_out = row.action_id in OPENS_NO_WINDOW | STAYS or not actions[row.action_id].isEnabled()
            if not row.shortcut or not opens or is_left_out:
                continue
            press(parts(row.shortcut)[0])
            wait(qtbot, lambda: window.is_idle and not closer.opened)
            come_back(qtbot, window)
            press("Escape")  # of a panel that opened in the window
            check_moves(qtbot, window, row.action_id)
        assert closer.count > 20


def test_a_window_that_opens_over_the_menu_bar_gives_the_keys_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        closer = Closer(window)
        for key in ("Ctrl+K", "Ctrl+,", "F1"):
            QTest.keyClick(window.player, Qt.Key.Key_Alt)
            assert focused() is window.menuBar()
            press(key)
            wait(qtbot, lambda: not closer.opened)
            check_moves(qtbot, window, key)


def test_escape_leaves_the_menu_bar(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.player.clearFocus()
        QTest.keyClick(window, Qt.Key.Key_Alt)
        assert focused() is window.menuBar()
        press("Escape")
        check_moves(qtbot, window, "menu bar")


def _delete(button: QPushButton) -> None:
    button.deleteLater()
    QApplication.sendPostedEvents(button, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("go", [QPushButton.hide, lambda button: button.setEnabled(False), _delete])
def test_a_control_that_goes_gives_the_keys_back(
    qtbot: QtBot, tmp_path: Path, go: Callable[[QPushButton], object]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.workspace.show_panel("FINDINGS")
        panel = window.features.reading.findings
        button = QPushButton("Go", panel)
        button.show()
        button.setFocus()
        go(button)
        wait(qtbot, lambda: QApplication.focusWidget() in (window.player, None))
        press("Right")
        wait(qtbot, lambda: window.player.frame_index == 1)
