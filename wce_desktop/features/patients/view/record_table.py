"""The studies whose records can be edited; several are chosen at once."""

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from wce_desktop.core.annotation.record import Record
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.features.patients.model.fields import shown
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import MUTED

COLUMNS = (
    to_translate("Study"),
    to_translate("Patient"),
    to_translate("Born"),
    to_translate("Date"),
    to_translate("Capsule"),
)
NOT_ENTERED = to_translate("not entered")
_ID = Qt.ItemDataRole.UserRole


class RecordTable(QTableWidget):
    """A row for each study; Shift and Ctrl choose several."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        self.setAccessibleName(tr("Studies and their patients"))
        self.setHorizontalHeaderLabels([tr(title) for title in COLUMNS])
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._studies: Sequence[Study] = ()
        self._is_filling = False
        self.itemSelectionChanged.connect(self._tell)

    def show_studies(self, studies: Sequence[Study], records: Mapping[str, Record]) -> None:
        """Show these studies; what was chosen stays so."""
        chosen = self.chosen
        self._is_filling = True
        self._studies = tuple(studies)
        self.setRowCount(len(studies))
        for number, study in enumerate(studies):
            record = records[study.study_id]
            texts = (study.name, record.pseudonym or tr(NOT_ENTERED), shown(record.birth_year), record.exam_date)
            for column, text in enumerate((*texts, record.capsule)):
                item = QTableWidgetItem(text)
                item.setData(_ID, study.study_id)
                item.setToolTip(plain(f"{study.name}\n{study.path}" if column == 0 else text))
                if column == 1 and not record.is_named:
                    item.setForeground(QColor(MUTED))
                self.setItem(number, column, item)
        self._is_filling = False
        self.choose(chosen)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the studies in the chosen rows, from top to bottom."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return tuple(str(item.data(_ID)) for row in rows if (item := self.item(row, 0)) is not None)

    def choose(self, study_ids: Collection[str]) -> None:
        """Choose the rows of these studies and no others."""
        model, wanted = self.selectionModel(), QItemSelection()
        rows = [number for number, study in enumerate(self._studies) if study.study_id in study_ids]
        for row in rows:
            wanted.select(self.model().index(row, 0), self.model().index(row, len(COLUMNS) - 1))
        if rows:
            model.setCurrentIndex(self.model().index(rows[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def choose_folder(self) -> None:
        """Choose all studies whose files lie in a folder of a chosen one."""
        chosen = set(self.chosen)
        folders = {study.path.parent for study in self._studies if study.study_id in chosen}
        self.choose([study.study_id for study in self._studies if study.path.parent in folders])

    def _tell(self) -> None:
        if not self._is_filling:
            self.chosen_changed.emit()
