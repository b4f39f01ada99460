"""The table of the worklist: plain rows, so that 10,000 of them sort and filter without a wait."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.core.seen import Seen
from wce_desktop.core.worklist import STATUSES, WorklistRow, in_order, matching
from wce_desktop.session.completeness.reading_facts import ReadingFacts
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
    to_translate("Blood"),
)
PATIENT, STUDY, DATE, STATUS, READER, SEEN, BOWEL, FLAGS, BLOOD = range(len(COLUMNS))
TIPS = {
    FLAGS: to_translate("Flags at the lowest threshold of the reading that were neither on screen nor answered"),
    BLOOD: to_translate(
        "Frames that the blood indicator marks by colour alone, in the small bowel once that is known; suspected: 20 "
        "or more successive frames"
    ),
}
SUSPECTED = "blood"
"""In the place of a status: the studies in which blood is suspected."""
UNKNOWN = "–"
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def read_now(state: str, readers: str) -> str:
    """The state of a study, and who else has it open."""
    return tr("{state} · read by {readers} now", state=state, readers=readers) if readers else state


class WorklistModel(QAbstractTableModel):
    """The rows that the filters let through, in the chosen order."""

    def __init__(self) -> None:
        super().__init__()
        self.read_now_by: Callable[[str], str] = lambda _: ""
        """The other readers who have a study open."""
        self.rows: Sequence[WorklistRow] = ()
        """All rows of the library."""
        self.shown: list[WorklistRow] = []
        """Those in the table, from top to bottom."""
        self.facts: dict[str, ReadingFacts | None] = {}
        """By study id; None where the scores cannot be read."""
        self._words, self._status = "", ""
        self._column, self._is_descending = DATE, True

    def show_rows(self, rows: Sequence[WorklistRow]) -> None:
        """Show these rows of the library with the same filter in the same order."""
        self.rows = rows
        self._arrange()

    def filter(self, words: str, status: str) -> None:
        """Show the rows with all of these words, of one status, of any (""), or with blood suspected (`SUSPECTED`)."""
        self._words, self._status = words, status
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self._column, self._is_descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        rows = matching(self.rows, self._words, "" if self._status == SUSPECTED else self._status)
        if self._status == SUSPECTED:
            rows = [row for row in rows if (facts := self.facts.get(row.study_id)) and facts.is_blood_suspected]
        self.shown = in_order(rows, self._key(), is_descending=self._is_descending)
        self.endResetModel()

    def _key(self) -> Callable[[WorklistRow], Any]:
        keys: dict[int, Callable[[WorklistRow], Any]] = {
            PATIENT: lambda row: row.patient.casefold(),
            STUDY: lambda row: row.name.casefold(),
            DATE: lambda row: row.exam_date,
            STATUS: lambda row: STATUSES.index(row.status),
            READER: lambda row: row.readers.casefold(),
            SEEN: lambda row: self._counted(row).seen_share,
            BOWEL: lambda row: self._counted(row).bowel_share,
            FLAGS: lambda row: facts.flags_left if (facts := self.facts.get(row.study_id)) else None,
            BLOOD: self._blood_key,
        }
        return keys[self._column]

    def _blood_key(self, row: WorklistRow) -> tuple[bool, int] | None:
        facts = self.facts.get(row.study_id)
        return None if facts is None or facts.blood is None else (facts.is_blood_suspected, facts.blood)

    def _counted(self, row: WorklistRow) -> WorklistRow:
        """The row without the frames that need not be read, once these were counted."""
        facts = self.facts.get(row.study_id)
        if facts is None:
            return row
        bowel = facts.bowel or Seen(0, 0)
        return row._replace(
            frames=facts.study.frames,
            seen_frames=facts.study.seen,
            bowel_frames=bowel.frames,
            seen_bowel_frames=bowel.seen,
        )

    def note_facts(self, facts: Iterable[tuple[str, ReadingFacts | None]]) -> None:
        """Show what was counted; the order stays until the reader sorts again."""
        self.facts |= dict(facts)
        if self.shown:
            self.dataChanged.emit(self.index(0, SEEN), self.index(len(self.shown) - 1, BLOOD))

    def note_present(self) -> None:
        """Show who reads now."""
        if self.shown:
            self.dataChanged.emit(self.index(0, STATUS), self.index(len(self.shown) - 1, STATUS))

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
            return RIGHT if section >= SEEN else None
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole and section in TIPS:
            return plain(tr(TIPS[section]))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell; numbers stand at the right."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self.shown[index.row()], index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= SEEN:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (PATIENT, STUDY, STATUS, READER):
            return plain(self._text(self.shown[index.row()], index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (SEEN, BOWEL):
            return plain(self._seen_tip(self.shown[index.row()], index.column()))
        return None

    def _seen_tip(self, row: WorklistRow, column: int) -> str:
        if column == BOWEL and not row.bowel_frames:
            return tr("No landmarks: set the first duodenal and the first caecal frame to see how much was read.")
        facts = self.facts.get(row.study_id)
        seen = None if facts is None else facts.bowel if column == BOWEL else facts.study
        words = (
            tr("Seen of the small bowel, as far as its landmarks say.") if column == BOWEL else tr("Seen of the study.")
        )
        return f"{words} {seen.reason}".strip() if seen is not None else words

    def _blood_text(self, row: WorklistRow) -> str:
        facts = self.facts.get(row.study_id)
        if facts is None or facts.blood is None:
            return UNKNOWN
        count = number_text(facts.blood)
        return tr("suspected, {count}", count=count) if facts.is_blood_suspected else count

    def _text(self, row: WorklistRow, column: int) -> str:
        if column == FLAGS:
            facts = self.facts.get(row.study_id)
            return UNKNOWN if facts is None or facts.flags_left is None else number_text(facts.flags_left)
        if column == BLOOD:
            return self._blood_text(row)
        if column == STATUS:
            return read_now(row.status_text, self.read_now_by(row.study_id))
        row = self._counted(row)
        texts = row.patient, row.name, row.exam_date, row.status_text, row.readers, row.seen_text
        return (*texts, row.bowel_text or UNKNOWN)[column]
