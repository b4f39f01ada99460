"""links.csv: pairs of places that show the same, or do not, according to a reader."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import Field

from training.datasets.table import MAX_FRAME, TableRow, read_rows, write_rows

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
