"""Edits of several readers that meet: the later one is refused, and says what was changed, by whom and when."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation import Label
from wce_desktop.core.annotation.change import Item, item_id
from wce_desktop.library import rows, tables


class ConflictError(UserError):
    """Another reader changed what an edit would change; nothing was saved."""


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
            raise _conflict(connection, kind, item_id(item))


def check_free(connection: Connection, labels: Sequence[Label]) -> None:
    """Check that no label of another reader lies where labels are added.

    Raises:
        ConflictError: one does.
    """
    added = {label.label_id for label in labels}
    column = tables.labels.c
    for label in labels:
        here = (column.study_id == label.study_id, column.name == label.name)
        meets = (column.start < label.span.stop, column.stop > label.span.start)
        there = connection.scalars(select(column.label_id).where(*here, *meets))
        other = next((each for each in there if each not in added), None)
        if other is not None:
            raise _conflict(connection, "label", other)


def _conflict(connection: Connection, kind: str, identity: str) -> ConflictError:
    column = tables.audit.c
    asked = select(column.reader, column.title, column.when_utc).where(column.item_id == identity, column.kind == kind)
    last = connection.execute(asked.order_by(column.audit_id.desc()).limit(1)).first()
    if last is None:
        return ConflictError(
            "Nothing was saved: another reader changed the same place.", "The present state is shown now."
        )
    return ConflictError(
        "Nothing was saved: {reader} changed the same place ({title}, {time} UTC).",
        "The present state is shown now. Make your change again if it is still needed.",
        last.reader,
        Text(str(last.title)),
        last.when_utc[11:19],
    )
