"""Input widgets that never take the wheel: it scrolls the page around them, and no value changes by accident.

The program uses these instead of Qt's own.

Boxes for numbers that never take what was typed for another number.

Qt leaves out a mark that it does not expect: in German "0.97" would become 97. Here it stays on the screen as it was
typed, and when the box is left it shows the number again that it had before.

A box to choose one of several values from, for forms that scroll.

When a text that is being typed is saved: at each pause, and once a second while typing goes on.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.language import parse_decimal, parse_whole
from wce_desktop.widgets.glyphs import class_icon
from wce_desktop.widgets.plain_text import plain

PAUSE_MILLISECONDS = 300
LONGEST_MILLISECONDS = 1000
"""A killed process loses at most what was typed in this time."""


class TypingPause(QtCore.QObject):
    """Call `start` at each change of a text; `reached` is emitted when the text is to be saved."""

    reached = QtCore.Signal()

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._pause = QtCore.QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._longest = QtCore.QTimer(self, singleShot=True, interval=LONGEST_MILLISECONDS)
        self._pause.timeout.connect(self._longest.stop)
        for timer in (self._pause, self._longest):
            timer.timeout.connect(self.reached)

    def start(self) -> None:
        """The text has changed."""
        self._pause.start()
        if not self._longest.isActive():
            self._longest.start()

    def stop(self) -> None:
        """Nothing is to be saved any more."""
        self._pause.stop()
        self._longest.stop()

    def isActive(self) -> bool:
        """Whether the reader is typing."""
        return self._pause.isActive()


_MARKS = set(",.'\u00a0\u202f\u2019")


class _NoWheel:
    """Of a widget: the wheel scrolls the page around it."""

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()


class _Number(_NoWheel):
    """Of a box for a number: what is typed is not taken for another number."""

    _parse: Callable[[str], float]

    def __init__(self: Any, **properties: Any) -> None:
        super().__init__(**properties)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
        self._before = self.value()

    def focusInEvent(self: Any, event: QtGui.QFocusEvent) -> None:
        """Note the number that is there before anything is typed."""
        self._before = self.value()
        super().focusInEvent(event)  # type: ignore[misc]

    def validate(self: Any, text: str, position: int) -> tuple[QtGui.QValidator.State, str, int]:
        """Take no number that may be meant otherwise."""
        typed = text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()
        try:
            if _MARKS & set(typed):
                type(self)._parse(typed)
        except ValueError:  # a mark does not stand where the language has it
            return QtGui.QValidator.State.Intermediate, text, position
        validated: tuple[QtGui.QValidator.State, str, int] = super().validate(text, position)  # type: ignore[misc]
        return validated

    def fixup(self: Any, _: str) -> str:
        """Go back to the number from before."""
        return f"{self.prefix()}{self.textFromValue(self._before)}{self.suffix()}"


class WholeBox(_Number, QtWidgets.QSpinBox):
    """A whole number that ignores the wheel; its thousands may be separated as the language does it."""

    _parse = staticmethod(parse_whole)


class DecimalBox(_Number, QtWidgets.QDoubleSpinBox):
    """A number with decimals that ignores the wheel, without marks of thousands."""

    _parse = staticmethod(parse_decimal)


class ComboBox(_NoWheel, QtWidgets.QComboBox):
    """A combo box that ignores the wheel, called `name` by a screen reader."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)

    def event(self, event: QtCore.QEvent) -> bool:
        """Without a tooltip of its own it shows the whole choice, which may be cut."""
        if isinstance(event, QtGui.QHelpEvent) and not self.toolTip():
            QtWidgets.QToolTip.showText(event.globalPos(), plain(self.currentText()), self)
            return True
        return super().event(event)


class Slider(_NoWheel, QtWidgets.QSlider):
    """A horizontal slider that ignores the wheel."""

    def __init__(self) -> None:
        super().__init__(QtCore.Qt.Orientation.Horizontal)


class _TabBar(_NoWheel, QtWidgets.QTabBar):
    """The tabs of a `TabWidget`."""


class TabWidget(QtWidgets.QTabWidget):
    """Pages with tabs that ignore the wheel."""

    def __init__(self, *, documentMode: bool = False) -> None:  # noqa: N803 - Qt's name
        super().__init__()
        self.setTabBar(_TabBar())
        self.setDocumentMode(documentMode)


INDENT = "    "
ICON_PX = 14


class Choice(NamedTuple):
    """One value with its title; those of a `depth` above 0 are indented."""

    value: str
    title: str
    depth: int = 0
    icon: QtGui.QIcon | None = None


class ChoiceBox(ComboBox):
    """Emits `chosen` (the value) when the reader chooses; the wheel scrolls what lies around it."""

    chosen = QtCore.Signal(str)

    def __init__(self, name: str, choices: Iterable[Choice] = ()) -> None:
        """`name` is what a screen reader says."""
        super().__init__(name)
        self.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setIconSize(QtCore.QSize(ICON_PX, ICON_PX))
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
        with QtCore.QSignalBlocker(self):
            self.clear()
            for choice in choices:
                self.addItem(choice.icon or QtGui.QIcon(), INDENT * choice.depth + choice.title, choice.value)
            self.show_value(value)

    def show_value(self, value: str) -> None:
        """Show a value; one that is not offered is added, so that nothing that was written is lost."""
        at = self.findData(value)
        if at < 0 and value:
            self.addItem(value, value)
            at = self.count() - 1
        with QtCore.QSignalBlocker(self):
            self.setCurrentIndex(max(at, 0) if self.count() else -1)

    def initStyleOption(self, option: QtWidgets.QStyleOptionComboBox) -> None:
        """Only the list is indented, not the value that is shown."""
        super().initStyleOption(option)
        option.currentText = option.currentText.lstrip()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Up, Down, Home and End change the value at once; Space and Enter open the list."""
        if event.key() in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter):
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
