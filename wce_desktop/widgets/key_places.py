"""Where single keys mean the actions of the window: on the frame, the timeline and lists of suggestions."""

from PySide6.QtWidgets import QWidget

_MARK = "gives keys"


def give_keys(*widgets: QWidget) -> None:
    """Let single keys mean the window's actions while one of these has the focus.

    Everywhere else they belong to the focused widget; see `shell.focus_keys`.
    """
    for widget in widgets:
        widget.setProperty(_MARK, True)


def gives_keys(widget: QWidget) -> bool:
    """Whether single keys mean the window's actions while this widget has the focus."""
    return bool(widget.property(_MARK))
