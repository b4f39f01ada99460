"""Whether a file holds a library's database (sound, blank, damaged or changed), and which library's it is.

The identity of a library is a random number in its database, which its backups and copies carry along. A library keeps
it when it is moved, encrypted, or goes back to a backup. A new library in the same folder has another one, and so has a
library that was restored from a copy.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from wce_desktop.core.identity import is_on_server
from wce_desktop.library import errors, tables
from wce_desktop.library.storage import definitions, sqlite_file

_NAMED = re.compile(r"\*\*\* in database \w+ \*\*\*")
"""What SQLite writes before the first problem."""
PARTS = ("studies", "models", "runs", "backups")
"""The folders of a library."""
IDENTITY = "library_id"
"""In the table `meta`."""


def is_blank(file: Path) -> bool:
    """Whether there is no database: no file, an empty one, or one without tables.

    An empty file is not even opened: SQLite would delete the log beside it, which may hold the last edits.
    """
    if size_of(file) == 0:
        return True
    try:
        with closing(sqlite_file.open_file(file)) as connection:
            return not table_names(connection)
    except sqlite_file.DATABASE_ERRORS:
        return False


def is_library(folder: Path) -> bool:
    """Whether a folder is that of a library: its database lies in it, or is on a server.

    Raises:
        UserError: this account may not read the folder.
    """
    return is_on_server(folder) or (folder / "library.sqlite").is_file()


def holds_data(folder: Path) -> bool:
    """Whether a library's folder holds anything that only its database can explain: studies, models, runs, backups."""
    parts = (folder / part for part in PARTS)
    return any(not entry.name.startswith(".") for part in parts if part.is_dir() for entry in part.iterdir())


def damage(file: Path) -> str | None:
    """What is wrong with a database file, in a few words, or None when it is sound."""
    with closing(sqlite_file.open_file(file)) as connection:
        return damage_in(connection)


def damage_in(connection: sqlite3.Connection) -> str | None:
    """What is wrong with an open database, in a few words, or None when it is sound."""
    try:
        if changed := definitions.difference(connection):
            return changed  # before anything that was defined there is evaluated
        result = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return None if result == "ok" else _NAMED.sub("", str(result)).strip()
    except sqlite_file.DATABASE_ERRORS as error:
        if errors.error_name(error).startswith(errors.UNREADABLE):
            return str(error)
        raise


def is_changed(connection: sqlite3.Connection) -> bool:
    """Whether a database has other definitions than its version writes and can be read nevertheless."""
    try:
        return definitions.difference(connection) is not None and definitions.revision_in(connection) is not None
    except sqlite_file.DATABASE_ERRORS:
        return False


def size_of(file: Path) -> int:
    """The size of a file in bytes; 0 if there is none."""
    return file.stat().st_size if file.exists() else 0


def table_names(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def identity_in(connection: sqlite3.Connection) -> str:
    """The identity in an open database; empty where it has none, as those of older versions."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (IDENTITY,)).fetchone()
    value = str(row[0]) if row else ""
    return value if value.isalnum() else ""  # it becomes a part of a folder's name


def identity_of(file: Path) -> str:
    """The identity in a database file; empty where it has none or cannot be read."""
    if size_of(file) == 0:  # SQLite would delete the log beside an empty file
        return ""
    try:
        with closing(sqlite_file.open_file(file, read_only=True)) as connection:
            return identity_in(connection)
    except sqlite_file.READ_ERRORS:
        return ""


def ensure_identity(connection: Connection) -> None:
    """Give a database its identity, unless it has one."""
    if connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == IDENTITY)).first() is None:
        connection.execute(insert(tables.meta).values(key=IDENTITY, value=uuid4().hex))


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
        with closing(sqlite_file.open_file(restored)) as connection, connection:
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (IDENTITY, value))
