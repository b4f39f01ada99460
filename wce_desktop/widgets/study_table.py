"""The studies of the library to choose from: frames, patient, labels, how far each was read."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets import basic, plain_text, theme

COLUMNS = {
    to_translate("Study"): to_translate("Tick the studies to train on"),
    to_translate("Patient"): to_translate("Studies of one patient are never in both the training and the test set"),
    to_translate("Frames"): to_translate("Frames of the video"),
    to_translate("Used"): to_translate(
        "Frames of the small bowel and colon according to the landmarks; all frames if there are none"
    ),
    to_translate("Labelled"): to_translate("Labelled frames"),
    to_translate("Reading"): to_translate("How much of the study was read"),
}
"""Titles and tips."""
NUMBERS = (2, 3, 4)
_TIPS = tuple(COLUMNS.values())
NAME_PX = 100
"""Least width of the names; in a narrower table the other columns are scrolled to."""
_ID = Qt.ItemDataRole.UserRole


class StudyTable(QTableWidget):
    """A row for each study, with a tick; Space ticks and unticks the rows that are selected."""

    choice_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        self.rows: Sequence[StudyRow] = ()
        """What is shown."""
        self._is_filling = False
        basic.as_row_list(self, tr("Studies to train on"), tuple(map(tr, COLUMNS)), NUMBERS)
        for column, tip in enumerate(_TIPS):
            words = plain_text.plain(tr(tip))
            self.model().setHeaderData(column, Qt.Orientation.Horizontal, words, Qt.ItemDataRole.ToolTipRole)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(50)
        self.itemChanged.connect(self._changed)

    @property
    def chosen(self) -> frozenset[str]:
        """The ids of the ticked studies."""
        return frozenset(str(item.data(_ID)) for item in self._ticks() if item.checkState() == Qt.CheckState.Checked)

    def _ticks(self) -> list[QTableWidgetItem]:
        """The first item of every row, which holds the tick."""
        return [item for row in range(self.rowCount()) if (item := self.item(row, 0)) is not None]

    def set_rows(self, rows: Sequence[StudyRow], chosen: Collection[str]) -> None:
        """Show these studies, with these ticked; the first of them is in sight."""
        self.rows = tuple(rows)
        self._is_filling = True
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            self._fill(number, row, row.study.study_id in chosen)
        self._is_filling = False
        self._fit_names()
        if ticked := [item for item in self._ticks() if item.checkState() == Qt.CheckState.Checked]:
            self.scrollToItem(ticked[0], self.ScrollHint.PositionAtCenter)
        self.choice_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the names take the room that the other columns leave."""
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        header = self.horizontalHeader()
        room = self.viewport().width() - sum(header.sectionSize(column) for column in range(1, len(COLUMNS)))
        fits = room >= NAME_PX
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch if fits else QHeaderView.ResizeMode.Fixed)
        if not fits:
            header.resizeSection(0, NAME_PX)

    def choose_all(self) -> None:
        """Tick every row."""
        self.choose({row.study.study_id for row in self.rows})

    def choose(self, chosen: Collection[str]) -> None:
        """Tick these studies and no others; one whose video has gone cannot be ticked."""
        self._is_filling = True
        for item, row in zip(self._ticks(), self.rows, strict=True):
            is_chosen = row.is_there and row.study.study_id in chosen
            item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        self._is_filling = False
        self.choice_changed.emit()

    def _fill(self, number: int, row: StudyRow, is_chosen: bool) -> None:
        study = row.study
        texts = (
            study.name,
            row.patient,
            number_text(study.frame_count),
            number_text(row.used_frames),
            number_text(row.labelled_frames) if row.labelled_frames else "–",
            study.state_text if row.is_there else tr("video not found"),
        )
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
            if column == 0:
                item.setData(_ID, study.study_id)
                item.setCheckState(Qt.CheckState.Checked if is_chosen and row.is_there else Qt.CheckState.Unchecked)
                flags |= Qt.ItemFlag.ItemIsUserCheckable if row.is_there else Qt.ItemFlag.NoItemFlags
            elif column in NUMBERS:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if not row.is_there:
                item.setForeground(QColor(theme.COLORS.warning if column == len(texts) - 1 else theme.COLORS.muted))
            item.setFlags(flags)
            item.setToolTip(plain_text.plain(f"{study.name}\n{study.path}" if column == 0 else tr(_TIPS[column])))
            self.setItem(number, column, item)

    def _changed(self, item: QTableWidgetItem) -> None:
        if item.column() == 0 and not self._is_filling:
            self.choice_changed.emit()
