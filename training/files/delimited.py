"""Reading tables of text, as programs and spreadsheets of any country write them: CSV with any usual delimiter."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.files.csv_text import MAX_COLUMNS
from training.files.inputs import read_bytes
from training.texts import Text

MAX_TABLE_BYTES = 256 * 1024**2
"""Of a table; a million labels take some 60 MB."""
MAX_CELLS = 10_000_000
"""Of a table, where each row counts as two cells more: a million labels count as 9 million, and take 1 GB."""
_CELLS_OF_ROW = 2

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+|[+-]?[1-9]\d{0,2}(?:\.\d{3})+")
"""A number that may have separators between thousands: 1,234 or 1.234."""
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""The line by which Excel names the delimiter."""


_LETTERS_LOOKED_AT = 200
_SHARE_OF_ZEROS = 0.9


@dataclass
class Table:
    """A table of text.

    Attributes:
        header: names of the columns, without blanks around them.
        rows: number of the line in which each ends, from 1, and its cells; lines without any are left out.
        notes: sentences about how it was read, where that is not as this program writes tables.
    """

    path: Path
    header: list[str]
    rows: list[tuple[int, list[str]]]
    notes: tuple[str, ...] = ()


def read_table(
    path: Path,
    needed: Sequence[str],
    *,
    known: Collection[str] = (),
    numbers: Collection[str] | None = None,
    integers: Collection[str] = (),
) -> Table:
    """Read a table whose first line names its columns; encoding, delimiter and decimal sign are detected.

    The text is UTF-8, UTF-16, or else Windows-1252. The delimiter is the one under which the first line has most of the
    columns. Decimal commas become points, in columns that hold nothing but numbers.

    Args:
        known: columns that may be there; “Study ID” in the file is the known study_id.
        numbers: columns that may hold numbers; None: any.
        integers: columns of whole numbers.

    Raises:
        UserError: no regular file, or no text; larger than `MAX_TABLE_BYTES`, or with more than `MAX_CELLS`; a column
            that is missing or repeated; with the line: a control character, a cell that is too long, more than
            `MAX_COLUMNS` cells, a number that may be read as two.
    """
    text, encoding = _decoded(path)
    text, delimiter = _delimited(text, needed, known)
    lines = _lines(path, text, delimiter)
    _, names = next(lines, (0, []))
    header = [_column(name, (*needed, *known)) for name in names]
    _check_header(path, header, needed, text.partition("\n")[0][:200].strip())
    rows = list(lines)
    has_commas = _write_points(path, header, rows, numbers, integers)
    details: list[str] = [Text("as {encoding} text", encoding)] if encoding != "UTF-8" else []
    details += [Text("with {delimiter} between columns", DELIMITERS[delimiter])] if delimiter != "," else []
    details += [Text("with commas in decimal numbers")] if has_commas else []
    notes = (Text("{name} was read {details}.", path.name, details),) if details else ()
    return Table(path, header, rows, notes)


def first_line(path: Path) -> str:
    """The first line of a text; raises `UserError` as `read_table` does."""
    return _decoded(path)[0].partition("\n")[0]


def _decoded(path: Path) -> tuple[str, str]:
    """The text of a file without control characters, and the name of its encoding."""
    try:
        content = read_bytes(path, "CSV file", max_bytes=MAX_TABLE_BYTES)
    except UserError as error:
        raise UserError(
            Text("{path} cannot be read: {message}", path, error.message), error.hint or "Give a CSV file."
        ) from error
    tried = (
        [(utf_16, "UTF-16")] if (utf_16 := _utf_16(content)) else [("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252")]
    )
    for codec, name in tried:
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if (control := _CONTROL.search(text)) is not None:
            line = text.count("\n", 0, control.start()) + 1
            raise UserError(
                "{path}, line {line}: there is a control character (number {ord}), so this is not a CSV file.",
                "Save it as CSV (UTF-8).",
                path,
                line,
                ord(control.group()),
            )
        return text if "\n" in text else text.replace("\r", "\n"), name  # lines of an old Mac end so
    raise UserError("{path} is not a valid CSV file: its text has no known encoding.", "Save it as CSV (UTF-8).", path)


