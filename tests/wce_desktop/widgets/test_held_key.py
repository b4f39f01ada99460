"""A key that is tapped triggers its action; held, it fills the overlay until it is released."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from wce_desktop.widgets.held_key import HeldKey


class Pressed:
    """A window with one action on C, and what happened."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window, self.events = QMainWindow(), list[str]()
        qtbot.addWidget(self.window)
        action = QAction("Show why", self.window)
        action.setShortcut(QKeySequence("C"))
        action.triggered.connect(lambda: self.events.append("tap"))
        self.window.addAction(action)
        self.key = HeldKey(action, self.window)
        self.key.held.connect(lambda is_held: self.events.append("held" if is_held else "released"))
        self.window.show()
        qtbot.waitExposed(self.window)
        self.window.activateWindow()


@pytest.fixture
def pressed(qtbot: QtBot) -> Pressed:
    return Pressed(qtbot)


def test_a_tap_triggers_once_on_release(qtbot: QtBot, pressed: Pressed) -> None:
    qtbot.keyPress(pressed.window, Qt.Key.Key_C)
    assert pressed.events == []
    qtbot.keyRelease(pressed.window, Qt.Key.Key_C)
    assert pressed.events == ["tap"]


def test_a_held_key_ends_with_its_own_release_and_not_with_a_repetition(qtbot: QtBot, pressed: Pressed) -> None:
    qtbot.keyPress(pressed.window, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: pressed.events == ["held"])
    for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
        repeated = QKeyEvent(kind, Qt.Key.Key_C, Qt.KeyboardModifier.NoModifier, "c", True)
        QApplication.sendEvent(pressed.window, repeated)
    qtbot.keyClick(pressed.window, Qt.Key.Key_Right)
    assert pressed.events == ["held"]
    qtbot.keyRelease(pressed.window, Qt.Key.Key_C)
    assert pressed.events == ["held", "released"]
    qtbot.keyClick(pressed.window, Qt.Key.Key_C)
    assert pressed.events == ["held", "released", "tap"]


def test_a_window_that_loses_the_keyboard_releases_the_key(qtbot: QtBot, pressed: Pressed) -> None:
    qtbot.keyPress(pressed.window, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: pressed.events == ["held"])
    QApplication.sendEvent(pressed.window, QEvent(QEvent.Type.WindowDeactivate))
    assert pressed.events == ["held", "released"]
