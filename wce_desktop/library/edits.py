"""Edits of one study: applied, remembered for undo and redo, and written into the audit log, in one transaction."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import BindParameter, Connection, and_, bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation import Finding, Label, Link, Record, ReportPart
from wce_desktop.core.annotation.change import Change, Edit, Item, Remove, Replace, inverted, item_id, items_of
from wce_desktop.library import audit, rows, study_rows, tables
from wce_desktop.library.sharing import conflicts
from wce_desktop.library.storage.database import now_utc

_FEW = 50

# Statements of every edit, built once: building one takes longer than SQLite needs to answer it.
_EDITS = tables.edits.c
_STUDY: BindParameter[str] = bindparam("study")
_READER: BindParameter[str | None] = bindparam("reader")
_COMES_NEXT = {
    (undoing, is_own): select(_EDITS.edit_id, _EDITS.title, _EDITS.group_id, _EDITS.study_id)
    .where(_EDITS.study_id == _STUDY, _EDITS.is_undone.is_(not undoing), *([_EDITS.reader == _READER] * is_own))
    .order_by(_EDITS.edit_id.desc() if undoing else _EDITS.edit_id.asc())
    .limit(1)
    for undoing in (True, False)
    for is_own in (True, False)
}
"""For undo and redo, of one reader or of all: the row of the next edit: id, title, group, study."""
_HAS_UNDONE = "SELECT 1 FROM edits WHERE study_id = ? AND is_undone LIMIT 1"
_FRAME_COUNT = "SELECT frame_count FROM studies WHERE study_id = ?"
_MEETING = (
    "SELECT label_id FROM (SELECT label_id, stop FROM labels WHERE study_id = ? AND name = ? AND start < ?"
    " ORDER BY start DESC LIMIT 2) AS last WHERE stop > ? AND label_id <> ?"
)
"""Of the two labels of its name that begin last before the end of a label one is itself."""
_OVERLAPPING = (
    "SELECT name, next, label_id, next_id FROM (SELECT name, stop, label_id, LEAD(start) OVER same AS next,"
    " LEAD(label_id) OVER same AS next_id FROM labels WHERE study_id = ?"
    " WINDOW same AS (PARTITION BY name ORDER BY start)) AS ordered WHERE next < stop LIMIT 1"
)


def apply_edit(
    connection: Connection,
    study_id: str,
    title: str,
    changes: Sequence[Change],
    reader: str,
    model_id: str | None,
    group_id: str = "",
    when: str = "",
) -> Edit:
    """Make the changes and remember them; what could be redone no longer can. See `Annotations.edit`.

    Args:
        group_id: shared by the parts of one edit of several studies, which are undone together.
        when: when it was made (UTC); by default now.
    """
    when = when or now_utc()
    _forget_undone(connection, study_id, reader)
    _apply(connection, study_id, changes, when)
    row = {
        "study_id": study_id,
        "title": title,
        "changes": rows.changes_to_json(changes),
        "reader": reader,
        "when_utc": when,
        "is_undone": False,
        "group_id": group_id or None,
    }
    edit_id = tables.insert_rows(connection, tables.edits, [row])
    audit.record_changes(connection, study_id, title, changes, reader, when, model_id)
    return Edit(edit_id, study_id, title, tuple(changes), reader, when, group_id)


def extend_edit(connection: Connection, study_id: str, edit_id: int, change: Replace, reader: str) -> Edit | None:
    """Let the last edit put `change.new` there instead of `change.old`; see `Annotations.extend_edit`."""
    row = next_row(connection, study_id, reader, undoing=True)
    if row is None or row.edit_id != edit_id or row.group_id is not None:
        return None
    this = tables.edits.c.edit_id == edit_id
    recorded = connection.execute(select(tables.edits.c.changes).where(this)).scalar_one()
    try:
        changes = rows.changes_from_json(recorded)
    except ValueError:  # a row that breaks the rules is left as it is
        return None
    match changes:
        case (Replace(first, last),) if last == change.old:
            whole = Replace(first, change.new)
        case _:
            return None
    when, title = now_utc(), row.title
    _forget_undone(connection, study_id, reader)
    _apply(connection, study_id, [change], when)
    connection.execute(update(tables.edits).where(this).values(changes=rows.changes_to_json([whole]), when_utc=when))
    audit.record_changes(connection, study_id, title, [change], reader, when, None)
    return Edit(edit_id, study_id, title, (change,), reader, when)


def is_written(connection: Connection, study_ids: Iterable[str], reader: str, when: str) -> bool:
    """Whether an edit of studies that a reader made at a time is there: the connection broke after it was written."""
    is_it = _EDITS.study_id.in_(list(study_ids)) & (_EDITS.reader == reader) & (_EDITS.when_utc == when)
    return connection.execute(select(_EDITS.edit_id).where(is_it).limit(1)).first() is not None


def _forget_undone(connection: Connection, study_id: str, reader: str) -> None:
    """Drop the undone edits of a study, their parts in other studies, and the edits that depend on them."""
    if tables.execute(connection, _HAS_UNDONE, [study_id]).fetchone() is None:
        return
    column, floors, waiting = tables.edits.c, {study_id: 0}, [study_id]
    own = [column.reader == reader] * tables.is_on_server(connection)
    undone = and_(column.is_undone.is_(True), *own)
    while waiting:
        here = waiting.pop()
        gone = undone & (column.study_id == here) & (column.edit_id >= floors[here])
        groups = select(column.group_id).where(gone, column.group_id.is_not(None))
        parts = connection.execute(select(column.study_id, column.edit_id).where(column.group_id.in_(groups))).all()
        for part in parts:
            if part.edit_id < floors.get(part.study_id, part.edit_id + 1):
                floors[part.study_id] = part.edit_id
                waiting.append(part.study_id)
    for each, floor in floors.items():
        gone = undone & (column.study_id == each) & (column.edit_id >= floor)
        connection.execute(delete(tables.edits).where(gone))


def next_touches(
    connection: Connection, study_id: str, reader: str, kinds: tuple[type[Item], ...], *, undoing: bool
) -> bool:
    """Whether the next edit of undo (or redo) changes an item of these kinds, in any of its studies."""
    row = next_row(connection, study_id, reader, undoing)
    if row is None:
        return False
    column = tables.edits.c
    is_part = column.edit_id == row.edit_id if row.group_id is None else column.group_id == row.group_id
    recorded = connection.execute(select(column.changes).where(is_part)).scalars().all()
    try:
        changes = [change for document in recorded for change in rows.changes_from_json(document)]
    except ValueError:  # undo says what is wrong with it
        return True
    return any(isinstance(item, kinds) for item in items_of(changes))


def next_row(connection: Connection, study_id: str, reader: str, undoing: bool) -> Any:
    """The row of the next edit of undo (or redo): id, title, group, study; or None.

    On a server each reader undoes and redoes what they did themselves.
    """
    is_own = tables.is_on_server(connection)
    return connection.execute(_COMES_NEXT[undoing, is_own], {"study": study_id, "reader": reader}).first()


def step(connection: Connection, study_id: str, reader: str, *, undoing: bool) -> Edit | None:
    """Undo the last edit, or redo the last undone one; returns it with the changes made now, or None without any."""
    row = next_row(connection, study_id, reader, undoing)
    if row is None:
        return None
    parts = [row] if row.group_id is None else _parts(connection, row, reader, undoing)
    edits = [_step_part(connection, part, reader, undoing=undoing) for part in parts]
    return next(edit for edit in edits if edit.study_id == study_id)


def _parts(connection: Connection, row: Any, reader: str, undoing: bool) -> list[Any]:
    """The parts of an edit of several studies, each of which must be the next one to undo in its study.

    Raises:
        UserError: one of the studies was edited later.
    """
    column = tables.edits.c
    asked = select(column.study_id).where(column.group_id == row.group_id).order_by(column.edit_id)
    parts = []
    for study_id in connection.execute(asked).scalars().all():
        part = next_row(connection, study_id, reader, undoing)
        if part is None or part.group_id != row.group_id:
            name = _study_name(connection, study_id)
            raise UserError(
                "“{title}” cannot be undone: {name} was edited later."
                if undoing
                else "“{title}” cannot be redone: {name} was edited later.",
                "Open {name} and undo the later edits first.",
                Text(row.title),
                name,
            )
        parts.append(part)
    return parts


def _study_name(connection: Connection, study_id: str) -> str | None:
    return connection.scalar(select(tables.studies.c.name).where(tables.studies.c.study_id == study_id))


def _step_part(connection: Connection, part: Any, reader: str, *, undoing: bool) -> Edit:
    this = tables.edits.c.edit_id == part.edit_id
    when = now_utc()
    try:
        recorded = connection.execute(select(tables.edits.c.changes).where(this)).scalar_one()
        changes = rows.changes_from_json(recorded)
        if undoing:
            changes = inverted(changes)
        _apply(connection, part.study_id, changes, when)
    except (ValueError, IntegrityError, connection.dialect.loaded_dbapi.IntegrityError) as error:
        # The record of an edit, or what it changed, is no longer what the edit wrote: something else changed the file.
        raise UserError(
            "“{title}” in {name} cannot be undone: its record in the library is inconsistent ({why})."
            if undoing
            else "“{title}” in {name} cannot be redone: its record in the library is inconsistent ({why}).",
            "Nothing was changed. Correct the labels by hand, or restore a backup.",
            Text(part.title),
            _study_name(connection, part.study_id),
            getattr(error, "orig", None) or error,
        ) from error
    connection.execute(update(tables.edits).where(this).values(is_undone=undoing))
    logged = Text("Undo: {sentence}", part.title) if undoing else Text("Redo: {sentence}", part.title)
    audit.record_changes(connection, part.study_id, logged, changes, reader, when, None)
    return Edit(int(part.edit_id), part.study_id, part.title, changes, reader, when, part.group_id or "")


def _apply(connection: Connection, study_id: str, changes: Sequence[Change], when: str) -> None:
    """Make the changes in their order, those of one kind that follow each other at once."""
    _check_ends(connection, study_id, changes)
    for (verb, kind), group in groupby(changes, key=lambda change: (change.verb, type(change.old or change.new))):
        alike = list(group)
        for item in items_of(alike):
            if item.study_id != study_id:
                raise ValueError(f"an edit of study {study_id} cannot change {item.study_id}")
        if kind is not Record:
            removed = [change.old for change in alike if change.old is not None]
            for first in range(0, len(removed), 500):  # SQLite bounds the number of parameters
                table, ids = rows.table_of(removed[0]), [item_id(item) for item in removed[first : first + 500]]
                key, marks = next(iter(table.primary_key)).name, ", ".join("?" * len(ids))
                if tables.is_on_server(connection):
                    conflicts.check_unchanged(connection, removed[first : first + 500])
                gone = tables.execute(connection, f"DELETE FROM {table.name} WHERE {key} IN ({marks})", ids)
                if gone.rowcount != len(ids):
                    raise ValueError(f"an edit removes what is not there, one of {', '.join(ids[:5])}")
            if added := [change.new for change in alike if change.new is not None]:
                if tables.is_on_server(connection):
                    conflicts.check_free(connection, added)
                stamp = {"created_utc": when} if kind is Label else {}
                tables.insert_rows(connection, rows.table_of(added[0]), [rows.to_row(item) | stamp for item in added])
        elif verb != "replace":
            raise ValueError("a record is part of its study, and is neither added nor removed")
        elif tables.is_on_server(connection):
            conflicts.check_unchanged(connection, [change.old for change in alike if change.old is not None])
        for record in (change.new for change in alike if isinstance(change.new, Record)):
            change_record(connection, record, when)
    _check_labels(connection, study_id, changes)


def change_record(connection: Connection, record: Record, when: str) -> None:
    """Write the record of a study into its row, and its patient where that one is new."""
    study_rows.ensure_patient(connection, record.patient_id, when)
    values = rows.to_row(record)
    study_id = values.pop("study_id")
    connection.execute(update(tables.studies).where(tables.studies.c.study_id == study_id).values(**values))


def _check_ends(connection: Connection, study_id: str, changes: Sequence[Change]) -> None:
    """Check that items lie within the frames of the study, and the other places of links within theirs."""
    frame_count = _frame_count(connection, study_id)
    for item in items_of(change for change in changes if not isinstance(change, Remove)):
        if isinstance(item, Record | ReportPart):
            continue
        stop = item.span.stop if isinstance(item, Label | Finding) else item.frame_index + 1
        _check_stop(study_id, stop, frame_count)
        if isinstance(item, Link):
            other = item.other_study_id
            _check_stop(other, item.other_frame_index + 1, _frame_count(connection, other))


def _check_stop(study_id: str, stop: int, frame_count: int) -> None:
    if 0 < frame_count < stop:  # 0: not yet counted
        raise ValueError(f"frame {stop - 1} lies past the end of study {study_id}, which has {frame_count} frames")


def _frame_count(connection: Connection, study_id: str) -> int:
    """The frames of a study, 0 where they are not yet counted.

    Raises:
        UserError: there is no such study, or its row is damaged.
    """
    (frame_count,) = tables.execute(connection, _FRAME_COUNT, [study_id]).fetchone() or (None,)
    if frame_count is None:
        raise UserError(
            "The study {study_id} is missing in the library.", "Restore a backup, or add the study again.", study_id
        )
    if type(frame_count) is not int:
        raise UserError(
            "The study {study_id} cannot be edited: its row in the library is damaged (frame_count is {value}).",
            "Restore a backup; the other studies can be edited.",
            study_id,
            rows.shown(frame_count),
        )
    return frame_count


def _check_labels(connection: Connection, study_id: str, changes: Sequence[Change]) -> None:
    """Labels of one name never overlap: the lookup by binary search relies on it.

    Raises:
        ConflictError: one of them would meet a label that another reader added.
    """
    added: dict[str, Label] = {}
    for change in changes:
        if isinstance(change.old, Label):
            added.pop(change.old.label_id, None)  # added and replaced by one edit
        if isinstance(change.new, Label):
            added[change.new.label_id] = change.new
    for name, start, *ids in _overlaps(connection, study_id, added.values()):
        others = [label_id for label_id in ids if label_id not in added]
        if len(others) == 1 and tables.is_on_server(connection):
            raise conflicts.conflict(connection, "label", others[0], study_id)
        raise ValueError(f"two labels {name!r} overlap at frame {start}")


def _overlaps(connection: Connection, study_id: str, added: Collection[Label]) -> Iterator[tuple[Any, ...]]:
    """Labels that meet one that was added: the name, where they meet, and their ids."""
    if len(added) > _FEW:
        yield from tables.execute(connection, _OVERLAPPING, [study_id])
        return
    for label in added:
        sought = [study_id, label.name, label.span.stop, label.span.start, label.label_id]
        for (other,) in tables.execute(connection, _MEETING, sought):
            yield label.name, label.span.start, label.label_id, other
