"""Whether a file holds a library's database: sound, blank, damaged, or with parts missing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from wce_desktop.core.language import tr
from wce_desktop.library import tables
from wce_desktop.library.errors import UNREADABLE, error_name
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, open_file

VERSION_TABLE = "alembic_version"
PARTS = ("studies", "models", "runs", "backups")
"""The folders of a library."""


def is_blank(file: Path) -> bool:
    """Whether there is no database: no file, an empty one, or one without tables.

    An empty file is not even opened: SQLite would delete the log beside it, which may hold the last edits.
    """
    if size_of(file) == 0:
        return True
    try:
        with closing(open_file(file)) as connection:
            return not table_names(connection)
    except DATABASE_ERRORS:
        return False


def holds_data(folder: Path) -> bool:
    """Whether a library's folder holds anything that only its database can explain: studies, models, runs, backups."""
    parts = (folder / part for part in PARTS)
    return any(not entry.name.startswith(".") for part in parts if part.is_dir() for entry in part.iterdir())


def damage(file: Path) -> str | None:
    """What is wrong with a database file, in a few words, or None when it is sound."""
    with closing(open_file(file)) as connection:
        return damage_in(connection)


def damage_in(connection: sqlite3.Connection) -> str | None:
    """What is wrong with an open database, in a few words, or None when it is sound."""
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return missing_part(connection) if found == "ok" else str(found)
    except DATABASE_ERRORS as error:
        if error_name(error).startswith(UNREADABLE):
            return str(error)
        raise


def size_of(file: Path) -> int:
    """The size of a file in bytes; 0 if there is none."""
    return file.stat().st_size if file.exists() else 0


def table_names(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def missing_part(connection: sqlite3.Connection) -> str | None:
    """Which table or column of a library is missing, in a few words; None where all is there.

    A database with no table of a library belongs to another program and is not checked here.
    """
    names, needed = table_names(connection), set(tables.metadata.tables)
    if not names & needed:
        return None
    if missing := sorted((needed - set(tables.SINCE) | {VERSION_TABLE}) - names):
        return tr("the table {table} is missing", table=missing[0])
    versions = [version for (version,) in connection.execute(f"SELECT version_num FROM {VERSION_TABLE}")]
    if len(versions) != 1:
        return tr("the version of its tables is missing")
    came_later = {name for name, revision in tables.SINCE.items() if revision <= str(versions[0])}
    if missing := sorted(came_later - names):
        return tr("the table {table} is missing", table=missing[0])
    return _missing_column(connection) if versions[0] == tables.REVISIONS[-1] else None


def _missing_column(connection: sqlite3.Connection) -> str | None:
    for table in tables.metadata.tables.values():
        there = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table.name})")}
        if missing := sorted({column.name for column in table.columns} - there):
            return tr("the table {table} has no column {column}", table=table.name, column=missing[0])
    return None
