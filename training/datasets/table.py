"""Reading and writing CSV tables row by row, with errors that name the file and the row."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from training.errors import UserError
from training.files import csv_text, delimited
from training.settings import MAX_NUMBER, what_is_wrong
from training.texts import Text

Row = TypeVar("Row", bound=BaseModel)
MAX_FRAME = MAX_NUMBER
"""Of a frame's number."""


class TableRow(BaseModel):
    """One row of a table: frozen, its numbers finite."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


def read_rows(
    path: Path,
    row_type: type[Row],
    needed: Sequence[str],
    notes: list[str] | None = None,
    column_of: Mapping[str, str] = MappingProxyType({}),
) -> list[Row]:
    """Read a CSV file as rows of a pydantic type.

    Empty cells are left to the type's defaults.

    Args:
        path: of the file; see `read_table` for what is detected.
        row_type: of the rows.
        needed: columns that must be there.
        notes: receives sentences about how the file was read.
        column_of: field of the type -> the column that it is read from, where that has another name.

    Raises:
        UserError: as `read_table`; with the line: another number of cells than the first line has, a row that the type
            refuses.
    """
    kinds = {name: str(field.annotation) for name, field in row_type.model_fields.items()}
    numbers = [name for name, kind in kinds.items() if ("float" in kind or "int" in kind) and "Literal" not in kind]
    integers = [name for name in numbers if "float" not in kinds[name]]
    table = delimited.read_table(path, needed, known=list(kinds), numbers=numbers, integers=integers)
    if notes is not None:
        notes += table.notes
    field_of = dict.fromkeys(column_of, "") | {column: field for field, column in column_of.items()}
    fields = [field_of.get(name, name) for name in table.header]
    rows = []
    for line, cells in table.rows:
        while len(cells) > len(table.header) and not cells[-1].strip():  # as spreadsheets leave them
            cells.pop()
        if len(cells) != len(table.header):
            raise UserError(
                "{path}, line {line}: {count} cells where the first line names {header_count} columns.",
                "The file may be cut short, or a text with a comma needs quotation marks.",
                path,
                line,
                len(cells),
                len(table.header),
            )
        rows.append(parse_row(path, line, row_type, dict(zip(fields, cells, strict=True))))
    return rows


def parse_row(path: Path, line: int, row_type: type[Row], cells: Mapping[str, str]) -> Row:
    """Check one row; columns that the type does not know and empty cells are left out."""
    known = {
        name: csv_text.unguarded(value.strip())
        for name, value in cells.items()
        if name in row_type.model_fields and value.strip()
    }
    try:
        return row_type.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        said = what_is_wrong(first)
        if first["loc"]:
            said = Text("column {column}: {said}", first["loc"][0], said)
        raise UserError("{path}, line {line}: {said}.", "", path, line, said) from error


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[BaseModel]) -> None:
    """Write a CSV file beside and rename it."""
    csv_text.write_csv(path, columns, ([getattr(row, name) for name in columns] for row in rows))
