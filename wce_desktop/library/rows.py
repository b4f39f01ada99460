"""Items as rows of their tables, and as JSON in the undo history and the audit log: one shape for all three.

Invalid rows in the database are recognised and left out when read, never deleted.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from sqlalchemy import JSON, Boolean, Column, Connection, Float, Integer, Table, select

from wce_desktop.core.annotation.change import Add, Change, Item, Remove, Replace, items_of
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.span import Span
from wce_desktop.library import tables
from wce_desktop.library.storage.revisions import REVISIONS

Made = TypeVar("Made")
_MOST = 2**63

Row = dict[str, Any]
CHANGES_VERSION = len(REVISIONS)
"""Written with the changes of an edit: a new column comes with a new revision. 0 are lists without a version."""

_NONE = type(None)
_LABEL_COLUMNS = ("label_id", "start", "stop", "name", "source", "finding_id", "reader", "model_id", "answer")
_LABELS_OF_STUDY = f"SELECT {', '.join(_LABEL_COLUMNS)} FROM labels WHERE study_id = ? ORDER BY start, name"
_LABEL_TYPES = {
    (str, int, int, str, str, finding, str, model, str) for finding in (str, _NONE) for model in (str, _NONE)
}  # quicker to compare than to ask each value

KINDS: dict[str, tuple[type, Table]] = {
    "finding": (Finding, tables.findings),
    "label": (Label, tables.labels),
    "landmark": (Landmark, tables.landmarks),
    "box": (Box, tables.boxes),
    "report part": (ReportPart, tables.report_parts),
    "link": (Link, tables.links),
    "record": (Record, tables.studies),
}
"""Kind of item -> its class and its table; a finding comes before what belongs to it."""
KIND_OF = {item_type: kind for kind, (item_type, _) in KINDS.items()}
_FIELDS = {item_type: tuple(field.name for field in fields(item_type)) for item_type in KIND_OF}
_VERBS: dict[str, type] = {change.verb: change for change in (Add, Remove, Replace)}


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
        results = []
        for row in rows:
            try:
                results.append(make(row))
            except ValueError as error:
                self.add(kind, row.get(f"{kind}_id"), error)
        return tuple(results)


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


def columns_of(item_type: type) -> frozenset[str]:
    """The columns that hold an item of this kind."""
    names = set(_FIELDS[item_type])
    return frozenset(names - {"span"} | ({"start", "stop"} if "span" in names else set()))


_NOT_OF = {item_type: frozenset(table.columns.keys()) - columns_of(item_type) for item_type, table in KINDS.values()}
"""The columns of a table that its items do not have."""


def as_row(row: Any) -> Row:
    """A row of the database as a plain dictionary."""
    return dict(row._mapping)


def table_of(item: Item) -> Table:
    """The table that holds items of this kind."""
    return KINDS[kind_of(item)][1]


def kind_of(item: Item) -> str:
    """ "label", "finding", "landmark", "box", "link", "record" or "report part"."""
    return KIND_OF[type(item)]


def to_row(item: Item) -> Row:
    """The columns of an item; a span becomes `start` and `stop`, the values are JSON's."""
    row: Row = {name: getattr(item, name) for name in _FIELDS[type(item)]}
    span = row.pop("span", None)
    if span is not None:
        row |= {"start": span.start, "stop": span.stop}
    if "region" in row:
        row["region"] = str(row["region"])
    if "key_frames" in row:
        row["key_frames"] = list(row["key_frames"])
    if "content" in row:
        row["content"] = dict(row["content"])
    return row


