"""Goes on with the present database of a library that is not opened as it is."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from training.errors import UserError
from training.texts import Text
from wce_desktop.library.backup import backups
from wce_desktop.library.storage import definitions, integrity, plain_mark
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.private import make_private_file
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, key_literal, key_of, open_file

_CANNOT_KEEP: tuple[type[Exception], ...] = (*DATABASE_ERRORS, ValueError)


def keep_database(folder: Path) -> None:
    """Accept a plain database beside encrypted files, and take foreign definitions out of it.

    The rows of the library's own tables are copied into a database with the definitions of its version; nothing that
    was defined by others is run. The database as it was is kept aside.

    Raises:
        UserError: a table of the library is missing or cannot be read, or something cannot be written.
        LibraryInUseError: a window has the library open.
    """
    with backups.holding(folder, Text("keeping the database")):
        if plain_mark.is_replaced(folder):
            plain_mark.allow(folder)
        file = folder / FILE_NAME
        with closing(open_file(file)) as connection:
            is_changed = definitions.difference(connection) is not None
            revision = definitions.revision_in(connection)
        if is_changed:
            _rebuild(folder, file, revision)


def _rebuild(folder: Path, file: Path, revision: str | None) -> None:
    with backups.fresh_database(folder) as fresh:
        make_private_file(fresh)
        try:
            if revision is None:
                raise ValueError(Text("the version of its tables is missing"))
            with closing(open_file(fresh, like=file, isolation_level=None)) as connection:
                _copy_own_tables(connection, file, revision)
            if problem := integrity.damage(fresh):
                raise ValueError(problem)
        except _CANNOT_KEEP as error:
            raise UserError(
                "The database in {folder} cannot be kept ({why}).",
                "Restore a backup. Nothing was changed.",
                folder,
                error,
            ) from error
        backups.put_database_in_place(folder, fresh, datetime.now(UTC))


def _copy_own_tables(connection: Connection, file: Path, revision: str) -> None:
    rows = definitions.reference(revision)
    names = [name for kind, name, _, _ in rows if kind == "table"]
    for kind, _, _, sql in rows:
        if kind == "table":
            connection.execute(sql)
    key = key_of(file)
    connection.execute(f"ATTACH ? AS other {f'KEY {key_literal(key)}' if key else ''}", (str(file),))
    real = {str(row[0]) for row in connection.execute("SELECT name FROM other.sqlite_master WHERE rootpage > 0")}
    if missing := sorted(set(names) - real):  # or a view
        raise ValueError(Text("the table {table} is missing", missing[0]))
    for name in names:
        columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f'PRAGMA main.table_info("{name}")'))
        connection.execute(f'INSERT INTO main."{name}" ({columns}) SELECT {columns} FROM other."{name}"')
    connection.execute("DETACH other")
    for kind, _, _, sql in rows:
        if kind != "table":
            connection.execute(sql)
