"""The rows of a removed study, the record of removals, and how that record outlasts a restored backup.

Both work in a database of any version: the rows are found by their columns, not by a list of tables. A row of
`removals` counts only together with its line in the audit log: without one anybody who can write a row could have a
study deleted from all backups.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from wce_desktop.core.language import to_translate
from wce_desktop.library.backup.backup_file import databases_aside, find_backups
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.evidence.audit_chain import Execute
from wce_desktop.library.evidence.log_history import CLEARED_TITLE, REMOVED, json_object
from wce_desktop.library.storage import database, definitions, integrity, sqlite_file
from wce_desktop.library.tables import BEGIN, is_on_server, sentence_without

TITLE = to_translate("Remove a study and everything derived from it")
"""Of the line in the audit log."""
INSERT = "INSERT INTO removals (when_utc, reader, study_id, patient_id, facts) VALUES (?, ?, ?, ?, ?)"
_COLUMNS = ("when_utc", "reader", "study_id", "patient_id", "facts")
_AS_TEXT = ", ".join(f"CAST({name} AS TEXT)" for name in _COLUMNS)
_AS_BYTES = ", ".join(f"CAST({name} AS BLOB)" for name in _COLUMNS)  # text that is not UTF-8 cannot be read as text
_RECORDED = "(study_id, when_utc) IN (SELECT item_id, when_utc FROM audit WHERE action = 'remove' AND kind = 'study')"

LEAST_NAME = 4
"""Characters of a study's name that is looked for in titles: shorter ones are parts of other words."""
_KEPT = {"studies", "audit", "removals", "edits"}


class RemovalRow(NamedTuple):
    """A row of `removals` without its number, in the order of `INSERT`; `facts` is JSON."""

    when_utc: str
    reader: str
    study_id: str
    patient_id: str
    facts: str

    @property
    def removed(self) -> datetime | None:
        """When the study was removed (UTC where no time zone is given); None where that is no time."""
        try:
            when = datetime.fromisoformat(self.when_utc)
        except ValueError:
            return None
        return when if when.utcoffset() is not None else when.replace(tzinfo=UTC)


def recorded_removals(execute: Execute) -> dict[int, RemovalRow]:
    """The removals with a line in the audit log, oldest first, by their number; rows that are no text are left out."""
    read = _AS_TEXT if is_on_server(execute) else _AS_BYTES
    asked = f"SELECT removal_id, {read} FROM removals WHERE {_RECORDED} ORDER BY removal_id"
    rows = {}
    for removal_id, *values in execute(asked).fetchall():
        with suppress(ValueError, TypeError):
            rows[int(removal_id)] = RemovalRow(
                *(value if isinstance(value, str) else value.decode() for value in values)
            )
    return rows


def removals_in_force(execute: Execute) -> dict[str, RemovalRow]:
    """The last removal of each study that the database does not hold again."""
    there = _study_ids(execute)
    return {row.study_id: row for row in recorded_removals(execute).values() if row.study_id not in there}


def count_unrecorded(execute: Execute) -> int:
    """How many rows of `removals` have no line in the audit log."""
    return int(execute(f"SELECT COUNT(*) FROM removals WHERE NOT {_RECORDED}").fetchall()[0][0])


def carry_removals(folder: Path, fresh: Path) -> None:
    """Add the removals that a library records to the database that is about to replace its own.

    Backups lose the removed studies in time only as long as the present database knows of them. A study that the new
    database holds was brought back: its removal is not carried over. Each row comes with its line in the audit log.

    Args:
        folder: of the library. Where its database is lost or damaged, the backups are asked.
        fresh: the new database; one of an older version is brought up to date where it has no place for removals.

    Raises:
        sqlite3.DatabaseError: one of `DATABASE_ERRORS`; also `OSError`: it cannot be written.
    """
    if not (carried := _removals_of(_sources(folder))):
        return
    with closing(sqlite_file.open_file(fresh)) as connection:
        carried = {study_id: carried[study_id] for study_id in carried.keys() - _study_ids(connection.execute)}
        has_table = "removals" in integrity.table_names(connection)
    if carried and not has_table:
        engine = database.connect(fresh)
        try:
            definitions.upgrade(engine)
        finally:
            database.close(engine, fresh)
    with closing(sqlite_file.open_file(fresh)) as connection, connection:
        recorded = set(recorded_removals(connection.execute).values()) if carried else set()
        for row in sorted(set(carried.values()) - recorded):
            _add(connection, row)


def _sources(folder: Path) -> Iterator[Path]:
    """The present database; where it is lost or damaged also the backups and replaced databases, the newest first."""
    file = folder / database.FILE_NAME
    if not integrity.is_blank(file):
        yield file
        if integrity.damage(file) is None:
            return
    yield from (backup.path for backup in reversed(find_backups(folder)))
    yield from databases_aside(folder)


def _removals_of(sources: Iterable[Path]) -> dict[str, RemovalRow]:
    """The removals of several states of a library, newest first: for each study the newest that knows it counts."""
    newest: dict[str, RemovalRow | None] = {}
    for path in sources:
        with suppress(*sqlite_file.READ_ERRORS), closing(sqlite_file.open_file(path, read_only=True)) as connection:
            there = _study_ids(connection.execute)
            removed = removals_in_force(connection.execute) if "removals" in integrity.table_names(connection) else {}
            newest = {**dict.fromkeys(there), **removed, **newest}
    return {study_id: row for study_id, row in newest.items() if row is not None}


