"""Reading and writing CSV tables row by row, with errors that name the file and the row."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from training.errors import UserError
from training.files.csv_text import CsvWriter, unguarded
from training.files.inputs import read_text
from training.files.outputs import written_beside
from training.settings import MAX_NUMBER, shortened

Row = TypeVar("Row", bound=BaseModel)
MAX_FRAME = MAX_NUMBER
"""Of a frame's number."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class TableRow(BaseModel):
    """One row of a table: frozen, its numbers finite."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


def read_rows(path: Path, row_type: type[Row], needed: Sequence[str]) -> list[Row]:
    """Read a CSV file as rows of a pydantic type.

    Empty cells are left to the type's defaults.

    Raises:
        UserError: no regular file, no UTF-8, a column that is missing or repeated; with the line: a control
            character, another number of cells than the first line has, a cell that is too long, a row that the type
            refuses.
    """
    text = _text(path)
    lines = _numbered(path, text)
    _, names = next(lines, (0, []))
    header = [name.strip() for name in names]
    missing = [name for name in needed if name not in header]
    if missing:
        raise UserError(
            f"{path} has no column {missing[0]}.", f"Its first line must name the columns {', '.join(needed)}."
        )
    twice = [name for place, name in enumerate(header) if name and name in header[:place]]
    if twice:
        raise UserError(f"{path} has two columns {shortened(twice[0])}.", "Name each column once in the first line.")
    rows = []
    for line, cells in lines:
        if len(cells) != len(header):
            raise UserError(
                f"{path}, line {line}: {len(cells)} cells where the first line names {len(header)} columns.",
                "The file may be cut short, or a text with a comma needs quotation marks.",
            )
        rows.append(parse_row(path, line, row_type, dict(zip(header, cells, strict=True))))
    return rows


def parse_row(path: Path, line: int, row_type: type[Row], cells: Mapping[str, str]) -> Row:
    """Check one row; columns that the type does not know and empty cells are left out."""
    known = {
        name: unguarded(value.strip())
        for name, value in cells.items()
        if name in row_type.model_fields and value.strip()
    }
    try:
        return row_type.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        where = f" column {first['loc'][0]}:" if first["loc"] else ""
        said = str(first["msg"]).removeprefix("Value error, ")
        raise UserError(f"{path}, line {line}:{where} {said}.") from error


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[BaseModel]) -> None:
    """Write a CSV file beside and rename it."""
    with written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(columns)
        for row in rows:
            writer.writerow(["" if (value := getattr(row, name)) is None else value for name in columns])


def _text(path: Path) -> str:
    """The text of a CSV file without control characters."""
    try:
        text = read_text(path, "CSV file")
    except UserError as error:
        raise UserError(f"{path} cannot be read: {error.message}", error.hint or "Give a CSV file.") from error
    if (found := _CONTROL.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise UserError(
            f"{path}, line {line}: there is a control character (number {ord(found.group())}), so this is not a CSV "
            "file.",
            "Save it as CSV (UTF-8).",
        )
    return text


def _numbered(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not empty, with the number of the line in which it ends."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise UserError(
            f"{path}, line {reader.line_num}: this is not a CSV file ({error}).", "Save it as CSV (UTF-8)."
        ) from error
