"""labels.csv: what was said of which frames."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from training.datasets.table import MAX_FRAME, TableRow, read_rows, write_rows
from training.texts import Text

NORMAL = "normal"
"""The label that makes a frame a negative; a frame without any label was not looked at."""
LEAST_FRAMES = 2
"""Usable frames that a class needs (ours): a single frame shows no variation, and nothing of it can be held out."""

Source = Literal["reader", "implicit_normal", "accepted_suggestion"]
Answer = Literal["yes", "no"]
COLUMNS = ("study_id", "start", "stop", "label", "answer", "finding_id", "source")


class LabelRow(TableRow):
    """One label on the frames [start, stop) of a study: the class is there (`answer` "yes"), or it is not ("no")."""

    study_id: str = Field(min_length=1)
    start: int = Field(ge=0, le=MAX_FRAME)
    stop: int = Field(ge=1, le=MAX_FRAME)
    label: str = Field(min_length=1)
    answer: Answer = "yes"
    finding_id: str = ""
    source: Source = "reader"

    @model_validator(mode="after")
    def _check_order(self) -> "LabelRow":
        if self.stop <= self.start:
            raise ValueError(Text("a label must stop after its start, not [{start}, {stop})", self.start, self.stop))
        return self

    @property
    def is_normal(self) -> bool:
        """True where the row says that nothing is there: by a person, or by reading a study to its end."""
        return self.answer == "yes" and (self.label == NORMAL or self.source == "implicit_normal")


class _RawRow(TableRow):
    """A row as written: one frame (`frame_index`) or a span (`start`, `stop`)."""

    study_id: str
    label: str
    start: int | None = None
    stop: int | None = None
    frame_index: int | None = None
    answer: Answer = "yes"
    finding_id: str = ""
    source: Source = "reader"

    @model_validator(mode="after")
    def _check(self) -> "_RawRow":
        if self.frame_index is None and (self.start is None or self.stop is None):
            raise ValueError("start and stop, or frame_index, must be given")
        at = self.frame_index
        if at is not None and (self.start not in (None, at) or self.stop not in (None, at + 1)):
            raise ValueError(Text("frame_index {at} is not what start and stop say", at))
        self.label_row()
        return self

    def label_row(self) -> LabelRow:
        at = self.frame_index
        span = {"start": self.start, "stop": self.stop} if at is None else {"start": at, "stop": at + 1}
        return LabelRow.model_validate({**vars(self), **span})


def read_labels(path: Path, notes: list[str] | None = None) -> list[LabelRow]:
    """Read the rows of labels.csv by which a class is there.

    Those that say no are left out (see `read_answers`): they give a frame no class, not even normal.
    """
    return [row for row in read_answers(path, notes) if row.answer == "yes"]


def read_answers(path: Path, notes: list[str] | None = None) -> list[LabelRow]:
    """Read labels.csv; a column `frame_index` may stand for start and stop. Raises `UserError` naming the line.

    `notes` receives sentences about how the file was read.
    """
    return [raw.label_row() for raw in read_rows(path, _RawRow, ("study_id", "label"), notes)]


def write_labels(path: Path, rows: Iterable[LabelRow]) -> None:
    """Write labels.csv with spans."""
    write_rows(path, COLUMNS, rows)


def label_rows(
    study_id: str, said: Mapping[int, Collection[tuple[str, str]]], cuts: Collection[int] = ()
) -> list[LabelRow]:
    """A row for each stretch of successive frames with one label, and of one finding where it is known.

    Args:
        study_id: of the frames.
        said: frame -> pairs of a label and the id of a finding, or "".
        cuts: frames before which the rows of findings end.

    Returns:
        In order of their start, label and finding.
    """
    open_at: dict[tuple[str, str], int] = {}
    rows = []
    for index in sorted({*said, *(index + 1 for index in said)}):
        here = said.get(index, ())
        for key in [key for key in open_at if key not in here or (key[1] and index in cuts)]:
            start, (label, finding) = open_at.pop(key), key
            rows.append(LabelRow(study_id=study_id, start=start, stop=index, label=label, finding_id=finding))
        for key in here:
            open_at.setdefault(key, index)
    return sorted(rows, key=lambda row: (row.start, row.label, row.finding_id))
