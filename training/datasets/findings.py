"""findings.csv, boxes.csv and links.csv: what was found, where in the frame it lies, and which places show the same."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from training.datasets.labels import LabelRow
from training.datasets.table import MAX_FRAME, TableRow, read_rows, write_rows
from training.errors import UserError
from training.texts import Text

BOX_COLUMNS = ("study_id", "frame_index", "x_min", "y_min", "x_max", "y_max", "label")
MAX_SIZE_MM = 1000.0
"""Of a finding; the small bowel is some 30 mm wide."""
Coordinate = Annotated[float, Field(ge=0, le=100_000)]
"""In px of a frame."""

METHOD = r"^[a-z0-9-]{0,40}$"
"""Pattern of the name of a method."""


class FindingRow(TableRow):
    """Something seen in a study; its frames are [start, stop) where given, and the labels that carry its id.

    The file has further columns, which `training` does not use: a derived type may have them.
    """

    finding_id: str = Field(min_length=1)
    study_id: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    size_mm: float | None = Field(default=None, gt=0, le=MAX_SIZE_MM)
    morphology: str = ""
    histology: str = ""
    """Of what was removed, as it was published, such as "AD" for an adenoma."""
    start: int | None = Field(default=None, ge=0, le=MAX_FRAME)
    stop: int | None = Field(default=None, ge=1, le=MAX_FRAME)
    seconds: float | None = Field(default=None, ge=0)
    """Time of the first frame since the start of the video; for people, an import goes by the frames."""
    key_frames: str = Field(default="", pattern=r"^(\d{1,9}(;\d{1,9})*)?$", max_length=100_000)
    """Frame indices with semicolons between them."""
    when_utc: str = Field(default="", max_length=40)
    model_id: str = Field(default="", max_length=100)
    """The model that suggested it; empty: none did."""
    was_seen_before: bool | None = None
    """Whether the reader had seen it before the model flagged it."""
    comment: str = ""
    same_as: str = ""
    """What a reader has linked it with as the same, for people to read: "P03b/f-12; P04a/frame 980"."""

    @model_validator(mode="after")
    def _check_order(self) -> "FindingRow":
        if (self.start is None) != (self.stop is None):
            raise ValueError("start and stop are given together")
        if self.start is not None and self.stop is not None and self.stop <= self.start:
            raise ValueError(Text("a finding must stop after its start, not [{start}, {stop})", self.start, self.stop))
        return self

    @property
    def key_frame_indices(self) -> tuple[int, ...]:
        """The key frames as numbers, in order of time."""
        return tuple(sorted({int(frame) for frame in self.key_frames.split(";") if frame}))


FINDING_COLUMNS = ("finding_id", "study_id", "kind", "size_mm", "morphology")
DETAIL_COLUMNS = tuple(name for name in FindingRow.model_fields if name not in FINDING_COLUMNS)


class BoxRow(TableRow):
    """A box in pixels of the study's frames: x to the right, y down, from the upper left corner."""

    study_id: str = Field(min_length=1)
    frame_index: int = Field(ge=0, le=MAX_FRAME)
    x_min: Coordinate
    y_min: Coordinate
    x_max: Coordinate
    y_max: Coordinate
    label: str = Field(min_length=1)
    finding_id: str = ""
    """Which finding it shows, where that is known."""
    score: float = Field(default=1.0, ge=0, le=1)
    """Of the detector that drew it."""
    suggested_by: str = Field(default="", pattern=METHOD)
    """Method of the explanation that suggested it, where a reader accepted it; empty: a reader drew it."""

    @model_validator(mode="after")
    def _check_order(self) -> "BoxRow":
        if not (self.x_min < self.x_max and self.y_min < self.y_max):
            raise ValueError("a box needs x_min < x_max and y_min < y_max")
        return self


def read_findings(
    path: Path, notes: list[str] | None = None, row_type: type[FindingRow] = FindingRow
) -> list[FindingRow]:
    """Read findings.csv; raises `UserError` naming the line, or a finding that is listed twice in a study.

    `notes` receives sentences about how the file was read; `row_type` may have further columns.
    """
    rows = read_rows(path, row_type, ("finding_id", "study_id", "kind"), notes)
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if (row.study_id, row.finding_id) in seen:
            raise UserError(
                "{path}: the finding {finding_id} of study {study_id} is listed twice.",
                "Give each finding its own id.",
                path,
                row.finding_id,
                row.study_id,
            )
        seen.add((row.study_id, row.finding_id))
    return rows


