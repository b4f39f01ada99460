"""The legend of a map: shape, word and count of every category; what is unticked is not shown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QVBoxLayout, QWidget

from wce_desktop.core.vocabulary import ClassName
from wce_desktop.features.embedding_map.model.map_coloring import Coloring
from wce_desktop.widgets.basic import make_heading, make_list
from wce_desktop.widgets.class_icon import class_icon
from wce_desktop.widgets.job_widgets import make_button

ICON_PX = 14
_CODE = Qt.ItemDataRole.UserRole


class MapLegend(QWidget):
    """Ticks are the filter; a double click, or Enter, shows one category alone, and all again."""

    hidden_changed = Signal(object)  # frozenset of codes

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filling = False
        self._title = make_heading("LEGEND")
        self.rows = make_list("Legend: tick what the map shows")
        self.rows.setIconSize(QSize(ICON_PX, ICON_PX))
        self.rows.itemChanged.connect(self._changed)
        self.rows.itemActivated.connect(self._show_alone)
        buttons = QHBoxLayout()
        for title, tip, is_on in (("All", "Show every category", True), ("None", "Show no category", False)):
            button = make_button(title, tip)
            button.clicked.connect(lambda _, is_on=is_on: self._set_all(is_on))
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._title)
        column.addWidget(self.rows, 1)
        column.addLayout(buttons)

    def show_coloring(self, coloring: Coloring, hidden: frozenset[int]) -> None:
        """Show these categories, the hidden ones unticked."""
        self._is_filling = True
        self._title.setText(coloring.title.upper())
        self.rows.clear()
        counts: NDArray[np.int64] = coloring.counts
        for code, category in enumerate(coloring.categories):
            item = QListWidgetItem(f"{category.title}   {int(counts[code]):,}")
            known = ClassName(category.name or "none", category.title or "none", "", category.color, category.shape)
            item.setIcon(class_icon(known, ICON_PX))
            item.setData(_CODE, code)
            item.setToolTip("Space: show or hide. Enter: this one alone, and all again.")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked if code in hidden else Qt.CheckState.Checked)
            self.rows.addItem(item)
        self._is_filling = False

    @property
    def hidden(self) -> frozenset[int]:
        """The codes that are unticked."""
        return frozenset(
            int(item.data(_CODE)) for item in self._items() if item.checkState() == Qt.CheckState.Unchecked
        )

    def _items(self) -> list[QListWidgetItem]:
        return [self.rows.item(row) for row in range(self.rows.count())]

    def _changed(self, _: QListWidgetItem) -> None:
        if not self._is_filling:
            self.hidden_changed.emit(self.hidden)

    def _set_all(self, is_on: bool) -> None:
        self._tick(lambda _: is_on)

    def _show_alone(self, chosen: QListWidgetItem) -> None:
        is_alone = self.hidden == frozenset(range(self.rows.count())) - {int(chosen.data(_CODE))}
        self._tick(lambda item: is_alone or item is chosen)

    def _tick(self, is_on: Callable[[QListWidgetItem], bool]) -> None:
        self._is_filling = True
        for item in self._items():
            item.setCheckState(Qt.CheckState.Checked if is_on(item) else Qt.CheckState.Unchecked)
        self._is_filling = False
        self.hidden_changed.emit(self.hidden)
