"""Invalid rows in the database: recognised and left out when read, never deleted."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import JSON, Boolean, Column, Float, Integer, Table

Made = TypeVar("Made")
_MOST = 2**63


@dataclass(frozen=True, slots=True)
class UnreadableJson:
    """A cell that should hold JSON and does not."""

    text: str


def read_json(text: str) -> Any:
    """The value of a JSON cell, or `UnreadableJson`: one bad cell must not hide the rows around it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return UnreadableJson(str(text)[:200])


def check_row(table: Table, row: Mapping[str, Any], but: Collection[str] = ()) -> None:
    """Check that every column of a row holds what its type says; SQLite itself stores any value in any column.

    Args:
        but: columns that do not matter.

    Raises:
        ValueError: naming the column.
    """
    for column in table.columns:
        if column.name in but:
            continue
        if column.name not in row:
            raise ValueError(f"{column.name} is missing")
        value = row[column.name]
        if value is None and column.nullable:
            continue
        if not _fits(column, value):
            raise ValueError(f"{column.name} is {shown(value)}")


class InvalidRows:
    """Rows that break rules and are left out, as sentences; they stay in the database."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, kind: str, identity: object, error: Exception) -> None:
        """Add a row that is left out."""
        self.problems.append(f"{kind} {identity if isinstance(identity, str) else shown(identity)}: {error}")

    def keep_valid(
        self, kind: str, rows: Iterable[dict[str, Any]], make: Callable[[dict[str, Any]], Made]
    ) -> tuple[Made, ...]:
        """The results of `make` for the rows; rows for which it raises ValueError are noted and left out."""
        made = []
        for row in rows:
            try:
                made.append(make(row))
            except ValueError as error:
                self.add(kind, row.get(f"{kind}_id"), error)
        return tuple(made)


def shown(value: object) -> str:
    """A value for a message: short, and visible as what it is."""
    text = value.text if isinstance(value, UnreadableJson) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _fits(column: Column[Any], value: object) -> bool:
    match column.type:
        case JSON():
            return not isinstance(value, UnreadableJson)
        case Boolean():
            return isinstance(value, bool) or value in (0, 1)
        case Integer():
            return type(value) is int and -_MOST <= value < _MOST
        case Float():
            return isinstance(value, int | float) and -math.inf < value < math.inf and not isinstance(value, bool)
        case _:
            return isinstance(value, str)
