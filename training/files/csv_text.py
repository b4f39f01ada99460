"""Text in CSV cells: written so that a spreadsheet does not take it for a formula, and read back as it was."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from training.files.outputs import written_beside

MAX_COLUMNS = 1000
"""Of any table that is read."""
_FORMULA = re.compile(r"[\s']*[=+\-@]|'*[\t\r\n]")
_HARMLESS = re.compile(r"[+-]|[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")  # a dash for "nothing", or a number


def guarded(cell: Any) -> Any:
    """A text that a spreadsheet would run gets an apostrophe in front, which spreadsheets take for "this is text".

    Numbers stay numbers, also those that were written out as text.
    """
    return f"'{cell}" if isinstance(cell, str) and _needs_guard(cell) else cell


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell[1:] if cell.startswith("'") and _needs_guard(cell[1:]) else cell


def _needs_guard(text: str) -> bool:
    # Text that begins with apostrophes before such a sign gets one more, or reading could not distinguish the two.
    return _FORMULA.match(text) is not None and _HARMLESS.fullmatch(text) is None


class CsvWriter:
    """Writes rows of CSV with every text guarded; None is an empty cell."""

    def __init__(self, file: TextIO, lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(file, lineterminator=lineterminator)

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        self._writer.writerow([guarded(cell) for cell in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write many rows."""
        for row in rows:
            self.writerow(row)


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Iterable[Any]], *, clean: bool = False) -> Path:
    """Write a table beside and rename it; None is an empty cell. `clean`: see `written_beside`."""
    with written_beside(path, clean=clean) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def read_dicts(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """The rows of a table by the names in its first line, as `CsvWriter` was given them; short rows lack cells."""
    rows = read_lists(lines)
    header = next(rows, [])
    return (dict(zip(header, row, strict=False)) for row in rows if row)


def read_lists(lines: Iterable[str]) -> Iterator[list[str]]:
    """The rows as lists of texts, as `CsvWriter` was given them.

    Raises:
        csv.Error: a line has more than `MAX_COLUMNS` cells, or cannot be read.
    """
    for row in csv.reader(lines):
        if len(row) > MAX_COLUMNS:
            raise csv.Error(f"a line has {len(row):,} columns")
        yield unguarded_row(row)


def unguarded_row(row: Sequence[str]) -> list[str]:
    """A row's texts."""
    return [unguarded(cell) for cell in row]
