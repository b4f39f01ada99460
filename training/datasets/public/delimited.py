"""Tables of public data sets, whatever their delimiter: comma, semicolon or tab; and boxes as YOLO writes them."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from training.datasets.public.layout import PublishedBox
from training.errors import UserError
from training.files.inputs import read_text

DELIMITERS = (",", ";", "\t", "|")


def read_delimited(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of `read_numbered` without the numbers of their lines."""
    return [row for _, row in read_numbered(path, needed)]


def read_numbered(path: Path, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a table as rows of text by column; the delimiter is the one under which the first line has the columns.

    Args:
        path: UTF-8 text, with or without a byte-order mark.
        needed: columns that must be there.

    Returns:
        Number of the line (from 1) and row, for each line that is not empty; cells without blanks around them, ""
        where a line is short.

    Raises:
        UserError: no such file, no text, no column, or a cell too many in a line.
    """
    return _rows(path, text_lines(path), needed)


def text_lines(path: Path) -> list[str]:
    """The lines of a downloaded text file; raises `UserError` where it is none."""
    try:
        text = read_text(path, "text file")
    except UserError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            hint = "Give the folder that holds it, or download it: `datasets list` shows where."
            raise UserError(f"{path} does not exist.", hint) from error
        raise UserError(f"{path} cannot be read as text: {error.message}", "Download it again.") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(f"{path} cannot be read as text: line {line} holds a null byte.", "Download it again.")
    return text.splitlines()


def _rows(path: Path, lines: list[str], needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    header = lines[0] if lines else ""
    delimiter = max(DELIMITERS, key=lambda one: sum(name in _cells(path, 1, header, one) for name in needed))
    names = _cells(path, 1, header, delimiter)
    for name in needed:
        if name not in names:
            raise UserError(
                f"{path} has no column {name}; its first line is “{header[:120]}”.",
                f"It needs the columns {', '.join(needed)}, separated by commas, semicolons, tabs or |.",
            )
    return [
        (number, _row(path, number, line, names, delimiter)) for number, line in enumerate(lines[1:], 2) if line.strip()
    ]


def _row(path: Path, number: int, line: str, names: list[str], delimiter: str) -> dict[str, str]:
    cells = _cells(path, number, line, delimiter)
    if len(cells) > len(names) and any(cells[len(names) :]):
        raise UserError(
            f"{path}, line {number}: {len(cells)} cells where the first line names {len(names)} columns.",
            "The file is damaged, or has another delimiter in some lines: download it again.",
        )
    return dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=False))


def _cells(path: Path, number: int, line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error as error:  # a cell of 128 KiB: some other file under this name
        raise UserError(f"{path} cannot be read as a table: line {number}: {error}.", "Download it again.") from error


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
