"""Everything that readers entered for one study, as JSON values: read from the database, and written into another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Integer, Table, bindparam, insert, select, update

from training.errors import UserError
from training.texts import Text
from wce_desktop.core import Span, is_safe_id, new_id
from wce_desktop.core.annotation import ENTRIES, Add, Box, Label, Record, item_id
from wce_desktop.core.study import STATES, Study, StudyState, advance
from wce_desktop.library import audit, edits, study_rows, tables
from wce_desktop.library.rows import KINDS, Row, as_row, columns_of, from_row, kind_of, table_of, to_row

LISTS = {table.name: (kind, table) for kind, (_, table) in KINDS.items() if kind != "record"}
"""List in the document -> kind of item and its table, in the order in which they are added."""
SPANS: Mapping[str, Table] = {"seen": tables.seen_spans, "fast": tables.fast_spans}
RECORDING = ("fingerprint", "frame_count", "duration_seconds", "runs")
PROGRESS = ("state", "last_frame", "threshold", "lowest_threshold")
_BETWEEN_CHECKS = 1024
PAST = "past "
"""Before the action of an audit line that came with an import: what was done in the other library."""
_NAMES_FILES = re.compile(r"^((?:Undo: |Redo: )?)Import .*: ", re.DOTALL)
_OWN_OF_A_LOG = {"audit_id", "salt", "hash", "cleared"}
_OF_THIS_LIBRARY = {"study_id", "pseudonym", "removed_utc"}
"""Columns of a record that a reading does not take along."""
_PRIVATE = {"name", "path", "pseudonym"}


def read_whole(connection: Connection, study_id: str) -> Row:
    """All rows of a study as JSON values; no name or path of the study, and no pseudonym of the patient.

    Rows that break rules are taken over as they are; an import refuses them.
    """
    document: Row = {name: _rows(connection, table, study_id) for name, (_, table) in LISTS.items()}
    for name, table in SPANS.items():
        document[name] = [[row["start"], row["stop"]] for row in _rows(connection, table, study_id, "start")]
    speeds = _rows(connection, tables.reading_speeds, study_id, "frames_per_second")
    document["speeds"] = [[row["frames_per_second"], row["frames"]] for row in speeds]
    document["audit"] = [_audit_line(row) for row in _rows(connection, tables.audit, study_id)]
    study = as_row(connection.execute(select(tables.studies).where(tables.studies.c.study_id == study_id)).one())
    document["study"] = {name: study[name] for name in (*RECORDING, *PROGRESS)}
    document["record"] = {name: study[name] for name in sorted(columns_of(Record) - _OF_THIS_LIBRARY)}
    for link in document["links"]:  # the identity of the other study means nothing in another library
        column = tables.studies.c
        asked = select(column.fingerprint).where(column.study_id == link["other_study_id"])
        link["other_fingerprint"] = str(connection.scalar(asked) or "")
    return document


def _rows(connection: Connection, table: Table, study_id: str, order: str = "") -> list[Row]:
    asked = select(table).where(table.c.study_id == study_id).order_by(table.c[order] if order else key_of(table))
    return [
        {name: value for name, value in as_row(row).items() if name != "study_id"} for row in connection.execute(asked)
    ]


def key_of(table: Table) -> Any:
    """The column that orders the rows of a table."""
    return next(iter(table.primary_key))


def _audit_line(row: Row) -> Row:
    """A line without its number, and without what would name the file."""
    line = {name: value for name, value in row.items() if name not in _OWN_OF_A_LOG}
    line["action"] = line["action"].removeprefix(PAST)
    is_study = line["kind"] == "study"
    line["title"] = f"{line['action']} study" if is_study else _NAMES_FILES.sub(r"\1Import: ", line["title"])
    for side in ("before", "after"):
        if isinstance(line[side], dict) and is_study:
            line[side] = {name: value for name, value in line[side].items() if name not in _PRIVATE}
    return line


@contextmanager
def naming_contradictions() -> Iterator[None]:
    """Turn the `ValueError` of a document that contradicts itself into a `UserError`."""
    try:
        yield
    except ValueError as error:
        raise UserError("The reading cannot be used: {error}.", "Export it again.", error) from error


class WholeReading:
    """A document that was checked, ready for one study of a library.

    Raises:
        ValueError: naming what is wrong, where it is not what `read_whole` returns.
    """

    def __init__(
        self, document: Mapping[str, Any], study_id: str, others: Mapping[str, str], check: Callable[[], None]
    ) -> None:
        """Make the items anew for `study_id`.

        Args:
            document: as `read_whole` returned it.
            study_id: of the study that they belong to from now on.
            others: fingerprint -> study of this library, for links.
            check: called now and then; may raise.
        """
        self.study_id = study_id
        self._check = check
        self.items = [item for name in LISTS for item in self._items(document, name, others)]
        self.stamps = {str(row["label_id"]): str(row["created_utc"]) for row in _list(document, "labels")}
        self.spans = {name: [Span(*_pair(pair, name)) for pair in _list(document, name)] for name in SPANS}
        self.speeds = [_pair(pair, "speeds") for pair in _list(document, "speeds")]
        self.audit = [_past(line, study_id) for line in _list(document, "audit")]

    def _items(self, document: Mapping[str, Any], name: str, others: Mapping[str, str]) -> Iterable[Any]:
        kind, table = LISTS[name]
        # What each column holds where a file of an earlier version lacks it.
        defaults = {column.name: getattr(column.server_default, "arg", None) for column in table.columns}
        missing = {name: value if isinstance(value, str) else None for name, value in defaults.items()}
        if kind == "finding":
            missing |= {name: "" for name, entry in ENTRIES.items() if entry.kind != "number"}
        for number, row in enumerate(_list(document, name)):
            if number % _BETWEEN_CHECKS == 0:
                self._check()
            try:
                values = {**row, "study_id": self.study_id}
                if kind == "link":
                    other = others.get(str(values.pop("other_fingerprint", "")) or "-")
                    if other is None:
                        continue
                    values["other_study_id"] = other
                yield from_row(kind, {name: values.get(name, value) for name, value in missing.items()})
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}, entry {number + 1}: {error}") from error

    def with_free_ids(self, connection: Connection) -> WholeReading:
        """The same with new identities for items whose own are taken in this library."""
        renamed: dict[str, str] = {}
        for kind, table in LISTS.values():
            mine = [item_id(item) for item in self.items if kind_of(item) == kind]
            taken = set(connection.scalars(select(key_of(table)))) if mine else set()
            renamed |= {identity: new_id("f-" if kind == "finding" else "") for identity in mine if identity in taken}
        for at, item in enumerate(self.items):
            key = next(iter(table_of(item).primary_key)).name
            changed = {key: renamed[item_id(item)]} if item_id(item) in renamed else {}
            if isinstance(item, Label | Box) and item.finding_id in renamed:
                changed["finding_id"] = renamed[item.finding_id]
            self.items[at] = replace(item, **changed) if changed else item
        self.stamps = {renamed.get(identity, identity): when for identity, when in self.stamps.items()}
        return self


def write_whole(connection: Connection, reading: WholeReading, title: str, reader: str) -> None:
    """Write a reading into a study that has none yet: its past audit lines, then one edit with all items.

    Raises:
        ValueError: items overlap or lie past the end of the study. The transaction must be rolled back then.
    """
    past = reading.audit
    if tables.is_on_server(connection):  # which lets nobody write in the name of another
        past = [line | {"reader": reader, "title": _of_another(line)} for line in past]
    audit.add_lines(connection, past)
    edits.apply_edit(connection, reading.study_id, title, [Add(item) for item in reading.items], reader, None)
    if reading.stamps:
        stamped = (
            update(tables.labels)
            .where(tables.labels.c.label_id == bindparam("one"))
            .values(created_utc=bindparam("at"))
        )
        connection.execute(stamped, [{"one": label_id, "at": when} for label_id, when in reading.stamps.items()])
    study_rows.mark_seen(connection, reading.study_id, reading.spans["seen"])
    rows = [{"study_id": reading.study_id, "start": span.start, "stop": span.stop} for span in reading.spans["fast"]]
    if rows:
        connection.execute(insert(tables.fast_spans), rows)
    speeds = [
        {"study_id": reading.study_id, "frames_per_second": rate, "frames": frames} for rate, frames in reading.speeds
    ]
    if speeds:
        connection.execute(insert(tables.reading_speeds), speeds)


def _of_another(line: Row) -> Text:
    return Text("{sentence} (by {reader})", tables.sentence_of(line["title"]), line["reader"])


def is_untouched(connection: Connection, study_id: str) -> bool:
    """Whether nothing was entered for a study and no frame of it was seen."""
    entered = (*(table for _, table in LISTS.values()), *SPANS.values())
    return all(
        connection.execute(select(table.c.study_id).where(table.c.study_id == study_id).limit(1)).first() is None
        for table in entered
    )


def missing_study(document: Mapping[str, Any], study_id: str, path: Path) -> Study:
    """The study of a recording that this library does not have; nothing lies at its path.

    Raises:
        UserError: the document says something of it that cannot be.
    """
    facts, record = document["study"], document.get("record")
    patient_id = record.get("patient_id") if isinstance(record, dict) else None
    row = {
        "study_id": study_id,
        "patient_id": patient_id if isinstance(patient_id, str) and is_safe_id(patient_id) else new_id("p-"),
        "name": study_id,
        "path": str(path),
        **{name: facts.get(name) for name in RECORDING},
    }
    with naming_contradictions():
        return study_rows.study_of({**_EMPTY_STUDY, **row, "state": "new"})


_EMPTY_STUDY: Row = {
    column.name: None if column.nullable else (0 if isinstance(column.type, Integer) else "")
    for column in tables.studies.columns
}


def record_of(document: Mapping[str, Any], record: Record) -> Record:
    """The patient record of a study with what a document says of it; facts that break rules are left out."""
    facts = document.get("record")
    for name in sorted(columns_of(Record) - _OF_THIS_LIBRARY - {"patient_id"}):
        with suppress(ValueError, TypeError):
            changed = replace(record, **{name: facts[name]}) if isinstance(facts, dict) and name in facts else record
            from_row("record", to_row(changed))
            record = changed
    return record


def progress_of(document: Mapping[str, Any], state: StudyState) -> Row:
    """How far the reading is: state, threshold and the frame on screen, where they can be."""
    facts = document["study"]
    progress: Row = {}
    if facts.get("state") in STATES:
        progress["state"] = advance(state, facts["state"])
    if type(facts.get("last_frame")) is int and 0 <= facts["last_frame"] < 2**31:
        progress["last_frame"] = facts["last_frame"]
    for name in ("threshold", "lowest_threshold"):
        threshold = facts.get(name)
        if isinstance(threshold, float) and 0.0 <= threshold <= 1.0:
            progress[name] = threshold
    return progress


def _list(document: Mapping[str, Any], name: str) -> list[Any]:
    values = document.get(name)
    if not isinstance(values, list):
        raise ValueError(f"{name} is not a list")
    if name not in (*SPANS, "speeds") and not all(isinstance(row, dict) for row in values):
        raise ValueError(f"{name} does not hold objects")
    return values


def _pair(value: Any, name: str) -> tuple[int, int]:
    match value:
        case [int(first), int(second)] if 0 <= first < 2**31 and 0 <= second < 2**31:
            return first, second
    raise ValueError(f"{name} does not hold pairs of numbers")


def _past(line: Mapping[str, Any], study_id: str) -> Row:
    texts = {name: line.get(name) for name in ("when_utc", "reader", "title", "action", "kind", "item_id")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("audit holds a line without its texts")
    sides = {name: line.get(name) for name in ("before", "after", "model_id")}
    action = f"{PAST}{texts['action']}"[:20]
    return {**texts, **sides, "action": action, "study_id": study_id}
