"""Decides which keys the focused widget handles and which are shortcuts of the window.

A single key (a character, Space, Enter, an arrow ...; without Ctrl or Alt) is a shortcut of the window only while the
frame, the timeline or a list of suggestions has the focus (`key_places.give_keys`), or nothing has. Everywhere else it
belongs to the focused widget. In a window that does not wait for an answer, Return presses no button but the one with
the focus. Escape and a click on the frame or the timeline go back to the frame, and so does the focus of what is
hidden or disabled, and that of a menu bar in which nothing is chosen; Ctrl+Return leaves a text field.
"""

import contextlib
from collections.abc import Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut

from wce_desktop.widgets.key_texts import digit_of, gives_keys, keeps_ways_out

TEXT_FIELDS = (QtWidgets.QLineEdit, QtWidgets.QPlainTextEdit, QtWidgets.QTextEdit, QtWidgets.QAbstractSpinBox)
CONTROLS = (
    *TEXT_FIELDS,
    QtWidgets.QAbstractItemView,
    QtWidgets.QComboBox,
    QtWidgets.QAbstractSlider,
    QtWidgets.QAbstractButton,
    QtWidgets.QMenuBar,
)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
SINGLE = (
    *ENTER, *MOVES, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete, Qt.Key.Key_Insert,
)  # fmt: skip
EDITS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Backspace, Qt.Key.Key_Delete,
)  # fmt: skip
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def is_single(event: QKeyEvent) -> bool:
    """Whether a key is pressed without Ctrl or Alt and is a character, or edits or moves."""
    is_character = event.key() < Qt.Key.Key_Escape
    return not event.modifiers() & _COMMANDS and (is_character or event.key() in SINGLE)


def edits_text(event: QKeyEvent) -> bool:
    """Whether a key with Ctrl moves or deletes in a text, with or without Shift."""
    return event.key() in EDITS and event.modifiers() & _COMMANDS == Qt.KeyboardModifier.ControlModifier


def leaves(event: QKeyEvent) -> bool:
    """Whether a key leaves a text field."""
    if event.key() in ENTER:
        return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return event.key() == Qt.Key.Key_Escape and not event.modifiers()


