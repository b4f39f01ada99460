"""Keys that go to the widget that has the focus, as they do for a reader."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import wait
from wce_desktop.shell.main_window import MainWindow

MOST_TABS = 40


class Keyboard:
    """Presses keys where the focus is, and counts them; text is typed beside."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self._qtbot, self._window = qtbot, window
        self.count = 0

    @property
    def focused(self) -> QWidget:
        QApplication.processEvents()
        focused = QApplication.focusWidget() or QApplication.activeWindow()
        assert focused is not None, "the focus is lost"
        return focused

    def press(self, *keys: str) -> None:
        for key in keys:
            QTest.keySequence(self.focused, QKeySequence(key))
            self.count += 1

    def type(self, text: str) -> None:
        QTest.keyClicks(self.focused, text)

    def tab_to(self, name: str) -> None:
        """Press Tab until what is called so has the focus."""
        for _ in range(MOST_TABS):
            if name in (_words(self.focused), self.focused.accessibleName()):
                return
            self.press("Tab")
        raise AssertionError(f"no Tab leads to {name}")

    def step(self, key: str) -> None:
        """Press a key, and let the window do what it asks for."""
        self.press(key)
        self._qtbot.wait(1)
        wait(self._qtbot, lambda: self._window.is_idle)

    def move(self, key: str, to: int | None = None) -> int:
        """Press a key that goes to a frame, or to any other one than that on screen, and return the frame."""
        place = self._window.workspace.reading.place
        before = place.frame_index
        self.step(key)
        wait(self._qtbot, lambda: place.frame_index == to if to is not None else place.frame_index != before)
        wait(self._qtbot, lambda: self._window.is_idle)
        return place.frame_index

    def come_back(self) -> None:
        """Do what the window manager does when a window above the main window closes; here there is none."""
        self._window.activateWindow()
        wait(self._qtbot, self._window.isActiveWindow)

    def answer(self, *keys: str) -> None:
        """Press keys in the question that the next key brings up."""

        def press() -> None:
            if isinstance(QApplication.activeModalWidget(), QMessageBox):
                self.press(*keys)
            else:
                QTimer.singleShot(10, self._window, press)

        QTimer.singleShot(0, self._window, press)


def _words(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""
