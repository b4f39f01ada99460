"""Reading and writing CSV tables row by row, with errors that name the file and the row."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from training.errors import UserError
from training.files.csv_text import CsvWriter, unguarded

Row = TypeVar("Row", bound=BaseModel)


def read_rows(path: Path, row_type: type[Row], needed: Sequence[str]) -> list[Row]:
    """Read a CSV file as rows of a pydantic type.

    Empty cells are left to the type's defaults. Raises `UserError` naming the file, and the line of a bad row.
    """
    with _opened(path) as lines:
        reader = csv.DictReader(lines)
        header = [name.strip() for name in reader.fieldnames or ()]
        missing = [name for name in needed if name not in header]
        if missing:
            raise UserError(
                f"{path} has no column {missing[0]}.", f"Its first line must name the columns {', '.join(needed)}."
            )
        reader.fieldnames = header
        return [parse_row(path, reader.line_num, row_type, cells) for cells in reader]


def parse_row(path: Path, line: int, row_type: type[Row], cells: Mapping[str | None, object]) -> Row:
    """Check one row; columns that the type does not know and empty cells are left out."""
    known = {
        name: unguarded(value.strip())
        for name, value in cells.items()
        if name in row_type.model_fields and isinstance(value, str) and value.strip()
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
    beside = path.with_name(path.name + ".new")
    with beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(columns)
        for row in rows:
            writer.writerow(["" if (value := getattr(row, name)) is None else value for name in columns])
    beside.replace(path)


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a text file (with or without a byte-order mark), with the usual troubles as sentences."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            yield iter(file)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.", "Give a CSV file.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} is not a CSV file in UTF-8: {error}.", "Save it as CSV (UTF-8).") from error
