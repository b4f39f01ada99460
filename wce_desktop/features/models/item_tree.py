"""The table of all models and all runs, and the lineage of the chosen one as a line of links."""

from collections.abc import Collection, Sequence
from functools import partial
from html import escape

from PySide6 import QtWidgets
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QFont

from wce_desktop.core.language import number_text, tr
from wce_desktop.features.models.table_cells import COLUMNS, Cell, cells_of
from wce_desktop.library.lineage import Ancestor, Family
from wce_desktop.library.run_files import Item, has_reid_model, item_id
from wce_desktop.widgets.plain_text import RichLabel, plain
from wce_desktop.widgets.theme import COLORS


class LineageLine(RichLabel):
    """ "ImageNet weights → Pretrained 1 → Fine-tuned 2"; a click on a name, or Tab and Enter, chooses it."""

    item_requested = Signal(str)  # its name

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setAccessibleName(tr("Lineage"))
        self.linkActivated.connect(self.item_requested)

    def show_item(self, item: Item | None, family: Family) -> None:
        """Show an item's lineage."""
        if item is None:
            self.setText("")
            return
        *before, last = family.lineage(item)
        arrow = f' <span style="color:{COLORS.muted}">→</span> '
        line = arrow.join([*map(_link, before), f'<b style="color:{COLORS.text}">{escape(last.title)}</b>'])
        children = [Ancestor(child.title, child) for child in family.made_from(item)]
        if not before and not children:  # the title alone, which stands above
            line = ""
        if children:
            names = ", ".join(_link(child) for child in children)
            derived = escape(tr("Derived from it:"))
            line += f'<br><span style="color:{COLORS.muted}">{derived}</span> {names}'
        self.setText(line)


def _link(step: Ancestor) -> str:
    if step.item is None:
        return f'<span style="color:{COLORS.muted}">{escape(step.title)}</span>'
    return f'<a style="color:{COLORS.accent}" href="{escape(item_id(step.item))}">{escape(step.title)}</a>'


ID_ROLE = Qt.ItemDataRole.UserRole
TITLE_WIDTH = 160


class _Row(QtWidgets.QTreeWidgetItem):
    """A heading, or an item with its cells; headings keep their place however the items are sorted."""

    def __init__(self, parent: "ItemTree | _Row", place: int = 0, cells: Sequence[Cell] = ()) -> None:
        super().__init__(parent, [cell.text for cell in cells])
        self._place, self._cells = place, cells

    def __lt__(self, other: QtWidgets.QTreeWidgetItem) -> bool:
        tree = self.treeWidget()
        assert isinstance(other, _Row)
        if not self._cells:
            return (self._place < other._place) == (tree.header().sortIndicatorOrder() == Qt.SortOrder.AscendingOrder)
        column = tree.sortColumn()
        return self._cells[column].key < other._cells[column].key

    def matches(self, words: Collection[str]) -> bool:
        """Whether each of the words, in small letters, is in some cell, also in one that is not shown."""
        text = " ".join(cell.text for cell in self._cells).casefold()
        return all(word in text for word in words)


