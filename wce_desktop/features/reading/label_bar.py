"""The classes with their keys as a column beside the frame, and below them the buttons of the most frequent edits.

Beside the frame the column costs no height, which is what limits the size of the frame.
"""

import math
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary
from wce_desktop.core.language import tr
from wce_desktop.widgets import glyphs, key_texts
from wce_desktop.widgets.plain_text import plain

FONT_PX, ICON_PX = 12, 14
LOW_ROW_PX, NAMED_ROW_PX, HIGH_ROW_PX, GAP_PX, MARGIN_PX = 18, 24, 34, 2, 4
SYMBOL_PX, SYMBOL_COLUMNS = 40, 4
SIGNS = {"undo": "↶"}
MOST_WORD_PX = 180
"""Room for the longest name; a longer one is cut, and its tooltip has all of it."""


class LabelBar(QWidget):
    """One button for each class that has a key; pressed buttons are the labels of the frame on screen.

    Each button shows key and name and keeps its place, whatever the frame carries. Where the column is too low for all
    of them, the tools give way, which menus offer too; where it is too low for the classes, there are more columns.
    """

    label_requested = Signal(str)

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._buttons: dict[str, QPushButton] = {}
        self._tools: list[QPushButton] = []
        self._is_symbols = self._is_named = False
        self.setStyleSheet(_style("left"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.show_classes()
        self.hide()

    def show_classes(self) -> None:
        """Show what the vocabulary says now: one button for each class with a key, in the order of the keys."""
        for button in self._buttons.values():
            button.deleteLater()
        keyed = sorted((entry for entry in self._vocabulary if entry.key), key=lambda entry: entry.key)
        self._buttons = {entry.name: self._button(entry) for entry in keyed}
        for button in self._buttons.values():
            button.show()
        self._arrange()

    def set_tools(self, actions: Sequence[QAction]) -> None:
        """Add buttons below the classes that do what these actions do."""
        for action in actions:
            button = self._plain_button("")
            button.clicked.connect(lambda *_, action=action: action.trigger())
            follow = partial(self._follow, button, action)
            action.changed.connect(follow)
            follow()
            self._tools.append(button)
        self._write_all()
        self._arrange()

    def set_symbols(self, is_symbols: bool) -> None:
        """Show keys and shapes alone, several in a row, where the column is too low for names: tooltips have them."""
        self._is_symbols, self._is_named = is_symbols, False
        self._write_all()
        vertical = QSizePolicy.Policy.Preferred if is_symbols else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Fixed, vertical)
        for button in self._tools:
            button.setText(button.property("short" if is_symbols else "words"))
        self._arrange()
        self.updateGeometry()

    def _write_all(self) -> None:
        has_names = self._is_named or not self._is_symbols
        self.setStyleSheet(_style("left" if has_names else "center"))
        for name, button in self._buttons.items():
            self._write(button, name)
        for button in self._tools:
            button.setStyleSheet("text-align: center" if self._is_symbols else "")

    def _write(self, button: QPushButton, name: str) -> None:
        entry = self._vocabulary.of(name)
        words = "" if self._is_symbols and not self._is_named else f" {entry.shown_title}"
        key_texts.set_words(button, f"{{label_{entry.key}}}{words}")

    def _plain_button(self, text: str) -> QPushButton:
        button = QPushButton(self)
        key_texts.set_words(button, text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys with the frame
        return button

    def _button(self, entry: ClassName) -> QPushButton:
        button = self._plain_button("")
        self._write(button, entry.name)
        button.setCheckable(True)
        button.setIcon(QIcon(glyphs.class_pixmap(entry, ICON_PX, 2.0)))
        button.setIconSize(QSize(ICON_PX, ICON_PX))
        tip = tr(
            "Label the frame or marked span as {title} ({key})",
            title=entry.title_in_sentence,
            key=f"{{label_{entry.key}}}",
        )
        key_texts.set_tip(button, tip)
        button.setAccessibleName(entry.shown_title)
        button.clicked.connect(lambda: self.label_requested.emit(entry.name))
        return button

    @property
    def _every(self) -> list[QPushButton]:
        return [*self._buttons.values(), *self._tools]

    def _shown(self, height: int) -> tuple[list[QPushButton], int]:
        """What has room in this height, and in how many columns."""
        if self._is_symbols:
            return self._every, SYMBOL_COLUMNS
        rows = max(1, (height - 2 * MARGIN_PX + GAP_PX) // (LOW_ROW_PX + GAP_PX))
        if rows >= len(self._every):
            return self._every, 1
        return list(self._buttons.values()), math.ceil(len(self._buttons) / rows)

    @property
    def _named_px(self) -> int:
        """The height at which symbols have their names beside them, one class a row, and the tools a row below."""
        rows = math.ceil(len(self._tools) / SYMBOL_COLUMNS)
        return len(self._buttons) * (NAMED_ROW_PX + GAP_PX) + rows * (HIGH_ROW_PX + GAP_PX) + 2 * MARGIN_PX

    @property
    def _symbols_px(self) -> int:
        return math.ceil(len(self._every) / SYMBOL_COLUMNS) * (HIGH_ROW_PX + GAP_PX) + 2 * MARGIN_PX

    def _column_px(self) -> int:
        if self._is_symbols:
            return SYMBOL_PX
        font = self.font()
        font.setPixelSize(FONT_PX)
        widest = max(QFontMetrics(font).horizontalAdvance(button.text()) for button in self._every)
        return min(widest, MOST_WORD_PX) + ICON_PX + 24

    def sizeHint(self) -> QSize:
        """As wide as the columns are that its height needs; symbols are as high as their names need."""
        _, columns = self._shown(self.height())
        height = self._named_px if self._is_symbols else 100
        return QSize(columns * (self._column_px() + GAP_PX) + 2 * MARGIN_PX - GAP_PX, height)

    def minimumSizeHint(self) -> QSize:
        """Of any height; symbols need their rows."""
        return QSize(self.sizeHint().width(), self._symbols_px if self._is_symbols else 0)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the shapes of the classes for the ground of another theme."""
        if event.type() == QEvent.Type.StyleChange:
            for entry in self._vocabulary:
                if entry.name in self._buttons:
                    self._buttons[entry.name].setIcon(QIcon(glyphs.class_pixmap(entry, ICON_PX, 2.0)))
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More columns in a lower window."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_named = self._is_symbols and self.height() >= self._named_px
        if is_named != self._is_named:
            self._is_named = is_named
            self._write_all()
        (shown, columns), width = self._shown(self.height()), self._column_px()
        rows = math.ceil(len(shown) / columns)
        room = (self.height() - 2 * MARGIN_PX + GAP_PX) // rows - GAP_PX
        high = max(1, min(room, HIGH_ROW_PX))
        for button in self._tools:
            button.setVisible(button in shown)
        for at, button in enumerate(shown):
            column, row = (at % columns, at // columns) if self._is_symbols else (at // rows, at % rows)
            x, y = MARGIN_PX + column * (width + GAP_PX), MARGIN_PX + row * (high + GAP_PX)
            button.setGeometry(QRect(x, y, width, high))
        if is_named:
            self._arrange_named(width)
        self.setFixedWidth(self.sizeHint().width())

    def _arrange_named(self, width: int) -> None:
        """One class a row, with its name; the tools below them stay symbols in a row."""
        step, whole = NAMED_ROW_PX + GAP_PX, SYMBOL_COLUMNS * (width + GAP_PX) - GAP_PX
        for at, button in enumerate(self._buttons.values()):
            button.setGeometry(QRect(MARGIN_PX, MARGIN_PX + at * step, whole, NAMED_ROW_PX))
        top = MARGIN_PX + len(self._buttons) * step
        for at, button in enumerate(self._tools):
            row, column = divmod(at, SYMBOL_COLUMNS)
            place = MARGIN_PX + column * (width + GAP_PX), top + row * (HIGH_ROW_PX + GAP_PX)
            button.setGeometry(QRect(*place, width, HIGH_ROW_PX))

    def _follow(self, button: QPushButton, action: QAction) -> None:
        """Be enabled as the action is, and say what it does and its key, where that is short."""
        key, word = action.shortcut().toString(), action.text().partition(":")[0]  # "Undo: Label 1 frame"
        is_short = len(key) == 1
        button.setProperty("words", f"{key} {word}" if is_short else word)
        sign = key if is_short else SIGNS.get(action.objectName(), "")
        room = Qt.TextElideMode.ElideRight, SYMBOL_PX - 14
        button.setProperty("short", sign or button.fontMetrics().elidedText(word, *room))
        button.setText(button.property("short" if self._is_symbols else "words"))
        button.setAccessibleName(word)
        button.setEnabled(action.isEnabled())
        button.setToolTip(plain(f"{action.text()}. {action.toolTip()}"))

    def show_labels(self, names: set[str], is_enabled: bool) -> None:
        """Press the buttons of the classes that the frame carries; without a study there is nothing to label."""
        for name, button in self._buttons.items():
            button.setChecked(name in names)
            button.setEnabled(is_enabled)
        self.setVisible(is_enabled)


def _style(align: str) -> str:
    return f"QPushButton {{ text-align: {align}; padding: 0 6px; font-size: {FONT_PX}px; }}"
