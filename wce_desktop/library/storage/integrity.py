"""Whether a file holds a library's database: sound, blank, damaged, or with other definitions than it should have."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from wce_desktop.library.errors import UNREADABLE, error_name
from wce_desktop.library.storage import definitions
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, open_file

_NAMED = re.compile(r"\*\*\* in database \w+ \*\*\*")
"""What SQLite writes before the first problem."""
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
        if changed := definitions.difference(connection):
            return changed  # before anything that was defined there is evaluated
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return None if found == "ok" else _NAMED.sub("", str(found)).strip()
    except DATABASE_ERRORS as error:
        if error_name(error).startswith(UNREADABLE):
            return str(error)
        raise


def is_changed(connection: sqlite3.Connection) -> bool:
    """Whether a database has other definitions than its version writes and can be read nevertheless."""
    try:
        return definitions.difference(connection) is not None and definitions.revision_in(connection) is not None
    except DATABASE_ERRORS:
        return False


def size_of(file: Path) -> int:
    """The size of a file in bytes; 0 if there is none."""
    return file.stat().st_size if file.exists() else 0


def table_names(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables."""
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
