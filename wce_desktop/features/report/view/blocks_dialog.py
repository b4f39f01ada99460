"""The list of text blocks, to change, add and remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from wce_desktop.core.language import tr
from wce_desktop.features.report.model.parts import TextBlock
from wce_desktop.widgets.basic import make_button, make_list, make_note
from wce_desktop.widgets.window_size import fit_to_screen


class BlocksDialog(QDialog):
    """Titles at the left; the title and text of the chosen one at the right."""

    def __init__(self, blocks: Sequence[TextBlock], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Text blocks"))
        fit_to_screen(self, 640, 420)
        self._blocks = list(blocks)
        self._list = make_list(tr("Text blocks"))
        self._title, self._text = QLineEdit(), QPlainTextEdit()
        self._title.setAccessibleName(tr("Title of the text block"))
        self._text.setAccessibleName(tr("Text of the text block"))
        self._text.setTabChangesFocus(True)
        add = make_button(tr("Add"), tr("Add a text block"))
        remove = make_button(tr("Remove"), tr("Remove this text block"))
        add.clicked.connect(self.add)
        remove.clicked.connect(self.remove)
        self._remove = remove
        sides = QHBoxLayout()
        left, right, row = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        row.addWidget(add)
        row.addWidget(remove)
        left.addWidget(self._list, 1)
        left.addLayout(row)
        right.addWidget(self._title)
        right.addWidget(self._text, 1)
        note = tr("Text blocks are shared by all studies of this library: write no names into them.")
        right.addWidget(make_note(note))
        sides.addLayout(left, 2)
        sides.addLayout(right, 3)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(sides, 1)
        layout.addWidget(buttons)
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
            self._blocks[row] = TextBlock(self._title.text(), self._text.toPlainText())
            self._list.item(row).setText(self._title.text())
