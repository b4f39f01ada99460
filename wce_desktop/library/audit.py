"""The append-only audit log: who changed what, when, and which model suggested it; chained by hashes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, cast, delete, func, or_, select
from sqlalchemy import Text as Words

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation import Change, Item, Label, item_id, items_of
from wce_desktop.library import tables
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.evidence.audit_chain import ChainCheck, Head
from wce_desktop.library.evidence.log_history import LogHistory
from wce_desktop.library.rows import Row, UnreadableJson, as_row, kind_of, to_row
from wce_desktop.library.storage import server
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import StorePart

ENTERED = "(entered)"
"""Stands for a pseudonym in the log."""


_HIDDEN = select(func.wce_hidden())
"""On a server: the studies of which the account sees no entries."""
_CHECKED_ROWS = 4096
"""After so many lines of the log a check asks whether it shall stop."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log; `before` and `after` hold the item as JSON, or None where there was or is none."""

    audit_id: int
    when_utc: str
    reader: str
    study_id: str | None
    title: str
    action: str
    kind: str
    item_id: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    model_id: str | None


_COLUMNS = [tables.audit.c[field.name] for field in fields(AuditEntry)]


def record_changes(
    connection: Connection,
    study_id: str,
    title: str,
    changes: Sequence[Change],
    reader: str,
    when: str,
    model_id: str | None,
) -> None:
    """Add one line for each change of an edit, an undo or a redo."""
    common = {"when_utc": when, "reader": reader, "study_id": study_id, "title": title}
    add_lines(connection, [common | _line(change, model_id) for change in changes])


def add_lines(connection: Connection, lines: Sequence[dict[str, Any]]) -> None:
    """Add lines with all columns but salt and hash, which they get here."""
    if not lines:
        return
    end, is_on_server = _end(connection), tables.is_on_server(connection)
    previous = end.hash
    for number, line in enumerate(lines, end.lines + 1):
        line["title"] = tables.stored_sentence(line["title"])
        previous = audit_chain.chained(previous, line)
        if is_on_server:  # whose own numbers have gaps after what was rolled back
            line["audit_id"] = number
    tables.insert_rows(connection, tables.audit, lines)
    if is_on_server:
        server.notify(connection, (line["study_id"] or "" for line in lines), lines[0]["reader"])


def _end(connection: Connection) -> Head:
    """The end of the log, also where its lines are hidden from a second reader; not counted where that takes long."""
    if not tables.is_on_server(connection):
        return Head(0, audit_chain.last_hash(partial(tables.execute, connection)))
    row = tables.execute(connection, "SELECT line, hash FROM public.wce_log_end()").fetchone()
    return Head() if row is None else Head(*row)


def head(connection: Connection) -> Head:
    """How many lines the log has, and the hash of the last one."""
    is_on_server = tables.is_on_server(connection)  # where no number is left out
    return _end(connection) if is_on_server else audit_chain.head(partial(tables.execute, connection))


def record(
    connection: Connection,
    reader: str,
    title: str,
    action: str,
    kind: str,
    item_id: str,
    *,
    when: str = "",
    study_id: str | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    model_id: str | None = None,
) -> None:
    """Add one line for what is no edit: a study added or finished, a model registered or taken into use."""
    line = {"when_utc": when or now_utc(), "reader": reader, "study_id": study_id, "title": title, "action": action}
    add_lines(
        connection,
        [line | {"kind": kind, "item_id": item_id, "before": before, "after": after, "model_id": model_id}],
    )


def delete_row(connection: Connection, table: Table, kind: str, item_id: str, reader: str) -> None:
    """Delete a model or a run, and keep the content of its row in the log.

    Raises:
        KeyError: there is none of this name.
    """
    column = table.c[f"{kind}_id"]
    row = connection.execute(select(table).where(column == item_id)).first()
    if row is None:
        raise KeyError(item_id)
    connection.execute(delete(table).where(column == item_id))
    record(connection, reader, f"Delete {kind} {item_id}", "remove", kind, item_id, before=as_row(row))


def lines_of(connection: Connection, kind: str, action: str, **values: str) -> tuple[AuditEntry, ...]:
    """The lines of a kind and an action with these values, such as `item_id` or `reader`, oldest first."""
    wanted = {"kind": kind, "action": action, **values}
    return _entries(connection, *(tables.audit.c[name] == value for name, value in wanted.items()))


