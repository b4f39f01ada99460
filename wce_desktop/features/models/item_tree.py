"""The list of all models and all runs, and the lineage of the chosen one as a line of links."""

from collections.abc import Collection, Sequence
from html import escape

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter

from wce_desktop.core.language import number_text, tr
from wce_desktop.features.models.run_texts import ItemTexts, describe
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
WORDS_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT, HEADING_HEIGHT = 58, 30


class ItemDelegate(QtWidgets.QStyledItemDelegate):
    """Paints an item on three lines, its state at the right; a heading on one."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Items are equally high."""
        return QSize(160, ROW_HEIGHT if index.data(WORDS_ROLE) is not None else HEADING_HEIGHT)

    def paint(
        self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a row."""
        words, rect = index.data(WORDS_ROLE), option.rect
        painter.save()
        if words is None:
            font = QFont(painter.font())
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(QColor(COLORS.muted))
            where = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
            painter.drawText(rect.adjusted(4, 0, 0, -6), where, str(index.data()))
        else:
            if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
                painter.fillRect(rect, QColor(COLORS.selected))
            self._paint_words(painter, rect.adjusted(8, 5, -8, -5), words)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, words: ItemTexts) -> None:
        top, first_px = Qt.AlignmentFlag.AlignTop, painter.fontMetrics().height() + 2
        state_width = painter.fontMetrics().horizontalAdvance(words.state)
        painter.setPen(
            QColor(COLORS.warning if words.is_alarming else COLORS.accent if words.is_current else COLORS.muted)
        )
        painter.drawText(rect, top | Qt.AlignmentFlag.AlignRight, words.state)
        painter.setPen(QColor(COLORS.text))
        room = rect.width() - state_width - 10
        title = painter.fontMetrics().elidedText(words.title, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(rect, top | Qt.AlignmentFlag.AlignLeft, title)
        small = QFont(painter.font())
        small.setPointSizeF(small.pointSizeF() * 0.9)
        painter.setFont(small)
        painter.setPen(QColor(COLORS.muted))
        below = QRect(rect.left(), rect.top() + first_px, rect.width(), 2 * painter.fontMetrics().height())
        painter.setClipRect(below)
        painter.drawText(below, int(top | Qt.TextFlag.TextWordWrap), words.details)


class ItemTree(QtWidgets.QTreeWidget):
    """Two headings, MODELS and RUNS, with their items below; the choice is kept when the list is read again.

    A run that has made a re-identification model stands among the models: the library keeps no other entry of it.
    """

    chosen_changed = Signal()
    opened = Signal(str)  # the name of an item: Enter or a double click

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Models and runs"))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegate(ItemDelegate(self))
        self.itemSelectionChanged.connect(self.chosen_changed)
        self.itemActivated.connect(lambda row, _: self.opened.emit(row.data(0, ID_ROLE) or ""))
        self._rows: dict[str, QtWidgets.QTreeWidgetItem] = {}

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
            of_reid = [run for run in family.runs.values() if has_reid_model(run)]
            others = [run for run in family.runs.values() if run not in of_reid]
            self._add_heading(tr("MODELS"), [*of_reid, *family.models.values()], family, live)
            self._add_heading(tr("RUNS"), others, family, live)
            self.expandAll()
        self.choose(chosen)

    def _add_heading(self, title: str, items: Sequence[Item], family: Family, live: Collection[str]) -> None:
        heading = QtWidgets.QTreeWidgetItem(
            self, [f"{title}   {number_text(len(items))}" if items else tr("{heading}   none yet", heading=title)]
        )
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for item in reversed(items):
            words = describe(item, family, live)
            row = QtWidgets.QTreeWidgetItem(heading, [str(words)])
            row.setData(0, ID_ROLE, item_id(item))
            row.setData(0, WORDS_ROLE, words)
            row.setToolTip(0, plain(str(words)))
            self._rows[item_id(item)] = row
