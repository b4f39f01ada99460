"""Texts and shortcuts of widgets that name the key of an action, and follow when the reader changes it.

A text names a key by the action in braces: "Undo the last change ({undo})". See `session.keys`.

Where single keys mean the actions of the window (the frame, the timeline, lists of suggestions), and digits.
"""

import sys
from collections.abc import Callable
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core.language import tr
from wce_desktop.session.keys import parts, shortcut_of, with_keys
from wce_desktop.widgets.plain_text import plain

_MARK = "gives keys"
_OWN_WAYS = "own ways out"
_MAC_ROW = (29, 18, 19, 20, 21, 23, 22, 26, 28, 25)
_FIRST_OF_ROW = 2 if sys.platform == "win32" else 10
_DIGITS = frozenset("0123456789")


def give_keys(*widgets: QtWidgets.QWidget) -> None:
    """Let single keys mean the window's actions while one of these has the focus.

    Everywhere else they belong to the focused widget; see `shell.focus_keys`.
    """
    for widget in widgets:
        widget.setProperty(_MARK, True)


def gives_keys(widget: QtWidgets.QWidget) -> bool:
    """Whether single keys mean the window's actions while this widget has the focus."""
    return bool(widget.property(_MARK))


def keep_ways_out(*widgets: QtWidgets.QWidget) -> None:
    """Let Escape and Ctrl+Return, and digits of every keyboard, stay with these, which handle them."""
    for widget in widgets:
        widget.setProperty(_OWN_WAYS, True)


def keeps_ways_out(widget: QtWidgets.QWidget) -> bool:
    """Whether Escape and Ctrl+Return, and digits of every keyboard, are handled by this widget."""
    return bool(widget.property(_OWN_WAYS))


class KeepsKeys:
    """Of a widget: the keys that it `keeps` come here before the window's shortcuts."""

    def keeps(self, event: QtGui.QKeyEvent) -> bool:
        """Whether a key belongs to this widget now."""
        raise NotImplementedError

    def event(self: Any, event: QtCore.QEvent) -> bool:
        """Take these keys."""
        if event.type() == event.Type.ShortcutOverride and isinstance(event, QtGui.QKeyEvent) and self.keeps(event):
            event.accept()
            return True
        return bool(super().event(event))  # type: ignore[misc]


def typed_digit(event: QtGui.QKeyEvent) -> str:
    """The digit that a key means without Ctrl or Alt, on every keyboard; "" for other keys."""
    if event.modifiers() & ~(QtCore.Qt.KeyboardModifier.KeypadModifier | QtCore.Qt.KeyboardModifier.ShiftModifier):
        return ""
    return event.text() if len(event.text()) == 1 and event.text() in _DIGITS else digit_of(event)


def digit_of(event: QtGui.QKeyEvent) -> str:
    """The digit of a key of the digit row that types something else, as on a French or Czech keyboard, without Shift.

    With Ctrl it is "Ctrl+1"; "" for every other key, and for a key that types its digit.
    """
    modifiers = event.modifiers() & ~QtCore.Qt.KeyboardModifier.KeypadModifier
    if modifiers not in (QtCore.Qt.KeyboardModifier.NoModifier, QtCore.Qt.KeyboardModifier.ControlModifier):
        return ""
    if event.text() in _DIGITS or QtCore.Qt.Key.Key_0 <= event.key() <= QtCore.Qt.Key.Key_9:
        return ""
    if sys.platform == "darwin":
        code = event.nativeVirtualKey()
        place = _MAC_ROW.index(code) if code in _MAC_ROW else -1
    else:
        at = event.nativeScanCode() - _FIRST_OF_ROW
        place = (at + 1) % 10 if 0 <= at < 10 else -1
    if place < 0:
        return ""
    return f"Ctrl+{place}" if modifiers else str(place)


_TIP, _WORDS, _ACTION = "tip with keys", "words with keys", "action of the key"


def native_keys(shortcuts: str) -> str:
    """Key sequences of the table as this computer writes them: “+ or =”."""
    return tr(" or ").join(native_key(key) for key in parts(shortcuts))


def native_key(key: str) -> str:
    """One key of the table as this computer writes it."""
    return QtGui.QKeySequence.fromString(key).toString(QtGui.QKeySequence.SequenceFormat.NativeText)


def set_tip(widget: QtWidgets.QWidget, tip: str) -> None:
    """Give a widget a tooltip whose keys follow."""
    widget.setProperty(_TIP, tip if "{" in tip else None)
    widget.setToolTip(plain(with_keys(tip)))


def set_words(button: QtWidgets.QAbstractButton, words: str) -> None:
    """Give a button a text whose keys follow."""
    button.setProperty(_WORDS, words if "{" in words else None)
    button.setText(with_keys(words))


def share_key(window: QtWidgets.QWidget, action_id: str, step: Callable[[], object]) -> None:
    """Let the keys of an action do something in a window that does not have the action itself."""
    shortcut = QtGui.QShortcut(window)
    shortcut.setProperty(_ACTION, action_id)
    shortcut.setKeys(QtGui.QKeySequence.listFromString(shortcut_of(action_id)))
    shortcut.activated.connect(lambda: step())


def borrow_key(action: QtGui.QAction, action_id: str) -> None:
    """Give an action of another window the keys of an action of the table."""
    action.setProperty(_ACTION, action_id)
    action.setShortcuts(QtGui.QKeySequence.listFromString(shortcut_of(action_id)))


def follow_keys() -> None:
    """Show the keys in use now, wherever a text names one."""
    for widget in QtWidgets.QApplication.allWidgets():
        if widget.property(_TIP):
            widget.setToolTip(plain(with_keys(widget.property(_TIP))))
        if isinstance(widget, QtWidgets.QAbstractButton) and widget.property(_WORDS):
            widget.setText(with_keys(widget.property(_WORDS)))
        if widget.isWindow():
            for shortcut in widget.findChildren(QtGui.QShortcut):
                if shortcut.property(_ACTION):
                    shortcut.setKeys(QtGui.QKeySequence.listFromString(shortcut_of(shortcut.property(_ACTION))))
            widget.update()
        for action in widget.actions():
            if action.property(_ACTION):
                borrow_key(action, action.property(_ACTION))