class FocusKeys(QObject):
    """Follows the focus, and filters the keys of the widget that has it."""

    def __init__(
        self, window: QtWidgets.QWidget, home: QtWidgets.QWidget, clicked: Sequence[QtWidgets.QWidget]
    ) -> None:
        """Follow the focus in all windows.

        Args:
            window: the main window.
            home: gets the focus when a control of the main window is left.
            clicked: widgets on which a click goes home.
        """
        super().__init__(window)
        self._window, self._home, self._clicked = window, home, tuple(clicked)
        self._watched: QtWidgets.QWidget | None = None
        self._around: QtWidgets.QWidget | None = None
        for widget in self._clicked:
            widget.installEventFilter(self)
        application = QtWidgets.QApplication.instance()
        assert isinstance(application, QtWidgets.QApplication)
        self._application = application
        self._application.focusChanged.connect(self._follow)

    def stop(self) -> None:
        """Disconnect from all signals."""
        self._stop_watching()
        self._application.focusChanged.disconnect(self._follow)

    def _follow(self, before: QtWidgets.QWidget | None, now: QtWidgets.QWidget | None) -> None:
        self._stop_watching()
        if now is None or now.isWindow() or now.window().windowType() == Qt.WindowType.Popup:
            return  # the list of a drop-down has keys of its own, which a filter before Qt's would withhold
        if now.window() is self._window and (self._is_pressed_button(now) or self._is_left_over(before, now)):
            self._home.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._watched, around = now, now.window()
        if isinstance(around, QtWidgets.QDialog) and not around.isModal():
            self._around = around
            around.installEventFilter(self)
        if isinstance(now, TEXT_FIELDS):
            self._application.installEventFilter(self)  # clicks anywhere, only while one writes
        else:
            now.installEventFilter(self)
        if isinstance(now, QtWidgets.QPlainTextEdit | QtWidgets.QTextEdit):
            now.setTabChangesFocus(True)

    def _is_pressed_button(self, now: QtWidgets.QWidget) -> bool:
        """A click on a button of the main window leaves the keys with the frame."""
        return isinstance(now, QtWidgets.QAbstractButton) and bool(QtWidgets.QApplication.mouseButtons())

    def _is_left_over(self, before: QtWidgets.QWidget | None, now: QtWidgets.QWidget) -> bool:
        """Whether Qt chose `now`, not the reader: another control went, or the menu bar was left with its window."""
        if isinstance(now, QtWidgets.QMenuBar):
            return now.activeAction() is None
        if before is None or before.window() is not self._window or now is self._home:
            return False
        return not (before.isVisible() and before.isEnabled())

    def _stop_watching(self) -> None:
        if self._watched is not None:
            watched, self._watched = self._watched, None
            self._application.removeEventFilter(self)
            if watched not in self._clicked:
                with contextlib.suppress(RuntimeError):  # its window may have been deleted while it had the focus
                    watched.removeEventFilter(self)
        if self._around is not None:
            around, self._around = self._around, None
            with contextlib.suppress(RuntimeError):
                around.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the focused widget its keys before the window's shortcuts, and leave it where it is left."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            if watched in self._clicked:
                self._home.setFocus(Qt.FocusReason.MouseFocusReason)
            elif isinstance(self._watched, TEXT_FIELDS) and _is_beside(self._watched, watched):
                self._leave(self._watched)
        elif kind == QEvent.Type.Hide and watched is self._watched is not self._home and not event.spontaneous():
            self._leave(self._watched)  # before Qt moves the focus to the next control
        elif self._watched is not None and watched is self._watched and isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride and self._is_of_widget(self._watched, event):
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and self._take_key(self._watched, event)
        elif watched is self._around and isinstance(event, QKeyEvent):
            return kind == QEvent.Type.KeyPress and event.key() in ENTER and is_single(event)
        return False

    def _is_of_widget(self, widget: QtWidgets.QWidget, event: QKeyEvent) -> bool:
        if self._is_leaving(widget, event):
            return True
        if gives_keys(widget):
            return isinstance(widget, QtWidgets.QAbstractItemView) and event.key() in MOVES and is_single(event)
        return is_single(event) or (isinstance(widget, TEXT_FIELDS) and edits_text(event))

    def _take_key(self, widget: QtWidgets.QWidget, event: QKeyEvent) -> bool:
        if self._is_leaving(widget, event):
            self._leave(widget)
            return True
        if isinstance(widget, QtWidgets.QAbstractButton) and event.key() in ENTER and is_single(event):
            widget.click()
            return True
        is_shared = gives_keys(widget) and not keeps_ways_out(widget)
        if (is_shared or event.modifiers()) and (digit := digit_of(event)):
            return _press_digit(widget, digit)
        return False

    def _is_leaving(self, widget: QtWidgets.QWidget, event: QKeyEvent) -> bool:
        """In a dialog Escape closes it, as everywhere."""
        if keeps_ways_out(widget):
            return False
        if isinstance(widget, TEXT_FIELDS):
            return not isinstance(widget.window(), QtWidgets.QDialog) and leaves(event)
        is_control = isinstance(widget, CONTROLS) and not gives_keys(widget) and widget.window() is self._window
        return is_control and event.key() == Qt.Key.Key_Escape and not event.modifiers()

    def _leave(self, widget: QtWidgets.QWidget) -> None:
        if widget.window() is self._window:
            self._home.setFocus(Qt.FocusReason.OtherFocusReason)
        elif widget.isVisible():
            widget.clearFocus()


def _is_beside(field: QtWidgets.QWidget, clicked: QObject) -> bool:
    """Whether a widget without focus was clicked in the window of the field."""
    if not isinstance(clicked, QtWidgets.QWidget) or clicked.window() is not field.window():
        return False
    takes_focus = bool(clicked.focusPolicy() & Qt.FocusPolicy.ClickFocus) or clicked.focusProxy() is field
    return not takes_focus and clicked is not field and not field.isAncestorOf(clicked)


def _press_digit(focused: QtWidgets.QWidget, keys: str) -> bool:
    """Do what a digit, such as "1" or "Ctrl+1", does in the window of the focused widget; returns whether it does."""
    window, wanted = focused.window(), QKeySequence(keys)
    parts = (window, *window.findChildren(QtWidgets.QWidget))
    steps: list[QAction | QShortcut] = [action for part in parts for action in part.actions() if action.isVisible()]
    for step in (*steps, *window.findChildren(QShortcut)):
        held = step.shortcuts() if isinstance(step, QAction) else step.keys()
        if step.isEnabled() and wanted in held:
            step.trigger() if isinstance(step, QAction) else step.activated.emit()
            return True
    return False
