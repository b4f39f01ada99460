"""A text of the report with its text blocks, and the dialog in which the blocks are changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QFocusEvent, QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QMenu, QPlainTextEdit, QToolButton, QWidget

from wce_desktop.core.language import tr
from wce_desktop.features.report.model.parts import TextBlock
from wce_desktop.widgets import basic, inputs, plain_text, window_size


class BlocksDialog(window_size.DialogBase):
    """Titles at the left; the title and text of the chosen one at the right."""

    def __init__(self, blocks: Sequence[TextBlock], parent: QWidget | None = None) -> None:
        super().__init__(tr("Text blocks"), 640, 420, parent=parent)
        self._blocks = list(blocks)
        self._list = basic.make_list(tr("Text blocks"))
        self._title, self._text = QLineEdit(), QPlainTextEdit()
        self._title.setAccessibleName(tr("Title of the text block"))
        self._text.setAccessibleName(tr("Text of the text block"))
        self._text.setTabChangesFocus(True)
        add = basic.make_button(tr("Add"), tr("Add a text block"))
        self._remove = basic.make_button(tr("Remove"), tr("Remove this text block"))
        add.clicked.connect(self.add)
        self._remove.clicked.connect(self.remove)
        note = tr("Text blocks are shared by all studies of this library: write no names into them.")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        left = basic.in_column((self._list, 1), basic.in_row(add, self._remove))
        right = basic.in_column(self._title, (self._text, 1), basic.make_note(note))
        basic.in_column((basic.in_row((left, 2), (right, 3)), 1), buttons, of=self)
        self._show_titles(0)
        self._list.currentRowChanged.connect(self._show_chosen)
        self._title.textEdited.connect(self._keep)
        self._text.textChanged.connect(self._keep)

    @property
    def blocks(self) -> tuple[TextBlock, ...]:
        """The blocks as they are now, without those that are empty."""
        return tuple(block for block in self._blocks if block.title.strip() and block.text.strip())

    def add(self) -> None:
        """Add a block and put the cursor into its title."""
        self._blocks.append(TextBlock(tr("New text"), ""))
        self._show_titles(len(self._blocks) - 1)
        self._title.setFocus()
        self._title.selectAll()

    def remove(self) -> None:
        """Remove the chosen block."""
        row = self._list.currentRow()
        if row >= 0:
            del self._blocks[row]
            self._show_titles(min(row, len(self._blocks) - 1))

    def _show_titles(self, chosen: int) -> None:
        with QSignalBlocker(self._list):
            self._list.clear()
            self._list.addItems([block.title for block in self._blocks])
            self._list.setCurrentRow(chosen)
        self._show_chosen(chosen)

    def _show_chosen(self, row: int) -> None:
        block = self._blocks[row] if 0 <= row < len(self._blocks) else TextBlock("", "")
        with QSignalBlocker(self._text):
            self._title.setText(block.title)
            self._text.setPlainText(block.text)
        for widget in (self._title, self._text, self._remove):
            widget.setEnabled(row >= 0)

    def _keep(self) -> None:
        row = self._list.currentRow()
        if row >= 0:
            self._blocks[row] = replace(self._blocks[row], title=self._title.text(), text=self._text.toPlainText())
            self._list.item(row).setText(self._title.text())


SHOWN_TITLE = 60


class _Editor(QPlainTextEdit):
    left = Signal()

    def sizeHint(self) -> QSize:
        """A few lines; it takes the room that is left."""
        return QSize(200, 72)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say that the reader went elsewhere, so that the text is saved."""
        super().focusOutEvent(event)
        self.left.emit()


class TextBox(QWidget):
    """A heading, a button that inserts a text block, and the text."""

    changed = Signal()
    """The reader paused or went elsewhere."""
    edit_requested = Signal()
    """The list of text blocks is to be edited."""

    def __init__(self, title: str, name: str, tip: str, blocks: Callable[[], Sequence[TextBlock]]) -> None:
        """`tip` is that of the button; `blocks` is asked whenever the menu opens."""
        super().__init__()
        self._blocks = blocks
        self.editor = _Editor()
        self.editor.setAccessibleName(name)
        self.editor.setTabChangesFocus(True)
        self.editor.setMinimumHeight(64)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        insert = QToolButton()
        insert.setText(tr("Insert text"))
        insert.setToolTip(plain_text.plain(tip))
        insert.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        insert.setMenu(self._menu)
        self.insert = insert
        basic.in_column(basic.in_row((basic.make_heading(title), 1), insert), (self.editor, 1), of=self, margins=0)
        self._rest = inputs.TypingPause(self)
        self._rest.reached.connect(self.changed)
        self.editor.textChanged.connect(self._rest.start)
        self.editor.left.connect(self._end)

    @property
    def text(self) -> str:
        """What is written."""
        return self.editor.toPlainText().strip()

    def set_text(self, text: str, *, is_new: bool = False) -> None:
        """Show a text of the library; what is being written stays, unless it is of another study (`is_new`)."""
        if text != self.text and (is_new or not self._rest.isActive()):
            self.editor.setPlainText(text)
            self.editor.moveCursor(QTextCursor.MoveOperation.End)  # where a text block is inserted
            self._rest.stop()

    def insert_block(self, block: TextBlock) -> None:
        """Insert a text block where the cursor is, on a line of its own."""
        cursor = self.editor.textCursor()
        text = self.editor.toPlainText()
        before, after = text[: cursor.selectionStart()], text[cursor.selectionEnd() :]
        above = "\n" if before and not before.endswith("\n") else ""
        below = "\n" if after and not after.startswith("\n") else ""
        cursor.insertText(above + block.text + below)
        self.editor.setFocus()

    def _fill(self) -> None:
        self._menu.clear()
        for block in self._blocks():
            title = block.title if len(block.title) <= SHOWN_TITLE else f"{block.title[: SHOWN_TITLE - 1]}…"
            action = self._menu.addAction(title.replace("&", "&&"))
            action.triggered.connect(lambda _=False, block=block: self.insert_block(block))
        self._menu.addSeparator()
        self._menu.addAction(tr("Edit text blocks…")).triggered.connect(self.edit_requested)

    def _end(self) -> None:
        if self._rest.isActive():
            self._rest.stop()
            self.changed.emit()