class ItemTree(QtWidgets.QTreeWidget):
    """A table of two parts, MODELS and RUNS; the choice is kept when the list is read again.

    A run that has made a re-identification model stands among the models: the library keeps no other entry of it.
    """

    chosen_changed = Signal()
    opened = Signal(str)  # the name of an item: Enter or a double click
    columns_changed = Signal(str)  # names of the shown columns, separated by blanks

    def __init__(self, columns: str, parent: QtWidgets.QWidget | None = None) -> None:
        """`columns`: as `columns_changed` says them."""
        super().__init__(parent)
        self.setAccessibleName(tr("Models and runs"))
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHeaderLabels([tr(title) for title in COLUMNS.values()])
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Interactive)
        self.setColumnWidth(0, TITLE_WIDTH)
        self.setSortingEnabled(True)
        self.sortByColumn(list(COLUMNS).index("created"), Qt.SortOrder.DescendingOrder)
        self.itemSelectionChanged.connect(self.chosen_changed)
        self.itemActivated.connect(lambda row, _: self.opened.emit(row.data(0, ID_ROLE) or ""))
        self.menu = self._make_menu(columns.split())
        for widget in (self, head):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(lambda _: self.menu.popup(QCursor.pos()))
        self._rows: dict[str, _Row] = {}
        self._words: list[str] = []

    def _make_menu(self, shown: Collection[str]) -> QtWidgets.QMenu:
        """Which columns are shown, and by which the items are sorted."""
        menu = QtWidgets.QMenu(tr("Columns"), self)
        by = menu.addMenu(tr("Sort by"))
        menu.addSeparator()
        for column, (name, title) in enumerate(COLUMNS.items()):
            by.addAction(tr(title)).triggered.connect(partial(self._sort_by, column))
            if column:
                action = menu.addAction(tr(title))
                action.setCheckable(True)
                action.setChecked(name in shown)
                action.setData(name)
                action.toggled.connect(lambda _: self._show_columns())
                self.setColumnHidden(column, name not in shown)
        return menu

    def _sort_by(self, column: int, _: bool = False) -> None:
        """Sort by a column, in the other direction where it was sorted by it."""
        head, down = self.header(), Qt.SortOrder.DescendingOrder
        is_down = self.sortColumn() == column and head.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        self.sortByColumn(column, down if is_down else Qt.SortOrder.AscendingOrder)

    def _show_columns(self) -> None:
        shown = [str(action.data()) for action in self.menu.actions() if action.isCheckable() and action.isChecked()]
        for column, name in enumerate(COLUMNS):
            self.setColumnHidden(column, bool(column) and name not in shown)
        self.columns_changed.emit(" ".join(shown))

    def filter(self, text: str) -> None:
        """Show only the items that hold every word of a text; what is hidden is no longer chosen."""
        self._words = text.casefold().split()
        for row in self._rows.values():
            is_shown = row.matches(self._words)
            row.setHidden(not is_shown)
            if not is_shown:
                row.setSelected(False)

    @property
    def chosen(self) -> list[str]:
        """The names of the chosen items, the newest first."""
        return [name for name, row in self._rows.items() if row.isSelected()]

    def choose(self, names: Collection[str]) -> None:
        """Choose these items and no others; names that are not in the list are passed over."""
        with QSignalBlocker(self):
            self.clearSelection()
            rows = [row for name, row in self._rows.items() if name in names]
            if rows:
                self.setCurrentItem(rows[0])
            for row in rows:
                row.setHidden(False)
                row.setSelected(True)
        self.chosen_changed.emit()

    def show_family(self, family: Family, live: Collection[str] = ()) -> None:
        """List everything; `live` are the runs that a job of this window is at."""
        chosen = self.chosen
        with QSignalBlocker(self):
            self.setSortingEnabled(False)
            self.clear()
            self._rows.clear()
            of_reid = [run for run in family.runs.values() if has_reid_model(run)]
            others = [run for run in family.runs.values() if run not in of_reid]
            self._add_heading(0, tr("MODELS"), [*of_reid, *family.models.values()], family, live)
            self._add_heading(1, tr("RUNS"), others, family, live)
            self.expandAll()
            self.setSortingEnabled(True)
            self.filter(" ".join(self._words))
        self.choose([name for name in chosen if not (name in self._rows and self._rows[name].isHidden())])

    def _add_heading(
        self, place: int, title: str, items: Sequence[Item], family: Family, live: Collection[str]
    ) -> None:
        heading = _Row(self, place)
        count = number_text(len(items))
        heading.setText(0, f"{title}   {count}" if items else tr("{heading}   none yet", heading=title))
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        heading.setFirstColumnSpanned(True)
        font = QFont(self.font())
        font.setBold(True)
        heading.setFont(0, font)
        heading.setForeground(0, QColor(COLORS.muted))
        for item in reversed(items):
            cells = cells_of(item, family, live)
            row = self._rows[item_id(item)] = _Row(heading, cells=list(cells.values()))
            row.setData(0, ID_ROLE, item_id(item))
            tip = "\n".join(f"{tr(COLUMNS[name])}: {cell.text}" for name, cell in cells.items() if cell.text)
            for column, cell in enumerate(cells.values()):
                row.setToolTip(column, plain(tip))
                if cell.color:
                    row.setForeground(column, QColor(getattr(COLORS, cell.color)))
                if cell.number is not None:
                    row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
