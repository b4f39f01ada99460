"""A box to choose one of several values from, for forms that scroll."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.widgets.glyphs import class_icon
from wce_desktop.widgets.inputs import ComboBox

INDENT = "    "
ICON_PX = 14


class Choice(NamedTuple):
    """One value with its title; those of a `depth` above 0 are indented."""

    value: str
    title: str
    depth: int = 0
    icon: QIcon | None = None


class ChoiceBox(ComboBox):
    """Emits `chosen` (the value) when the reader chooses; the wheel scrolls what lies around it."""

    chosen = Signal(str)

    def __init__(self, name: str, choices: Iterable[Choice] = ()) -> None:
        """`name` is what a screen reader says."""
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(16)
        self.set_choices(choices)
        self.activated.connect(lambda _: self.chosen.emit(self.value))

    @property
    def value(self) -> str:
        """The value that is shown."""
        return str(self.currentData() or "")

    def set_choices(self, choices: Iterable[Choice]) -> None:
        """Offer these values; what was chosen stays chosen where it is among them."""
        value = self.value
        with QSignalBlocker(self):
            self.clear()
            for one in choices:
                self.addItem(one.icon or QIcon(), INDENT * one.depth + one.title, one.value)
            self.show_value(value)

    def show_value(self, value: str) -> None:
        """Show a value; one that is not offered is added, so that nothing that was written is lost."""
        at = self.findData(value)
        if at < 0 and value:
            self.addItem(value, value)
            at = self.count() - 1
        with QSignalBlocker(self):
            self.setCurrentIndex(max(at, 0) if self.count() else -1)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Only the list is indented, not the value that is shown."""
        super().initStyleOption(option)
        option.currentText = option.currentText.lstrip()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, Down, Home and End change the value at once; Space and Enter open the list."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.showPopup()
        else:
            super().keyPressEvent(event)


def class_choices(vocabulary: Vocabulary, *, without: Iterable[str] = ()) -> list[Choice]:
    """The classes of a vocabulary, each below its parent, with their shapes."""
    left_out = set(without)
    return [
        Choice(one.name, one.shown_title, depth, class_icon(one, ICON_PX))
        for depth, one in vocabulary.tree()
        if one.name not in left_out
    ]
