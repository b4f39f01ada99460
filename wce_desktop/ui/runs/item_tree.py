"""The list of all models and all runs, the newest first; several can be chosen at once."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QWidget

from wce_desktop.app.lineage import Family
from wce_desktop.app.run_files import Item, item_id
from wce_desktop.app.run_words import describe_model, describe_run
from wce_desktop.library.work import Run
from wce_desktop.ui.theme import ACCENT, MUTED, WARNING

ID_ROLE = Qt.ItemDataRole.UserRole


class ItemTree(QTreeWidget):
    """Two headings, MODELS and RUNS, with their items below; a choice outlasts that the list is read again."""

    chosen_changed = Signal()
    opened = Signal(str)  # the name of an item: Enter or a double click

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Models and runs")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(8)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.itemSelectionChanged.connect(self.chosen_changed)
        self.itemActivated.connect(lambda row, _: self.opened.emit(row.data(0, ID_ROLE) or ""))
        self._rows: dict[str, QTreeWidgetItem] = {}

    @property
    def chosen(self) -> list[str]:
        """The names of the chosen items, as they stand in the list."""
        return [name for name, row in self._rows.items() if row.isSelected()]

    def choose(self, names: Collection[str]) -> None:
        """Choose these items and no others; names that are not in the list are passed over."""
        with QSignalBlocker(self):
            self.clearSelection()
            rows = [row for name, row in self._rows.items() if name in names]
            if rows:
                self.setCurrentItem(rows[0])
            for row in rows:
                row.setSelected(True)
        self.chosen_changed.emit()

    def show_family(self, family: Family, live: Collection[str] = ()) -> None:
        """List everything; `live` are the runs that a job of this window is at."""
        chosen = self.chosen
        with QSignalBlocker(self):
            self.clear()
            self._rows.clear()
            self._add_heading("MODELS", list(family.models.values()), family, live)
            self._add_heading("RUNS", list(family.runs.values()), family, live)
            self.expandAll()
        self.choose(chosen)

    def _add_heading(self, title: str, items: Sequence[Item], family: Family, live: Collection[str]) -> None:
        heading = QTreeWidgetItem(self, [f"{title}   {len(items):,}" if items else f"{title}   none yet"])
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        heading.setForeground(0, QBrush(QColor(MUTED)))
        font = QFont(self.font())
        font.setBold(True)
        heading.setFont(0, font)
        for item in reversed(items):
            self._add(heading, item, family, live)

    def _add(self, heading: QTreeWidgetItem, item: Item, family: Family, live: Collection[str]) -> None:
        words = describe_run(item, live) if isinstance(item, Run) else describe_model(item, family)
        row = QTreeWidgetItem(heading, [words])
        row.setData(0, ID_ROLE, item_id(item))
        row.setToolTip(0, words)
        if isinstance(item, Run):
            is_broken = item.state == "failed" or (item.state == "running" and item.run_id not in live)
            if is_broken or item.state == "cancelled":
                row.setForeground(0, QBrush(QColor(WARNING if is_broken else MUTED)))
        elif item.is_current:
            row.setForeground(0, QBrush(QColor(ACCENT)))
        self._rows[item_id(item)] = row
