"""A table of texts that can be read, selected and copied, and nothing else."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from wce_desktop.widgets.plain_text import plain


class PlainTable(QTableWidget):
    """Rows of texts under a header; the first column names the row."""

    def __init__(self, name: str, header: Sequence[str], *, most_rows: int = 0, parent: QWidget | None = None) -> None:
        """An empty table; with `most_rows` it is as high as its rows, up to so many, else as high as there is room."""
        super().__init__(0, len(header), parent)
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(header))
        self._most_rows = most_rows
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """What stands there."""
        return [
            tuple(item.text() if (item := self.item(row, column)) else "" for column in range(self.columnCount()))
            for row in range(self.rowCount())
        ]

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows in place of the ones before."""
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setToolTip(plain(text))
                self.setItem(number, column, item)
        self.resizeRowsToContents()
        if self._most_rows:
            heights = [self.rowHeight(row) for row in range(min(len(rows), self._most_rows))]
            head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().sizeHint().height()
            self.setFixedHeight(sum(heights) + head + 4)
