"""findings.csv and boxes.csv: what was found, and where in the frame it lies."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from training.datasets.table import read_rows, write_rows

FINDING_COLUMNS = ("finding_id", "study_id", "kind", "size_mm", "morphology")
BOX_COLUMNS = ("study_id", "frame_index", "x_min", "y_min", "x_max", "y_max", "label")


class FindingRow(BaseModel):
    """Something seen in a study; its frames are the labels that carry its id."""

    model_config = ConfigDict(frozen=True)

    finding_id: str = Field(min_length=1)
    study_id: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    size_mm: float | None = Field(default=None, gt=0)
    morphology: str = ""


class BoxRow(BaseModel):
    """A box in pixels of the study's frames: x to the right, y down, from the upper left corner."""

    model_config = ConfigDict(frozen=True)

    study_id: str = Field(min_length=1)
    frame_index: int = Field(ge=0)
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    label: str = Field(min_length=1)

    @model_validator(mode="after")
    def _check_order(self) -> "BoxRow":
        if not (self.x_min < self.x_max and self.y_min < self.y_max):
            raise ValueError("a box needs x_min < x_max and y_min < y_max")
        return self


def read_findings(path: Path) -> list[FindingRow]:
    """Read findings.csv; raises `UserError` naming the line."""
    return read_rows(path, FindingRow, ("finding_id", "study_id", "kind"))


def write_findings(path: Path, rows: Iterable[FindingRow]) -> None:
    """Write findings.csv."""
    write_rows(path, FINDING_COLUMNS, rows)


def read_boxes(path: Path) -> list[BoxRow]:
    """Read boxes.csv; raises `UserError` naming the line."""
    return read_rows(path, BoxRow, BOX_COLUMNS)


def write_boxes(path: Path, rows: Iterable[BoxRow]) -> None:
    """Write boxes.csv."""
    write_rows(path, BOX_COLUMNS, rows)
