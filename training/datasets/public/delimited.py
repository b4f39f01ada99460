"""Tables and lists of public data sets, and boxes as YOLO writes them."""

import math
from collections.abc import Sequence
from pathlib import Path

from training.datasets.public.layout import PublishedBox
from training.errors import UserError
from training.files.delimited import Table, read_table
from training.files.inputs import read_text


def read_delimited(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of `read_numbered` without the numbers of their lines."""
    return [row for _, row in read_numbered(path, needed)]


def read_numbered(path: Path, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a table as rows of text by column.

    Args:
        path: of the file; see `read_table` for what is detected.
        needed: columns that must be there.

    Returns:
        Number of the line (from 1) and row, for each line that is not empty; cells without blanks around them, ""
        where a line is short.

    Raises:
        UserError: as `read_table`, or a cell too many in a line.
    """
    table = read_table(_there(path), needed)
    return [(line, _row(table, line, cells)) for line, cells in table.rows]


def _there(path: Path) -> Path:
    if not path.exists():
        hint = "Give the folder that holds it, or download it: `datasets list` shows where."
        raise UserError(f"{path} does not exist.", hint)
    return path


def text_lines(path: Path) -> list[str]:
    """The lines of a downloaded text file; raises `UserError` where it is none."""
    try:
        text = read_text(_there(path), "text file")
    except UserError as error:
        if not path.exists():
            raise
        raise UserError(f"{path} cannot be read as text: {error.message}", "Download it again.") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(f"{path} cannot be read as text: line {line} holds a null byte.", "Download it again.")
    return text.splitlines()


def _row(table: Table, line: int, cells: list[str]) -> dict[str, str]:
    names = table.header
    if len(cells) > len(names) and any(cells[len(names) :]):
        raise UserError(
            f"{table.path}, line {line}: {len(cells)} cells where the first line names {len(names)} columns.",
            "The file is damaged, or has another delimiter in some lines: download it again.",
        )
    return dict(zip(names, [cell.strip() for cell in [*cells, *[""] * (len(names) - len(cells))]], strict=False))


def read_yolo(path: Path, names: Sequence[str]) -> tuple[PublishedBox, ...]:
    """Boxes in shares of the image's width and height, in the order of the file; none for an empty file.

    YOLO has a text file for an image, a line `class x_center y_center width height` for each box.

    Args:
        path: the text file.
        names: of the classes 0, 1, ...

    Raises:
        UserError: the file is no text; or naming file and line, for what is no such line.
    """
    lines = text_lines(path)
    name_of = {float(number): name for number, name in enumerate(names)}
    boxes = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            kind, x, y, width, height = (float(cell) for cell in line.split())
            name = name_of[kind]
            if not all(map(math.isfinite, (x, y, width, height))):
                raise ValueError("not finite numbers")
        except (ValueError, KeyError) as error:
            raise UserError(
                f"{path}, line {number}: “{line.strip()[:60]}” is not a box of one of {len(names)} classes.",
                "A line reads: class x_center y_center width height. Download the file again.",
            ) from error
        boxes.append(PublishedBox(name, x - width / 2, y - height / 2, x + width / 2, y + height / 2, is_relative=True))
    return tuple(boxes)
