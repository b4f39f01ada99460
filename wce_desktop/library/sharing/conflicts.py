"""Edits of several readers that meet: the later one is refused, and says what was changed, by whom and when."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, select

from training.texts import Text
from wce_desktop.core import to_translate
from wce_desktop.core.annotation import Finding, Landmark, Record, ReportPart
from wce_desktop.core.annotation.change import Item, item_id
from wce_desktop.library import audit, rows, tables
from wce_desktop.library.errors import ConflictError
from wce_desktop.library.store import Store

REPORTED = (Finding, Landmark, ReportPart)
"""What a report is made from."""
_ONLY_ONE = {Landmark: "region", ReportPart: "kind"}
"""Kind of item -> the column in which no two of a study have the same value."""


def check_unchanged(connection: Connection, items: Sequence[Item]) -> None:
    """Check that items of one kind are in the database as a reader saw them.

    Raises:
        ConflictError: another reader changed or removed one of them.
    """
    table, kind = rows.table_of(items[0]), rows.kind_of(items[0])
    key = next(iter(table.primary_key))
    asked = select(table).where(key.in_([item_id(item) for item in items]))
    there = {row[key.name]: row for row in map(rows.as_row, connection.execute(asked))}
    for item in items:
        seen, present = rows.to_row(item), there.get(item_id(item))
        if present is None or any(present[name] != value for name, value in seen.items()):
            raise conflict(connection, kind, item_id(item), item.study_id)


def check_free(connection: Connection, added: Sequence[Item]) -> None:
    """Check that nothing of another reader is where items are: a study has one landmark of a region, and one part of a
    report of each kind.

    Args:
        added: of one kind.

    Raises:
        ConflictError: something is.
    """
    name = _ONLY_ONE.get(type(added[0]))
    if name is None:
        return
    table, ids = rows.table_of(added[0]), {item_id(item) for item in added}
    for item in added:
        is_same = table.c[name] == rows.to_row(item)[name]
        there = connection.scalars(select(*table.primary_key).where(table.c.study_id == item.study_id, is_same))
        other = next((each for each in there if each not in ids), None)
        if other is not None:
            raise conflict(connection, rows.kind_of(item), other, item.study_id)


def check_same(connection: Connection, study_id: str, shown: Sequence[Item]) -> None:
    """Check that the entries of a study, of the kinds of `REPORTED`, and its record are those that a reader saw.

    Raises:
        ConflictError: another reader added, changed or removed one.
    """
    for kind in (*REPORTED, Record):
        items = [item for item in shown if isinstance(item, kind)]
        if items:
            check_unchanged(connection, items)
        table = rows.KINDS[rows.KIND_OF[kind]][1]
        key = next(iter(table.primary_key))
        there = connection.scalars(select(key).where(table.c.study_id == study_id))
        new = next((each for each in there if each not in {item_id(item) for item in items}), None)
        if new is not None:
            raise conflict(connection, rows.KIND_OF[kind], new, study_id)


def check_unsigned(connection: Connection, study_id: str, since: str) -> None:
    """Check that no report of a study was signed after a time (UTC): an edit of before would be missing in it.

    Raises:
        ConflictError: one was.
    """
    column = tables.reports.c
    asked = select(column.report_id).where(column.study_id == study_id, column.created_utc > since)
    signed = connection.scalar(asked.order_by(column.created_utc.desc()).limit(1))
    if signed is not None:
        raise conflict(connection, "report", signed, study_id)


@contextmanager
def changing_file(
    store: Store, kind: str, title: str, is_unchanged: Callable[[], bool], hint: str = ""
) -> Iterator[None]:
    """Change a file of the library: on a server one reader after another, and noted in the audit log.

    Raises:
        ConflictError: the file is not as this reader saw it.
    """
    if not store.is_on_server:
        yield
        return
    with store.writing(title) as connection:
        if not is_unchanged():
            raise conflict(connection, kind, kind, None, hint)
        yield
        audit.record(connection, store.reader, title, "replace", kind, kind)


def conflict(connection: Connection, kind: str, identity: str, study_id: str | None, hint: str = "") -> ConflictError:
    """The error for an item, of a study or of none, that another reader changed; names them."""
    hint = hint or to_translate("The present state is shown now. Make your change again if it is still needed.")
    column = tables.audit.c
    of_item = (column.study_id == study_id) & (column.item_id == identity) & (column.kind == kind)
    asked = select(column.reader, column.title, column.when_utc).where(of_item).order_by(column.audit_id.desc())
    last = connection.execute(asked.limit(1)).first()
    if last is None:
        return ConflictError("Nothing was saved: another reader changed the same place.", hint)
    return ConflictError(
        "Nothing was saved: {reader} changed the same place ({title}, {time} UTC).",
        hint,
        last.reader,
        Text(str(last.title)),
        last.when_utc[11:19],
    )
