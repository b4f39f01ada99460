"""Controls in which a digit chooses a value."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from wce_desktop.widgets import basic, theme
from wce_desktop.widgets.inputs import ChoiceBox
from wce_desktop.widgets.key_texts import KeepsKeys, typed_digit
from wce_desktop.widgets.plain_text import plain

HEIGHT_PX, GAP_PX, EDGE_PX = 28, 4, 3
PADDING_PX = 4, 9
"""Left and right of a text, the least and the most."""


class _TakesDigits(KeepsKeys):
    """Of a control: digits belong to it and not to the window."""

    def keeps(self, event: QKeyEvent) -> bool:
        """Digits."""
        return bool(typed_digit(event))

    def keyPressEvent(self: Any, event: QKeyEvent) -> None:
        """A digit chooses."""
        if digit := typed_digit(event):
            self.pick(digit)
        else:
            super().keyPressEvent(event)  # type: ignore[misc]


class DigitChoiceBox(_TakesDigits, ChoiceBox):
    """A box in which some values have a digit."""

    digits: Mapping[str, str] = {}
    """Digit -> value."""

    def pick(self, digit: str) -> None:
        """Choose the value of a digit; nothing without one."""
        value = self.digits.get(digit, "")
        if value and value != self.value:
            self.show_value(value)
            self.chosen.emit(value)


class Chip(NamedTuple):
    """One value of `Chips`: its text, what the tooltip says of it, and its digit."""

    value: str
    text: str
    tip: str
    digit: str


class Chips(_TakesDigits, QWidget):
    """A few values beside each other, of which one or none is chosen: by a click, its digit, or Left and Right.

    Choosing the chosen one again takes it back.
    """

    chosen = Signal(str)
    spoken_role = QAccessible.Role.ComboBox

    def __init__(self, name: str, chips: Sequence[Chip]) -> None:
        """`name` is what a screen reader says."""
        super().__init__()
        self.chips, self.value = tuple(chips), ""
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def spoken_value(self) -> str:
        """The chosen value, in words."""
        return next((chip.tip for chip in self.chips if chip.value == self.value), "")

    def show_value(self, value: str) -> None:
        """Show a value, or with "" none."""
        self.value = value
        basic.value_changed(self)
        self.update()

    def choose(self, value: str) -> None:
        """Choose a value as the reader does."""
        self.show_value("" if value == self.value else value)
        self.chosen.emit(self.value)

    def pick(self, digit: str) -> None:
        """Choose the value of a digit; nothing without one."""
        for chip in self.chips:
            if chip.digit == digit:
                self.choose(chip.value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go from value to value."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        values = ["", *(chip.value for chip in self.chips)]
        at = values.index(self.value) + step if self.value in values else 1
        if 0 <= at < len(values):
            self.show_value(values[at])
            self.chosen.emit(self.value)

    def _width(self, padding_px: int) -> int:
        texts = sum(self.fontMetrics().horizontalAdvance(chip.text) for chip in self.chips)
        return texts + len(self.chips) * (2 * padding_px + GAP_PX) - GAP_PX + 2 * EDGE_PX

    def _places(self) -> list[QRect]:
        least, most = PADDING_PX
        padding = min(most, least + max(0, self.width() - self._width(least)) // (2 * len(self.chips)))
        places, left = [], EDGE_PX
        for chip in self.chips:
            width = self.fontMetrics().horizontalAdvance(chip.text) + 2 * padding
            places.append(QRect(left, EDGE_PX, width, self.height() - 2 * EDGE_PX))
            left += width + GAP_PX
        return places

    def _chip_at(self, at: QPoint) -> Chip | None:
        return next((chip for chip, place in zip(self.chips, self._places(), strict=True) if place.contains(at)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click chooses."""
        chip = self._chip_at(event.position().toPoint())
        if chip is not None and event.button() == Qt.MouseButton.LeftButton:
            self.choose(chip.value)

    def event(self, event: QEvent) -> bool:
        """Say what the value under the pointer means."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            chip = self._chip_at(event.pos())
            QToolTip.showText(event.globalPos(), plain(f"{chip.tip} ({chip.digit})") if chip else self.toolTip(), self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """As wide as all values."""
        return QSize(self._width(PADDING_PX[1]), max(HEIGHT_PX, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        """With little room beside the texts."""
        return QSize(self._width(PADDING_PX[0]), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chosen value is filled; one line around all of them says that the focus is here."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colors = theme.COLORS
            places = self._places()
            if self.hasFocus():
                painter.setPen(QPen(QColor(colors.accent), 1))
                painter.drawRoundedRect(places[0].united(places[-1]).adjusted(-2, -2, 2, 2), 8, 8)
            for chip, place in zip(self.chips, places, strict=True):
                is_chosen = chip.value == self.value
                painter.setPen(QPen(QColor(colors.border), 1))
                painter.setBrush(QColor(colors.primary if is_chosen else colors.raised))
                painter.drawRoundedRect(place, 6, 6)
                painter.setPen(QColor(colors.text if self.isEnabled() else colors.disabled))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, chip.text)
