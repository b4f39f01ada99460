"""The worklist: a row for each examination, with what the library knows of its reading."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, get_args

from wce_desktop.core.clock import whole_percent
from wce_desktop.core.identity import is_random_id
from wce_desktop.core.language import to_translate, tr

Status = Literal["new", "in reading", "second reading", "to sign", "signed", "removed"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""In the order in which a study goes through them."""
STATUS_TITLES: dict[Status, str] = {
    "new": to_translate("new"),
    "in reading": to_translate("in reading"),
    "second reading": to_translate("second reading"),
    "to sign": to_translate("to sign"),
    "signed": to_translate("signed"),
    "removed": to_translate("removed"),
}


class WorklistRow(NamedTuple):
    """One examination with all its readings.

    Attributes:
        patient: what readers call the patient; never exported.
        exam_date: YYYY-MM-DD, or empty.
        readers: of the study, then its second readers; separated by commas.
        frames, seen_frames: of the first reading.
        state: of the first reading; see `core.study.StudyState`.
        is_signed: there is a signed report.
        is_edited: something that a report shows was entered or changed since.
        has_second: a second reading was begun and is not finished.
        is_scored: the model in use has scored all of it.
        search: all texts of the row in small letters.
        bowel_frames, seen_bowel_frames: of the small bowel as far as its landmarks say; 0 without them.
        removed_utc: when it was removed, or empty.
    """

    study_id: str
    patient_id: str
    patient: str
    name: str
    exam_date: str
    readers: str
    frames: int
    seen_frames: int
    state: str
    is_signed: bool
    has_second: bool
    is_scored: bool
    search: str
    bowel_frames: int = 0
    seen_bowel_frames: int = 0
    removed_utc: str = ""
    is_edited: bool = False

    @property
    def status_text(self) -> str:
        """The status in words: "signed, edited since", "removed 2026-03-14"."""
        words = tr(STATUS_TITLES[self.status])
        if self.removed_utc:
            return f"{words} {self.removed_utc[:10]}"
        return tr("{status}, edited since", status=words) if self.is_edited else words

    @property
    def status(self) -> Status:
        """Follows from what was done; it is stored nowhere, so it contradicts nothing."""
        if self.removed_utc:
            return "removed"
        if self.is_signed:
            return "signed"
        if self.has_second:
            return "second reading"
        if self.state == "finished":
            return "to sign"
        return "in reading" if self.seen_frames or self.state == "reading" else "new"

    @property
    def seen_share(self) -> float:
        """Share of the frames that were seen, in [0, 1]."""
        return min(self.seen_frames / self.frames, 1.0) if self.frames else 0.0

    @property
    def seen_text(self) -> str:
        """The share in whole per cent, rounded down."""
        return whole_percent(min(self.seen_frames, self.frames), self.frames) if self.frames else ""

    @property
    def bowel_share(self) -> float | None:
        """Share of the small bowel that was seen, in [0, 1]; None without landmarks."""
        return self.seen_bowel_frames / self.bowel_frames if self.bowel_frames else None

    @property
    def bowel_text(self) -> str:
        """The share in whole per cent, rounded down."""
        return whole_percent(self.seen_bowel_frames, self.bowel_frames) if self.bowel_frames else ""


def patient_text(name: str, patient_id: str) -> str:
    """What a reader calls a patient; without a name the id that an import gave, but never one that was made up here."""
    return name or (tr("Patient without a name") if is_random_id(patient_id) else patient_id)


def matching(rows: Iterable[WorklistRow], words: str, status: str = "") -> list[WorklistRow]:
    """The rows that hold all of these words, of one status or ("") of any but removed."""
    wanted = words.casefold().split()
    there = [row for row in rows if (row.status == status if status else not row.removed_utc)]
    return [row for row in there if all(word in row.search for word in wanted)]


def in_order(
    rows: Iterable[WorklistRow], key: Callable[[WorklistRow], Any], *, is_descending: bool
) -> list[WorklistRow]:
    """Sorted by a key; rows where it is empty or None stand last in both directions."""
    keyed = [(key(row), row) for row in rows]
    there = [pair for pair in keyed if pair[0] not in ("", None)]
    there.sort(key=lambda pair: pair[0], reverse=is_descending)
    return [row for _, row in there] + [row for value, row in keyed if value in ("", None)]