def _entries(connection: Connection, *conditions: ColumnElement[bool]) -> tuple[AuditEntry, ...]:
    asked = select(*_COLUMNS).where(*conditions).order_by(tables.audit.c.audit_id)
    entries = []
    for row in map(as_row, connection.execute(asked)):
        for name in ("before", "after"):
            if isinstance(row[name], UnreadableJson):  # a line with invalid JSON stays in the log
                row[name] = {"unreadable": row[name].text}
        entries.append(AuditEntry(**row))
    return tuple(entries)


def added_with_finding(connection: Connection, study_id: str, finding_id: str) -> frozenset[str]:
    """The ids of the labels that came with a finding: the log says that they were added as labels of this finding.

    A label that was there before and was assigned to the finding did not come with it. What is left of a label after
    some of its frames were taken from it counts as that label.
    """
    column = tables.audit.c
    of_finding = (cast(each, Words).contains(finding_id, autoescape=True) for each in (column.before, column.after))
    lines = _entries(connection, column.study_id == study_id, column.kind == "label", or_(*of_finding))
    came: set[str] = set()
    first: dict[str, AuditEntry] = {}
    for line in lines:
        if line.item_id in first:
            continue
        first[line.item_id] = line
        whole = next((gone for gone in lines if _is_rest_of(line, gone)), None)
        if line.action == "add" and (whole is None or whole.item_id in came):
            came.add(line.item_id)
    return frozenset(came)


def _is_rest_of(line: AuditEntry, gone: AuditEntry) -> bool:
    """Whether one edit removed a label and added this one on some of its frames."""
    if (line.action, gone.action, line.when_utc, line.title) != ("add", "remove", gone.when_utc, gone.title):
        return False
    new, old = line.after or {}, gone.before or {}
    try:
        return bool(old["start"] <= new["start"] and new["stop"] <= old["stop"])
    except (KeyError, TypeError):  # a line that cannot be read
        return False


def _logged(item: Item | None) -> Row | None:
    """An item as the log has it: not what the reader calls the patient."""
    if item is None:
        return None
    row = to_row(item)
    if row.get("pseudonym"):
        row["pseudonym"] = ENTERED
    return row


def _line(change: Change, model_id: str | None) -> dict[str, Any]:
    *_, item = items_of([change])
    return {
        "action": change.verb,
        "kind": kind_of(item),
        "item_id": item_id(item),
        "before": _logged(change.old),
        "after": _logged(change.new),
        "model_id": model_id or (item.model_id if isinstance(item, Label) else None),
    }


class AuditLog(StorePart):
    """The log of a library as it is read and checked."""

    def entries(self, study_id: str | None = None) -> tuple[AuditEntry, ...]:
        """Who changed what, when, oldest first; of one study or of all."""
        with self._store.reading(Text("the audit log")) as connection:
            return _entries(connection, *([] if study_id is None else [tables.audit.c.study_id == study_id]))

    def days_of_use(self, since_utc: str) -> int:
        """On how many days something was changed after the day of a time in ISO 8601, by the computer's clock."""
        day = func.substr(tables.audit.c.when_utc, 1, 10)
        days = select(func.count(day.distinct())).where(day > since_utc[:10])
        with self._store.reading(Text("the audit log")) as connection:
            return connection.scalar(days) or 0

    def check(self, wanted: Iterable[str] = (), check: Callable[[], object] = lambda: None) -> ChainCheck:
        """Compute the hashes of the audit log again; see `audit_chain`.

        Args:
            wanted: hashes of lines whose place is looked for.
            check: called now and then; what it raises stops the check.

        Raises:
            UserError: a part of the log is hidden from a second reader.
        """
        with self._store.reading(Text("the audit log")) as connection:
            if tables.is_on_server(connection) and connection.execute(_HIDDEN).first() is not None:
                raise UserError(
                    "The audit log cannot be checked: a part of it is hidden from you as a second reader.",
                    "Finish your second readings, or let another reader check it.",
                )
            removed = set(map(str, connection.scalars(select(tables.removals.c.study_id))))
            there = set(map(str, connection.scalars(select(tables.studies.c.study_id))))
            rows = tables.execute(connection, audit_chain.select_lines(), ())

            def lines() -> Iterator[Sequence[Any]]:
                for number, row in enumerate(rows):
                    if number % _CHECKED_ROWS == 0:
                        check()
                    yield row

            return audit_chain.check(lines(), LogHistory(removed, there), wanted)
