"""What screen readers are told of painted widgets, which Qt knows nothing about.

A widget with a property `spoken_value` answers through QAccessible with this text as its value, and with the role
`spoken_role`. It calls `value_changed` when the value changes.
"""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


class PaintedInterface(QAccessibleWidget):
    """Name and description as of any widget; value and role as the widget says."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, getattr(widget, "spoken_role", QAccessible.Role.Graphic), "")
        self._painted = widget

    def text(self, kind: QAccessible.Text) -> str:
        """The widget's own words for its value."""
        if kind == QAccessible.Text.Value:
            return str(getattr(self._painted, "spoken_value", ""))
        return super().text(kind)


def _make(_: str, thing: QObject) -> QAccessibleInterface | None:
    is_painted = isinstance(thing, QWidget) and hasattr(type(thing), "spoken_value")
    return PaintedInterface(thing) if is_painted and isinstance(thing, QWidget) else None


def answer_screen_readers() -> None:
    """Let painted widgets answer; calling it again changes nothing."""
    QAccessible.installFactory(_make)


def value_changed(widget: QWidget) -> None:
    """Tell a screen reader, if there is one, that the value of a painted widget has changed."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.ValueChanged))