def from_row(kind: str, row: Mapping[str, Any]) -> Item:
    """The item that a row holds; columns that only the table has are left out.

    Raises:
        ValueError: the row breaks a rule.
    """
    item_type, table = KINDS[kind]
    check_row(table, row, but=_NOT_OF[item_type])
    values = dict(row)
    if "start" in values:
        values["span"] = Span(values["start"], values["stop"])
    if "region" in values:
        values["region"] = Region(values["region"])
    if "key_frames" in values:
        frames = values["key_frames"]
        if not (isinstance(frames, list) and all(type(frame) is int and frame >= 0 for frame in frames)):
            raise ValueError(f"key_frames is {shown(frames)}")
        values["key_frames"] = tuple(frames)
    if "is_same" in values:
        values["is_same"] = bool(values["is_same"])
    if values.get("was_seen_before") is not None and item_type is Finding:
        values["was_seen_before"] = bool(values["was_seen_before"])
    if "content" in values and not isinstance(values["content"], dict):
        raise ValueError(f"content is {shown(values['content'])}")
    item: Item = item_type(**{name: values[name] for name in _FIELDS[item_type]})
    return item


def read_labels(connection: Connection, study_id: str, aside: InvalidRows | None = None) -> tuple[Label, ...]:
    """The labels of a study in order of time; written out, because there may be 100,000 and a reader waits.

    Rows that break a rule are noted in `aside` and left out, and of two labels of one name that overlap the later one.
    """
    aside = InvalidRows() if aside is None else aside
    count = connection.execute(select(tables.studies.c.frame_count).where(tables.studies.c.study_id == study_id))
    counted = count.scalar()
    last = counted if type(counted) is int and counted > 0 else math.inf  # 0: not yet counted
    labels: list[Label] = []
    ends: dict[str, int] = {}
    held: dict[Any, Any] = {}  # one text for all labels that have it: 100,000 copies take 22 MB
    for row in tables.execute(connection, _LABELS_OF_STUDY, [study_id]):  # one by one, SQLAlchemy would take all
        label_id, start, stop = row[:3]
        name, source, finding_id, reader, model_id, answer = (held.setdefault(text, text) for text in row[3:])
        try:
            if tuple(map(type, row)) not in _LABEL_TYPES:
                raise ValueError(
                    f"{start=}, {stop=}, {name=}, {source=}, {finding_id=}, {reader=}, {model_id=}, {answer=}"
                )
            if stop > last:
                raise ValueError(f"frame {stop - 1:,} lies past the end of the study")
            if start < ends.get(name, start):
                raise ValueError(f"it overlaps another label {name} at frame {start:,}")
            span = Span(start, stop)
            labels.append(Label(label_id, study_id, span, name, source, finding_id, reader, model_id, answer))
        except ValueError as error:
            aside.add("label", label_id, error)
            continue
        ends[name] = stop
    return tuple(labels)


def changes_to_json(changes: Iterable[Change]) -> dict[str, Any]:
    """The changes of an edit with the version of their rows: `{"version": 6, "changes": [[verb, kind, row, ...]]}`."""
    rows: list[list[Any]] = []
    for change in changes:
        *_, item = items = list(items_of([change]))
        rows.append([change.verb, kind_of(item), *map(to_row, items)])
    return {"version": CHANGES_VERSION, "changes": rows}


def changes_from_json(document: Any) -> tuple[Change, ...]:
    """The changes of an edit; columns that came after its version have the value that an item has without them.

    Raises:
        ValueError: it is not what `changes_to_json` writes, or of a later version.
    """
    match document:
        case {"version": int(version), "changes": list(changes)} if 0 < version <= CHANGES_VERSION:
            return tuple(_change_from_json(change, version) for change in changes)
        case list(changes):
            return tuple(_change_from_json(change, 0) for change in changes)
        case _:
            raise ValueError(f"changes is {shown(document)}")


def _change_from_json(document: Any, version: int) -> Change:
    match document:
        case [str(verb), str(kind), dict(), *further] if verb in _VERBS and kind in KINDS:
            if len(further) == (verb == "replace") and all(isinstance(row, dict) for row in further):
                change: Change = _VERBS[verb](*(_item(kind, row, version) for row in document[2:]))
                return change
    raise ValueError(f"a change is {shown(document)}")


def _item(kind: str, row: Row, version: int) -> Item:
    if version < CHANGES_VERSION:
        defaults = {field.name: field.default for field in fields(KINDS[kind][0]) if field.default is not MISSING}
        row = {name: list(value) if isinstance(value, tuple) else value for name, value in defaults.items()} | row
    return from_row(kind, row)