def _study_ids(execute: Execute) -> set[str]:
    rows = execute("SELECT CAST(study_id AS BLOB) FROM studies").fetchall()
    return {bytes(value).decode(errors="replace") for (value,) in rows if value is not None}


def _add(connection: Any, row: RemovalRow) -> None:
    asked = f"SELECT 1 FROM removals WHERE ({', '.join(_COLUMNS)}) = (?, ?, ?, ?, ?)"
    if connection.execute(asked, row).fetchone() is None:
        connection.execute(INSERT, row)
    line: dict[str, Any] = {
        "when_utc": row.when_utc,
        "reader": row.reader,
        "title": TITLE,
        "action": "remove",
        "kind": "study",
    }
    line |= {"item_id": row.study_id, "study_id": row.study_id, "after": json_object(row.facts) or None}
    audit_chain.append(connection, line)


def count_rows(execute: Execute, study_id: str) -> dict[str, int]:
    """How many rows of each table belong to a study; tables without any are left out."""
    counts = {}
    for table, columns in _columns_of_tables(execute).items():
        if table not in ("studies", "removals") and "study_id" in columns:
            rows = execute(f'SELECT COUNT(*) FROM "{table}" WHERE study_id = ?', (study_id,)).fetchall()
            if rows[0][0]:
                counts[table] = int(rows[0][0])
    return counts


def forget_rows(execute: Execute, study_id: str) -> bool:
    """Delete all rows of a study; lines of the audit log keep who, when and what kind, and lose their content.

    Edits and log lines of other studies that refer to the study, such as links, lose that too.

    Returns:
        False where there was no such study.
    """
    if not is_on_server(execute):
        execute("PRAGMA secure_delete = ON")
    named = execute("SELECT name, patient_id FROM studies WHERE study_id = ?", (study_id,)).fetchall()
    columns_of, like = _columns_of_tables(execute), f"%{study_id}%"
    has_chain, of_study = "hash" in columns_of["audit"], "study_id = ?"
    naming = f"{of_study} OR CAST(before AS TEXT) LIKE ? OR CAST(after AS TEXT) LIKE ?"
    with _writable_log(execute):
        if has_chain:
            audit_chain.keep_digests(execute, naming, (study_id, like, like), study_id, "content")
            audit_chain.keep_digests(execute, of_study, (study_id,), study_id, "title")
        execute(f"UPDATE audit SET before = NULL, after = NULL WHERE {naming}", (study_id, like, like))
        execute("UPDATE audit SET title = ? WHERE study_id = ?", (CLEARED_TITLE, study_id))
    if "group_id" in columns_of["edits"]:  # parts of its edits in studies of which these changed nothing
        groups = "SELECT group_id FROM edits WHERE study_id = ?"
        nothing = """CAST(changes AS TEXT) LIKE '%"changes": []}'"""
        execute(f"DELETE FROM edits WHERE {nothing} AND group_id IN ({groups})", (study_id,))
    execute("DELETE FROM edits WHERE study_id = ? OR CAST(changes AS TEXT) LIKE ?", (study_id, like))
    for table, columns in columns_of.items():
        for column in {"study_id", "other_study_id"} & set(columns) if table not in _KEPT else ():
            execute(f'DELETE FROM "{table}" WHERE "{column}" = ?', (study_id,))
    execute("DELETE FROM studies WHERE study_id = ?", (study_id,))
    if not named:
        return False
    name, patient_id = named[0]
    execute(
        "DELETE FROM patients WHERE patient_id = ? AND patient_id NOT IN (SELECT patient_id FROM studies)",
        (patient_id,),
    )
    if isinstance(name, str) and len(name) >= LEAST_NAME:
        for row, title in _titles_without(execute, "edits", name):
            execute("UPDATE edits SET title = ? WHERE edit_id = ?", (title, row))
        with _writable_log(execute):
            for row, title in _titles_without(execute, "audit", name):
                if has_chain:
                    audit_chain.keep_digests(execute, "audit_id = ?", (row,), study_id, "title")
                execute("UPDATE audit SET title = ? WHERE audit_id = ?", (title, row))
    return True


def _titles_without(execute: Execute, table: str, name: str) -> Iterator[tuple[int, str]]:
    """The rows of a table whose title holds a name, and their titles without it."""
    has = "strpos" if is_on_server(execute) else "instr"
    asked = (
        f"SELECT {table.removesuffix('s')}_id, title FROM {table} WHERE ({has}(title, ?) > 0 OR {has}(title, ?) = 1)"
    )
    for row, title in execute(f"{asked} AND title <> ?", (name, BEGIN, CLEARED_TITLE)).fetchall():
        cleared = sentence_without(str(title), name, REMOVED)
        if cleared != title:
            yield int(row), cleared


@contextmanager
def _writable_log(execute: Execute) -> Iterator[None]:
    """Without the triggers that keep the log append-only."""
    if is_on_server(execute):
        execute("SET LOCAL wce.clears = 'on'")
        yield
        execute("SET LOCAL wce.clears = 'off'")
        return
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'"
    triggers = execute(asked).fetchall()
    for name, _ in triggers:
        execute(f'DROP TRIGGER "{name}"')
    yield
    for _, sql in triggers:
        execute(sql)


def _columns_of_tables(execute: Execute) -> dict[str, list[str]]:
    """The columns of each table; tables that others refer to come last."""
    if is_on_server(execute):
        asked = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    else:
        asked = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name: audit_chain.columns_of(execute, name) for (name,) in execute(asked).fetchall()}