def _utf_16(content: bytes) -> str:
    """The codec of text in UTF-16, by its mark or by the zeros in its first letters; empty for other text."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    letters = content[:_LETTERS_LOOKED_AT]
    zeros = letters[1::2].count(0), letters[::2].count(0)
    if len(content) % 2 or max(zeros) < _SHARE_OF_ZEROS * len(letters) / 2 or min(zeros):
        return ""
    return "utf-16-le" if zeros[0] else "utf-16-be"


def _column(name: str, known: Collection[str]) -> str:
    """The name of a column without blanks around it; a known one may be written with capitals, blanks or hyphens."""
    name = name.strip()
    plain = re.sub(r"[\s-]+", "_", name.casefold())
    return plain if name not in known and plain in known else name


def _delimited(text: str, needed: Sequence[str], known: Collection[str]) -> tuple[str, str]:
    """The text without the line that names the delimiter, and the delimiter."""
    if (named := _SEPARATOR_LINE.match(text)) is not None:
        return text[named.end() :], named[1]
    header = text[: text.find("\n")] if "\n" in text else text

    def hits(delimiter: str) -> int:
        names = [
            _column(name, (*needed, *known)) for name in next(csv.reader([header[:100_000]], delimiter=delimiter), [])
        ]
        return sum(name in names for name in needed)

    return text, max(DELIMITERS, key=hits)


def _lines(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not empty, with the number of the line in which it ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    count = 0
    try:
        for cells in reader:
            count += len(cells) + _CELLS_OF_ROW
            if len(cells) > MAX_COLUMNS:
                raise UserError(
                    "{path}, line {line_num}: there are {count:,} columns; a table has at most {max_columns:,}.",
                    "Check that this is the right file.",
                    path,
                    reader.line_num,
                    len(cells),
                    MAX_COLUMNS,
                )
            if count > MAX_CELLS:
                raise UserError(
                    "{path} has more than {max_cells:,} cells.", "Divide it into several files.", path, MAX_CELLS
                )
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise UserError(
            "{path}, line {line_num}: this is not a CSV file ({error}).",
            "Save it as CSV (UTF-8).",
            path,
            reader.line_num,
            error,
        ) from error


def _check_header(path: Path, header: Sequence[str], needed: Sequence[str], line: str) -> None:
    for name in needed:
        if name not in header:
            raise UserError(
                "{path} has no column {name}; its first line is “{line}”.",
                "It must name the columns {needed}, separated by commas, semicolons, tabs or |.",
                path,
                name,
                line[:120],
                ", ".join(needed),
            )
    twice = [name for place, name in enumerate(header) if name and name in header[:place]]
    if twice:
        raise UserError(
            "{path} has two columns {twice}.", "Name each column once in the first line.", path, twice[0][:60]
        )


def _write_points(
    path: Path,
    header: Sequence[str],
    rows: Sequence[tuple[int, list[str]]],
    numbers: Collection[str] | None,
    integers: Collection[str],
) -> bool:
    """Put points in place of decimal commas; returns whether there are any."""
    columns = [at for at, name in enumerate(header) if numbers is None or name in numbers]
    columns = [at for at in columns if _is_of_numbers(rows, at)]

    def cells() -> Iterator[tuple[int, list[str], int, str]]:
        return ((line, row, at, row[at].strip()) for line, row in rows for at in columns if at < len(row))

    has_commas = any("," in cell and not _GROUPED.fullmatch(cell) for _, _, _, cell in cells())
    for line, row, at, cell in cells():
        is_whole = header[at] in integers
        is_unclear = _GROUPED.fullmatch(cell) and (is_whole or ("," in cell and not has_commas))
        if is_unclear or (has_commas and "." in cell):
            plain = re.sub("[.,]", "", cell)
            raise UserError(
                "{path}, line {line}: the number “{cell}” in the column {header} may mean {plain}, or {cell2}.",
                "Write numbers with a decimal point, and with nothing between the thousands.",
                path,
                line,
                cell[:60],
                header[at],
                plain[:60],
                cell.replace(",", ".")[:60],
            )
        if "," in cell:
            row[at] = cell.replace(",", ".")
    return has_commas


def _is_of_numbers(rows: Sequence[tuple[int, list[str]]], at: int) -> bool:
    """Whether a column has a number with a sign in it, and nothing but numbers."""
    is_signed = False
    for _, row in rows:
        cell = row[at].strip() if at < len(row) else ""
        if cell and not (_NUMBER.fullmatch(cell) or _GROUPED.fullmatch(cell)):
            return False
        is_signed = is_signed or "," in cell or "." in cell
    return is_signed
