"""Boxes for numbers that never take what was typed for another number.

Qt leaves out a mark that it does not expect: in German "0.97" would become 97. Here it stays on the screen as it was
typed, and when the box is left it shows the number again that it had before.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

from wce_desktop.core.typed_numbers import parse_decimal, parse_whole

_MARKS = set(",.'\u00a0\u202f\u2019")
_Validated = tuple[QValidator.State, str, int]


class WholeBox(QSpinBox):
    """A whole number that ignores the wheel; its thousands may be separated as the language does it."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._before = self.value()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Note the number that is there before anything is typed."""
        self._before = self.value()
        super().focusInEvent(event)

    def validate(self, text: str, position: int) -> _Validated:
        """Take no number that may be meant otherwise."""
        validated = super().validate(text, position)
        return _not_yet(text, position) if _is_unclear(self, text, parse_whole) else validated

    def fixup(self, _: str) -> str:
        """Go back to the number from before."""
        return f"{self.prefix()}{self.textFromValue(self._before)}{self.suffix()}"


class DecimalBox(QDoubleSpinBox):
    """A number with decimals that ignores the wheel, without marks of thousands."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._before = self.value()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Note the number that is there before anything is typed."""
        self._before = self.value()
        super().focusInEvent(event)

    def validate(self, text: str, position: int) -> _Validated:
        """Take no number that may be meant otherwise."""
        validated = super().validate(text, position)
        return _not_yet(text, position) if _is_unclear(self, text, parse_decimal) else validated

    def fixup(self, _: str) -> str:
        """Go back to the number from before."""
        return f"{self.prefix()}{self.textFromValue(self._before)}{self.suffix()}"


def _not_yet(text: str, position: int) -> _Validated:
    return QValidator.State.Intermediate, text, position


def _is_unclear(box: QSpinBox | QDoubleSpinBox, text: str, parse: Callable[[str], float]) -> bool:
    """Whether a mark in what was typed does not stand where the language has it."""
    typed = text.removeprefix(box.prefix()).removesuffix(box.suffix()).strip()
    if not _MARKS & set(typed):
        return False
    try:
        parse(typed)
    except ValueError:
        return True
    return False
