"""The table of the worklist: plain rows, so that 10,000 of them sort and filter without a wait."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.core.worklist import STATUS_TITLES, STATUSES, WorklistRow, in_order, matching
from wce_desktop.session.completeness.left import Left
from wce_desktop.widgets.plain_text import plain

Index = QModelIndex | QPersistentModelIndex
COLUMNS = (
    to_translate("Patient"),
    to_translate("Study"),
    to_translate("Date"),
    to_translate("Status"),
    to_translate("Reader"),
    to_translate("Seen"),
    to_translate("Small bowel"),
    to_translate("Flags not seen"),
)
PATIENT, STUDY, DATE, STATUS, READER, SEEN, BOWEL, FLAGS = range(len(COLUMNS))
UNKNOWN = "–"
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class WorklistModel(QAbstractTableModel):
    """The rows that the filters let through, in the chosen order."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[WorklistRow] = ()
        """All rows of the library."""
        self.shown: list[WorklistRow] = []
        """Those in the table, from top to bottom."""
        self.left: dict[str, Left | None] = {}
        """By study id, of those that were counted; None where the scores cannot be read."""
        self._words, self._status = "", ""
        self._column, self._is_descending = DATE, True

    def show_rows(self, rows: Sequence[WorklistRow]) -> None:
        """Show these rows of the library with the same filter in the same order."""
        self.rows = [_counted(row, self.left.get(row.study_id)) for row in rows]
        self._arrange()

    def filter(self, words: str, status: str) -> None:
        """Show the rows with all of these words, of one status or ("") of any."""
        self._words, self._status = words, status
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self._column, self._is_descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        rows = matching(self.rows, self._words, self._status)
        self.shown = in_order(rows, self._key(), is_descending=self._is_descending)
        self.endResetModel()

    def _key(self) -> Callable[[WorklistRow], Any]:
        keys: dict[int, Callable[[WorklistRow], Any]] = {
            PATIENT: lambda row: row.patient.casefold(),
            STUDY: lambda row: row.name.casefold(),
            DATE: lambda row: row.exam_date,
            STATUS: lambda row: STATUSES.index(row.status),
            READER: lambda row: row.readers.casefold(),
            SEEN: lambda row: row.seen_share,
            BOWEL: lambda row: row.bowel_share,
            FLAGS: lambda row: self._flags(row.study_id),
        }
        return keys[self._column]

    def _flags(self, study_id: str) -> int | None:
        left = self.left.get(study_id)
        return None if left is None else left.flags

    def note_left(self, counts: Mapping[str, Left | None]) -> None:
        """Show what is left of these studies; the order stays until the reader sorts again."""
        self.left |= counts
        self.rows = [_counted(row, counts.get(row.study_id)) for row in self.rows]
        self.shown = [_counted(row, counts.get(row.study_id)) for row in self.shown]
        if self.shown:
            self.dataChanged.emit(self.index(0, SEEN), self.index(len(self.shown) - 1, FLAGS))

    def row_of(self, study_id: str) -> int:
        """The row of a study, or -1."""
        return next((at for at, row in enumerate(self.shown) if row.study_id == study_id), -1)

    # What Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """As many as pass the filter."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See `COLUMNS`."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(COLUMNS[section])
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in (SEEN, BOWEL, FLAGS) else None
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole and section == FLAGS:
            return plain(tr("Flags at the lowest threshold of the reading that were neither on screen nor answered"))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell; numbers stand at the right."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self.shown[index.row()], index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (SEEN, BOWEL, FLAGS):
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (SEEN, BOWEL):
            return plain(self._seen_tip(self.shown[index.row()], index.column()))
        return None

    def _seen_tip(self, row: WorklistRow, column: int) -> str:
        if column == BOWEL and not row.bowel_frames:
            return tr("No landmarks: set the first duodenal and the first caecal frame to see how much was read.")
        left = self.left.get(row.study_id)
        seen = None if left is None else left.bowel if column == BOWEL else left.study
        words = (
            tr("Seen of the small bowel, as far as its landmarks say.") if column == BOWEL else tr("Seen of the study.")
        )
        return f"{words} {seen.reason}".strip() if seen is not None else words

    def _text(self, row: WorklistRow, column: int) -> str:
        if column == FLAGS:
            count = self._flags(row.study_id)
            return UNKNOWN if count is None else number_text(count)
        status = " ".join(filter(None, (tr(STATUS_TITLES[row.status]), row.removed_utc[:10])))
        texts = row.patient, row.name, row.exam_date, status, row.readers, row.seen_text
        return (*texts, row.bowel_text or UNKNOWN)[column]


def _counted(row: WorklistRow, left: Left | None) -> WorklistRow:
    """The row with the frames that count as seen, which its database does not tell."""
    if left is None:
        return row
    frames, seen = (left.bowel.frames, left.bowel.seen) if left.bowel is not None else (0, 0)
    return row._replace(seen_frames=left.study.seen, bowel_frames=frames, seen_bowel_frames=seen)
