"""The identity of a library: a random number in its database, which its backups and copies carry along.

A library keeps it when it is moved, encrypted, or goes back to a backup. A new library in the same folder has another
one, and so has a library that was restored from a copy.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from wce_desktop.library import tables
from wce_desktop.library.storage.integrity import size_of
from wce_desktop.library.storage.sqlite_file import READ_ERRORS, open_file

KEY = "library_id"
"""In the table `meta`."""


def identity_in(connection: sqlite3.Connection) -> str:
    """The identity in an open database; empty where it has none, as those of older versions."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).fetchone()
    value = str(row[0]) if row else ""
    return value if value.isalnum() else ""  # it becomes a part of a folder's name


def identity_of(file: Path) -> str:
    """The identity in a database file; empty where it has none or cannot be read."""
    if size_of(file) == 0:  # SQLite would delete the log beside an empty file
        return ""
    try:
        with closing(open_file(file, read_only=True)) as connection:
            return identity_in(connection)
    except READ_ERRORS:
        return ""


def ensure_identity(connection: Connection) -> None:
    """Give a database its identity, unless it has one."""
    if connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == KEY)).first() is None:
        connection.execute(insert(tables.meta).values(key=KEY, value=uuid4().hex))


def settle_identity(present: Path, restored: Path, *, is_elsewhere: bool) -> None:
    """Give a restored database its identity before it takes the place of the present one.

    A library keeps its own. Where none is there, what comes from another folder becomes a new library: the one from
    which it was copied may be in use on another computer, and its copies are not touched.

    Args:
        present: the library's database, which may be missing or damaged.
        restored: the database that takes its place.
        is_elsewhere: whether it comes from another folder than that of the library.
    """
    value = identity_of(present)
    if not value and (is_elsewhere or not identity_of(restored)):
        value = uuid4().hex
    if value:
        with closing(open_file(restored)) as connection, connection:
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (KEY, value))
