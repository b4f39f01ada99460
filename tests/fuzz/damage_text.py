"""Ways to damage JSON and CSV files: what is well-formed and says something else than was expected."""

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz.damage_files import Way
from tests.fuzz.values import DEEP, DEEP_OBJECT, JSON_VALUES, TEXTS

CELLS: tuple[str, ...] = (
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "-1",
    "1e400",
    "1.5",
    "99999999999999999999",
    "1" * 5000,
    "0",
    "x" * 200_000,
)
CELLS += ("=1+1", "\x00", "normal", "polyp", "1,2", '"', "../../x", "/", "null", "١٢", "1000000000", "2147483648")


def change_json(value: Any, rng: random.Random) -> Any:
    """The value with one to three places in it changed."""
    for _ in range(rng.choice((1, 1, 1, 3))):
        value = _change_once(value, rng)
    return value


def _change_once(value: Any, rng: random.Random) -> Any:
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice(JSON_VALUES)
    key: Any = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    changed: Any = value.copy()
    how = rng.randrange(8)
    if how == 0:
        del changed[key]
    elif how == 1 and isinstance(changed, dict):
        changed[rng.choice(("x", "", "__class__", "version", key + " "))] = rng.choice(JSON_VALUES)
    elif how == 1:
        changed += changed[:1] * 3
    elif how == 2:
        changed[key] = [changed[key]]
    elif how == 3:
        changed[key] = rng.choice(TEXTS)
    else:
        changed[key] = _change_once(changed[key], rng)
    return changed


def json_value(path: Path, rng: random.Random) -> None:
    """A value, a key or a list that is another than was expected."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines() if path.suffix == ".jsonl" else [text]
    number = rng.randrange(len(lines))
    lines[number] = json.dumps(change_json(json.loads(lines[number]), rng))
    path.write_text("\n".join(lines), encoding="utf-8")


def json_depth(path: Path, rng: random.Random) -> None:
    """Nested deeper than a stack can hold, at the top or in the place of a value."""
    deep = rng.choice((DEEP, DEEP_OBJECT, DEEP * 40))
    text = path.read_text(encoding="utf-8")
    places = [place for place, sign in enumerate(text) if sign == ":"]
    place = rng.choice(places) + 1 if places and rng.random() < 0.5 else 0
    path.write_text(text[:place] + deep + ("" if not place else ", " + text[place:]), encoding="utf-8")


def json_text(path: Path, rng: random.Random) -> None:
    """Another encoding, another number format, a key twice, something after the end."""
    text = path.read_text(encoding="utf-8")
    content = rng.choice(
        (
            b"\xef\xbb\xbf" + text.encode(),
            text.encode("utf-16"),
            text.encode() + b"\xff\xfe",
            text.encode() + b"{}",
            text.replace(": ", ": NaN, ", 1).encode(),
            text.replace("0", "1e999", 1).encode(),
            text.replace("1", "1" + "0" * 5000, 1).encode(),
            b"[]",
            b"null",
            b"0",
            b'"x"',
            b"{}",
            b"",
            b" " * 100,
        )
    )
    path.write_bytes(content)


def csv_cell(path: Path, rng: random.Random) -> None:
    """One to four cells of another kind."""
    _change_rows(path, rng, _change_cells)


def csv_shape(path: Path, rng: random.Random) -> None:
    """Columns or rows too many, too few, twice, or in another order."""
    _change_rows(path, rng, _change_shape)


def csv_text(path: Path, rng: random.Random) -> None:
    """Another encoding, quotes that are not closed, no line ends."""
    text = path.read_text(encoding="utf-8")
    content = rng.choice(
        (
            b"\xef\xbb\xbf" + text.encode(),
            text.encode("utf-16"),
            text.replace("polyp", "Entzündung").encode("latin-1"),
            text.replace(",", ';"', 3).encode(),
            text.replace(",", ";").encode(),
            text.replace("\n", "\r").encode(),
            text.replace("\n", "\x00\n", 2).encode(),
            b'"' + text.encode(),
            text.encode() + b"," * 100_000,
            text.encode() + text.encode(),
            b"\n" * 1000,
            b"{}",
        )
    )
    path.write_bytes(content)


def _change_rows(path: Path, rng: random.Random, change: Callable[[list[list[str]], random.Random], None]) -> None:
    text = path.read_text(encoding="utf-8")
    delimiter = ";" if text.split("\n", 1)[0].count(";") > 1 else ","
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter)) or [[""]]
    change(rows, rng)
    with path.open("w", newline="", encoding="utf-8", errors="surrogateescape") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


def _change_cells(rows: list[list[str]], rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 4))):
        row = rng.choice(rows[1:] or rows)
        if row:
            row[rng.randrange(len(row))] = rng.choice((*CELLS, *TEXTS))


def _change_shape(rows: list[list[str]], rng: random.Random) -> None:
    column, how = rng.randrange(max(1, len(rows[0]))), rng.randrange(7)
    if how == 0:
        for row in rows:
            del row[column : column + 1]
    elif how == 1:
        for row in rows:
            row[column:column] = row[column : column + 1]
    elif how == 2:
        rows[:] = rows[:1]
    elif how == 3:
        del rows[0]
    elif how == 4:
        rng.choice(rows).extend(["x"] * 5)
    elif how == 5:
        rows += rows[1:] * 3
    else:
        rng.shuffle(rows)


JSON_WAYS: tuple[Way, ...] = (json_value, json_value, json_value, json_depth, json_text)
CSV_WAYS: tuple[Way, ...] = (csv_cell, csv_cell, csv_cell, csv_shape, csv_text)
