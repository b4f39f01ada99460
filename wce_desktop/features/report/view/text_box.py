"""A text of the report with a menu of text blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFocusEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from wce_desktop.core.language import tr
from wce_desktop.features.report.model.parts import TextBlock
from wce_desktop.widgets.basic import make_heading
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.typing_pause import TypingPause

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
        insert.setToolTip(plain(tip))
        insert.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        insert.setMenu(self._menu)
        self.insert = insert
        head = QHBoxLayout()
        head.addWidget(make_heading(title), 1)
        head.addWidget(insert)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(head)
        layout.addWidget(self.editor, 1)
        self._rest = TypingPause(self)
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
