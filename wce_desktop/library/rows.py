"""Items as rows of their tables, and as JSON in the undo history and the audit log: one shape for all three."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Table, select

from wce_desktop.core.change import Add, Change, Item, Remove, Replace
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.label import Label
from wce_desktop.core.landmark import Landmark, Region
from wce_desktop.core.span import Span
from wce_desktop.library import tables

Row = dict[str, Any]

_TABLES: dict[type, Table] = {
    Label: tables.labels,
    Finding: tables.findings,
    Landmark: tables.landmarks,
    Box: tables.boxes,
}
_KINDS: dict[type, str] = {Label: "label", Finding: "finding", Landmark: "landmark", Box: "box"}
_CLASSES: dict[str, type] = {kind: made for made, kind in _KINDS.items()}


def as_row(row: Any) -> Row:
    """A row of the database as a plain dictionary."""
    return dict(row._mapping)


def table_of(item: Item) -> Table:
    """The table that holds items of this kind."""
    return _TABLES[type(item)]


def kind_of(item: Item) -> str:
    """ "label", "finding", "landmark" or "box"."""
    return _KINDS[type(item)]


def to_row(item: Item) -> Row:
    """The columns of an item; a span becomes `start` and `stop`, the values are JSON's."""
    row: Row = {field.name: getattr(item, field.name) for field in fields(item)}
    span = row.pop("span", None)
    if span is not None:
        row |= {"start": span.start, "stop": span.stop}
    if "region" in row:
        row["region"] = str(row["region"])
    if "key_frames" in row:
        row["key_frames"] = list(row["key_frames"])
    return row


def from_row(kind: str, row: Mapping[str, Any]) -> Item:
    """The item that a row holds; columns that only the table has are left out."""
    made = _CLASSES[kind]
    values = dict(row)
    if "start" in values:
        values["span"] = Span(values["start"], values["stop"])
    if "region" in values:
        values["region"] = Region(values["region"])
    if "key_frames" in values:
        values["key_frames"] = tuple(values["key_frames"])
    item: Item = made(**{field.name: values[field.name] for field in fields(made)})
    return item


def read_labels(connection: Connection, study_id: str) -> tuple[Label, ...]:
    """The labels of a study in order of time; written out, because there may be 100,000 and a reader waits."""
    column = tables.labels.c
    asked = select(
        column.label_id,
        column.start,
        column.stop,
        column.name,
        column.source,
        column.finding_id,
        column.reader,
        column.model_id,
    )
    rows = connection.execute(asked.where(column.study_id == study_id).order_by(column.start))
    return tuple(
        Label(label_id, study_id, Span(start, stop), name, source, finding_id, reader, model_id)
        for label_id, start, stop, name, source, finding_id, reader, model_id in rows
    )


def change_to_json(change: Change) -> list[Any]:
    """A change as JSON: `["add", kind, row]`, `["remove", kind, row]` or `["replace", kind, old, new]`."""
    match change:
        case Add(item):
            return ["add", kind_of(item), to_row(item)]
        case Remove(item):
            return ["remove", kind_of(item), to_row(item)]
        case Replace(old, new):
            return ["replace", kind_of(old), to_row(old), to_row(new)]


def change_from_json(document: list[Any]) -> Change:
    """The change that `change_to_json` wrote."""
    verb, kind, *rows = document
    items = [from_row(kind, row) for row in rows]
    match verb:
        case "add":
            return Add(items[0])
        case "remove":
            return Remove(items[0])
        case _:
            return Replace(items[0], items[1])