def check_findings(labels: Iterable[LabelRow], findings: Iterable[FindingRow], path: Path) -> None:
    """Raise `UserError` for a label of a finding that the findings' file does not have.

    Args:
        labels: of any studies.
        findings: all rows of the file.
        path: of the file, for the sentence.
    """
    known = {(row.study_id, row.finding_id) for row in findings}
    for label in labels:
        if label.finding_id and (label.study_id, label.finding_id) not in known:
            raise UserError(
                "A label ({label}) of study {study_id} names the finding {finding_id}, which is not in {path}.",
                "Add the finding, or remove its id from the labels.",
                label.label,
                label.study_id,
                label.finding_id,
                path,
            )


def check_boxes(boxes: Iterable[BoxRow], study_id: str, width_px: int, height_px: int) -> None:
    """Raise `UserError` for a box of a study that reaches beyond its frames by more than a pixel."""
    for box in boxes:
        if box.study_id == study_id and (box.x_max > width_px + 1 or box.y_max > height_px + 1):
            raise UserError(
                "A box ({label}) on frame {frame_index} of study {study_id} reaches to x = {x_max:g}, y = "
                "{y_max:g}, beyond the frame ({width_px} x {height_px} px).",
                "Check that the boxes belong to this file and are given in px of its frames.",
                box.label,
                box.frame_index,
                study_id,
                box.x_max,
                box.y_max,
                width_px,
                height_px,
            )


def write_findings(path: Path, rows: Iterable[FindingRow]) -> None:
    """Write findings.csv; a column of details only where a finding has more than the default."""
    every = list(rows)
    held = type(every[0]).model_fields if every else {}
    _write_used(
        path, FINDING_COLUMNS, [name for name in held if name not in FindingRow.model_fields] + [*DETAIL_COLUMNS], every
    )


def _write_used(path: Path, columns: Sequence[str], further: Sequence[str], rows: Sequence[TableRow]) -> None:
    """Write columns, and those further ones in which a row says more than the default."""
    fields = type(rows[0]).model_fields if rows else {}
    used = [name for name in further if any(getattr(row, name) != fields[name].default for row in rows)]
    write_rows(path, (*columns, *used), rows)


def read_boxes(path: Path, notes: list[str] | None = None) -> list[BoxRow]:
    """Read boxes.csv; raises `UserError` naming the line. `notes` receives sentences about how the file was read."""
    return read_rows(path, BoxRow, BOX_COLUMNS, notes)


def write_boxes(path: Path, rows: Iterable[BoxRow]) -> None:
    """Write boxes.csv; further columns only where a box says more than the default."""
    _write_used(path, BOX_COLUMNS, ("finding_id", "score", "suggested_by"), list(rows))


_MOST_LETTERS = 200


class LinkRow(TableRow):
    """Two places, each a frame of a study; nothing in it names a patient or a file."""

    study_id: str = Field(min_length=1)
    frame_index: int = Field(ge=0, le=MAX_FRAME)
    other_study_id: str = Field(min_length=1)
    """May be the same."""
    other_frame_index: int = Field(ge=0, le=MAX_FRAME)
    is_same: bool
    """Whether both show the same finding or the same place; else they show different ones."""
    name: str = Field("", max_length=_MOST_LETTERS)
    """What is meant at the place: a class, or "" for the place itself."""
    other_name: str = Field("", max_length=_MOST_LETTERS)
    reader: str = Field("", max_length=_MOST_LETTERS, pattern=r"^[^\r\n\t]*$")
    """Who linked them."""


LINK_COLUMNS = tuple(LinkRow.model_fields)
_NEEDED = ("study_id", "frame_index", "other_study_id", "other_frame_index", "is_same")


def read_links(path: Path, notes: list[str] | None = None) -> list[LinkRow]:
    """Read links.csv; raises `UserError` naming the line. `notes` receives sentences about how the file was read."""
    return read_rows(path, LinkRow, _NEEDED, notes)


def write_links(path: Path, rows: Iterable[LinkRow]) -> None:
    """Write links.csv."""
    write_rows(path, LINK_COLUMNS, rows)
