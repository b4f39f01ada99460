"""Decides which keys text fields and lists handle and which are shortcuts of the window.

A text field is left by Escape, by Ctrl+Return and by a click on anything that takes no focus, such as frame and
timeline; Tab moves on. Up and Down move within a list or a number that has the focus. All other keys stay the window's.
"""

import contextlib

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
MOVED_IN = (QAbstractItemView, QAbstractSpinBox)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def leaves(event: QKeyEvent) -> bool:
    """Whether a key leaves a text field."""
    if event.key() in ENTER:
        return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return event.key() == Qt.Key.Key_Escape and not event.modifiers()


def moves(event: QKeyEvent) -> bool:
    """Whether a key moves through a list."""
    return event.key() in MOVES and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


class FocusKeys(QObject):
    """Follows the focus; what it does to keys and clicks holds only while a text field or a list has it."""

    def __init__(self, window: QWidget, home: QWidget) -> None:
        """`home` of `window` gets the focus when a text field there is left; elsewhere nothing does."""
        super().__init__(window)
        self._window, self._home = window, home
        self._watched: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self._application = application
        self._application.focusChanged.connect(self._follow)

    def stop(self) -> None:
        """Disconnect from all signals."""
        self._stop_watching()
        self._application.focusChanged.disconnect(self._follow)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        self._stop_watching()
        if isinstance(now, (*TEXT_FIELDS, *MOVED_IN)):
            self._watched = now
            if isinstance(now, TEXT_FIELDS):
                self._application.installEventFilter(self)  # clicks anywhere, only while one writes
            else:
                now.installEventFilter(self)
            if isinstance(now, QPlainTextEdit | QTextEdit):
                now.setTabChangesFocus(True)

    def _stop_watching(self) -> None:
        if self._watched is not None:
            watched, self._watched = self._watched, None
            self._application.removeEventFilter(self)
            with contextlib.suppress(RuntimeError):  # its window may have been deleted while it had the focus
                watched.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that are the field's before the window's shortcuts do, and leave it where it is left."""
        if watched is self._watched and isinstance(event, QKeyEvent):
            return self._take_key(event)
        is_click = event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget)
        if is_click and self._is_beside(watched):
            self._leave()
        return False

    def _take_key(self, event: QKeyEvent) -> bool:
        is_leaving = isinstance(self._watched, TEXT_FIELDS) and not self._is_in_dialog and leaves(event)
        if event.type() == QEvent.Type.ShortcutOverride:
            if is_leaving or (isinstance(self._watched, MOVED_IN) and moves(event)):
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and is_leaving:
            self._leave()
            return True
        return False

    @property
    def _is_in_dialog(self) -> bool:
        """There Escape closes the dialog, as everywhere."""
        return self._watched is not None and isinstance(self._watched.window(), QDialog)

    def _is_beside(self, clicked: QObject) -> bool:
        """Whether a widget without focus was clicked in the window of the field."""
        field = self._watched
        if field is None or not isinstance(clicked, QWidget) or clicked.window() is not field.window():
            return False
        takes_focus = bool(clicked.focusPolicy() & Qt.FocusPolicy.ClickFocus) or clicked.focusProxy() is field
        return not takes_focus and clicked is not field and not field.isAncestorOf(clicked)

    def _leave(self) -> None:
        field = self._watched
        assert field is not None
        if field.window() is self._window:
            self._home.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            field.clearFocus()
