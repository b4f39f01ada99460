"""Where single keys mean the actions of the window (the frame, the timeline, lists of suggestions), and digits."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_MARK = "gives keys"
_MAC_ROW = (29, 18, 19, 20, 21, 23, 22, 26, 28, 25)
_FIRST_OF_ROW = 2 if sys.platform == "win32" else 10
_DIGITS = frozenset("0123456789")


def give_keys(*widgets: QWidget) -> None:
    """Let single keys mean the window's actions while one of these has the focus.

    Everywhere else they belong to the focused widget; see `shell.focus_keys`.
    """
    for widget in widgets:
        widget.setProperty(_MARK, True)


def gives_keys(widget: QWidget) -> bool:
    """Whether single keys mean the window's actions while this widget has the focus."""
    return bool(widget.property(_MARK))


def digit_of(event: QKeyEvent) -> str:
    """The digit of a key of the digit row that types something else, as on a French or Czech keyboard, without Shift.

    With Ctrl it is "Ctrl+1"; "" for every other key, and for a key that types its digit.
    """
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        return ""
    if event.text() in _DIGITS or Qt.Key.Key_0 <= event.key() <= Qt.Key.Key_9:
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
