"""Labelled images (`filename,label,group`): sets that are single pictures instead of studies."""

from pathlib import Path

from pydantic import Field

from training.datasets.table import TableRow, read_rows

COLUMNS = ("filename", "label", "group")


class LabelledImage(TableRow):
    """One picture; pictures of one group (a patient, a sequence) are never on both sides of a split."""

    filename: str = Field(min_length=1)
    label: str = Field(min_length=1)
    group: str = Field(min_length=1)


def read_labelled_images(path: Path) -> list[LabelledImage]:
    """Read a CSV of labelled images; raises `UserError` naming the line."""
    return read_rows(path, LabelledImage, COLUMNS)
