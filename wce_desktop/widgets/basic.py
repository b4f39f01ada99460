"""Small widgets made with what each needs to be usable without the mouse and by a screen reader."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QListWidget, QSlider, QVBoxLayout, QWidget

from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED

LIST_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeyList(QListWidget):
    """A list in which Enter means the row once Tab led to it; after a click Enter still means the frame."""

    _is_reached_by_tab = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Note how one came here."""
        self._is_reached_by_tab = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def event(self, event: QEvent) -> bool:
        """Take Enter before the window's shortcuts do; `FocusKeys` takes Up and Down."""
        is_ours = self._is_reached_by_tab and event.type() == QEvent.Type.ShortcutOverride
        if is_ours and isinstance(event, QKeyEvent) and event.key() in LIST_KEYS and not event.modifiers():
            event.accept()
            return True
        return super().event(event)


def make_list(name: str) -> KeyList:
    """A list whose rows wrap, called `name` by a screen reader."""
    made = KeyList()
    made.setAccessibleName(name)
    made.setWordWrap(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def make_slider(name: str, minimum: int, maximum: int, tip: str = "") -> QSlider:
    """A horizontal slider called `name` by a screen reader."""
    made = QSlider(Qt.Orientation.Horizontal)
    made.setAccessibleName(name)
    made.setRange(minimum, maximum)
    made.setToolTip(plain(tip or name))
    return made


def pad(box: QAbstractSpinBox) -> None:
    """Keep a number off the border of its box: without buttons the style leaves it no room."""
    box.lineEdit().setTextMargins(6, 0, 6, 0)


def make_heading(text: str) -> PlainLabel:
    """The title of a panel."""
    made = PlainLabel(text)
    made.setStyleSheet(f"color: {MUTED}; font-weight: bold")
    return made


def make_note(text: str = "", *, is_centered: bool = False) -> PlainLabel:
    """A sentence that explains, set back from the text."""
    made = PlainLabel(text)
    made.setWordWrap(True)
    made.setStyleSheet(f"color: {MUTED}")
    if is_centered:
        made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made


def stacked(*parts: tuple[QWidget, int]) -> QWidget:
    """Widgets below each other without gaps, each with its share of the room that is left."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget, stretch in parts:
        column.addWidget(widget, stretch)
    return made
