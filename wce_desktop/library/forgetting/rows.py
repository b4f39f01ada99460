"""The rows of a study in a database of any version: they are found by their columns, not by a list of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.evidence.log_history import CLEARED_TITLE, REMOVED
from wce_desktop.library.tables import BEGIN, sentence_without

Execute = Callable[[str, tuple[Any, ...]], Any]
"""Runs one SQL statement with its parameters; the result has `fetchall`."""

LEAST_NAME = 4
"""Characters of a study's name that is looked for in titles: shorter ones are parts of other words."""
_KEPT = {"studies", "audit", "removals", "edits"}


def count_rows(execute: Execute, study_id: str) -> dict[str, int]:
    """How many rows of each table belong to a study; tables without any are left out."""
    counts = {}
    for table, columns in _tables(execute).items():
        if table not in ("studies", "removals") and "study_id" in columns:
            found = execute(f'SELECT COUNT(*) FROM "{table}" WHERE study_id = ?', (study_id,)).fetchall()
            if found[0][0]:
                counts[table] = int(found[0][0])
    return counts


def forget_rows(execute: Execute, study_id: str) -> bool:
    """Delete all rows of a study; lines of the audit log keep who, when and what kind, and lose their content.

    Edits and log lines of other studies that refer to the study, such as links, lose that too.

    Returns:
        False where there was no such study.
    """
    execute("PRAGMA secure_delete = ON", ())
    found = execute("SELECT name, patient_id FROM studies WHERE study_id = ?", (study_id,)).fetchall()
    columns_of = _tables(execute)
    _clear_audit(execute, study_id, "hash" in columns_of["audit"])
    like = f"%{study_id}%"
    execute("DELETE FROM edits WHERE study_id = ? OR CAST(changes AS TEXT) LIKE ?", (study_id, like))
    for table, columns in columns_of.items():
        for column in {"study_id", "other_study_id"} & set(columns) if table not in _KEPT else ():
            execute(f'DELETE FROM "{table}" WHERE "{column}" = ?', (study_id,))
    execute("DELETE FROM studies WHERE study_id = ?", (study_id,))
    if not found:
        return False
    name, patient_id = found[0]
    execute(
        "DELETE FROM patients WHERE patient_id = ? AND patient_id NOT IN (SELECT patient_id FROM studies)",
        (patient_id,),
    )
    if isinstance(name, str) and len(name) >= LEAST_NAME:
        for row, title in _titles_without(execute, "edits", name):
            execute("UPDATE edits SET title = ? WHERE rowid = ?", (title, row))
        _clear_titles(execute, study_id, name, "hash" in columns_of["audit"])
    return True


def _clear_titles(execute: Execute, study_id: str, name: str, has_chain: bool) -> None:
    with _writable_log(execute):
        for row, title in _titles_without(execute, "audit", name):
            if has_chain:
                audit_chain.keep_digests(execute, "rowid = ?", (row,), study_id, "title")
            execute("UPDATE audit SET title = ? WHERE rowid = ?", (title, row))


def _titles_without(execute: Execute, table: str, name: str) -> Iterator[tuple[int, str]]:
    """The rows of a table whose title holds a name, and their titles without it."""
    asked = f"SELECT rowid, title FROM {table} WHERE (instr(title, ?) OR instr(title, ?) = 1) AND title <> ?"
    for row, title in execute(asked, (name, BEGIN, CLEARED_TITLE)).fetchall():
        cleared = sentence_without(str(title), name, REMOVED)
        if cleared != title:
            yield int(row), cleared


def _clear_audit(execute: Execute, study_id: str, has_chain: bool) -> None:
    like = f"%{study_id}%"
    named = "study_id = ? OR CAST(before AS TEXT) LIKE ? OR CAST(after AS TEXT) LIKE ?"
    with _writable_log(execute):
        if has_chain:
            audit_chain.keep_digests(execute, named, (study_id, like, like), study_id, "content")
            audit_chain.keep_digests(execute, "study_id = ?", (study_id,), study_id, "title")
        execute(f"UPDATE audit SET before = NULL, after = NULL WHERE {named}", (study_id, like, like))
        execute("UPDATE audit SET title = ? WHERE study_id = ?", (CLEARED_TITLE, study_id))


@contextmanager
def _writable_log(execute: Execute) -> Iterator[None]:
    """Without the triggers that keep the log append-only."""
    triggers = _without_triggers(execute, "audit")
    yield
    for trigger in triggers:
        execute(trigger, ())


def _without_triggers(execute: Execute, table: str) -> Sequence[str]:
    """Drop the triggers of a table, such as those that keep the log append-only; returns what makes them again."""
    found = execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)).fetchall()
    for name, _ in found:
        execute(f'DROP TRIGGER "{name}"', ())
    return [sql for _, sql in found]


def _tables(execute: Execute) -> dict[str, list[str]]:
    """The columns of each table; tables that others refer to come last."""
    names = [row[0] for row in execute("SELECT name FROM sqlite_master WHERE type = 'table'", ()).fetchall()]
    return {name: [row[1] for row in execute(f'PRAGMA table_info("{name}")', ()).fetchall()] for name in names}
