"""Makes a library on a server, and copies libraries between this computer and a server, verified row by row."""

import shutil
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Integer, Table, delete, func, insert, select, text

from training.errors import UserError, writing
from training.texts import Text
from wce_desktop.core.identity import SERVER_FILE
from wce_desktop.library import moving, tables
from wce_desktop.library.storage import database, definitions, integrity, opening, private, roles, server
from wce_desktop.library.storage.failures import sentences
from wce_desktop.library.storage.key_store import system_key_store
from wce_desktop.library.storage.revisions import VERSION_TABLE

_ROWS = 5_000
_OWN_FILES = {database.FILE_NAME, "library.lock", SERVER_FILE, "settings.json", "backups"}
"""Of a library's folder: not copied along."""


def create(address: str, folder: Path) -> None:
    """Make an empty library whose database is at an address and whose files are in a folder.

    Raises:
        UserError: the folder holds a library already, or the database holds tables.
    """
    _check_free(folder)
    with sentences(folder, Text("creating the library")):
        engine = server.connect(address)
        try:
            if _has_tables(engine):
                raise UserError(
                    "There is a library at {address} already.", "Open it, or name another database.", address
                )
            with writing(folder):
                for part in ("", *integrity.PARTS):
                    (folder / part).mkdir(parents=True, exist_ok=True)
            server.upgrade(engine)
            with engine.execution_options(writes=True).begin() as connection:
                integrity.ensure_identity(connection)
                connection.execute(insert(tables.meta).values(key=server.FOLDER, value=str(folder)))
            server.write_address(folder, server.without_account(address))
        finally:
            engine.dispose()


def upgrade(address: str) -> None:
    """Bring the tables of the library at an address up to this version; rows stay.

    Raises:
        UserError: there is no library, this account did not make it, or a newer version of the program did.
    """
    folder = server.folder_of(address)
    with sentences(folder, Text("bringing the library up to date")):
        engine = server.connect(address)
        try:
            server.upgrade(engine, definitions.check_version(engine, folder))
        finally:
            engine.dispose()


def allow(address: str, account: str, role: str) -> None:
    """Give an account of the server a role (`storage.roles`) in the library at an address.

    Raises:
        UserError: there is no such account, or this one may not give roles.
    """
    with sentences(Path(), Text("giving the role")):
        engine = server.connect(address)
        try:
            with engine.execution_options(writes=True).begin() as connection:
                roles.allow(connection, account, role)
        finally:
            engine.dispose()


def keep_password(address: str, password: str) -> None:
    """Keep the password of an account in the system's key store; empty: forget it.

    Raises:
        UserError: there is no key store, the address is none, or the server does not accept the password.
    """
    name, store = server.password_name(address), system_key_store()
    if store is None:
        raise UserError(
            "This computer has no key store that protects a password.",
            "Use a client certificate, Kerberos, or the file of passwords of PostgreSQL (~/.pgpass).",
        )
    if not password:
        store.delete_password(server.PASSWORDS, name)
        return
    store.set_password(server.PASSWORDS, name, password)
    try:
        with sentences(Path(), Text("opening")):
            server.connect(address).dispose()
    except UserError:
        store.delete_password(server.PASSWORDS, name)
        raise


def copy_library(source: Path, target: Path, address: str = "") -> int:
    """Copy a library that no window has open; the copy is compared row by row. The source stays as it is.

    Args:
        target: a new or empty folder, for the files of the copy.
        address: of the copy's database on a server; empty: the database lies in the folder.

    Returns:
        how many rows were copied.

    Raises:
        UserError: something cannot be read or written, or the copy differs; what was copied is left for a look.
    """
    _check_free(target)
    moving.check_target(source, target)
    opened = opening.open_folder(source, "")
    try:
        if address:
            create(address, target)
            made = server.connect(address)
        else:
            target.mkdir(parents=True, exist_ok=True, mode=0o700)
            made = database.connect(target / database.FILE_NAME)
            definitions.upgrade(made)
        try:
            with sentences(source, Text("copying the library")):
                rows = _copy_rows(opened.engine, made, target)
                _copy_files(source, target)
        finally:
            made.dispose()
    finally:
        opened.engine.dispose()
        opened.lock.release()
    return rows


def _has_tables(engine: Engine) -> bool:
    with engine.connect() as connection:
        return definitions.revision_of(connection) is not None


def _check_free(folder: Path) -> None:
    if (folder / database.FILE_NAME).exists() or (folder / SERVER_FILE).exists():
        raise UserError("There is a library in {folder} already.", "Choose a new or an empty folder.", folder)


def _copy_rows(source: Engine, target: Engine, folder: Path) -> int:
    with source.begin() as reading, target.execution_options(writes=True).begin() as writing:
        chosen = [table for table in tables.metadata.tables.values() if table.name != VERSION_TABLE]
        total = sum(int(reading.scalar(select(func.count()).select_from(table)) or 0) for table in chosen)
        if tables.is_on_server(writing):
            writing.execute(text("SET LOCAL wce.copies = 'on'"))  # lines of the log are those of their readers
        for table in _parents_first(chosen):
            writing.execute(delete(table))
            for rows in _batches(reading, table):
                writing.execute(insert(table), rows)
            _number_on(writing, table)
        writing.execute(delete(tables.meta).where(tables.meta.c.key == server.FOLDER))
        if tables.is_on_server(writing):
            writing.execute(insert(tables.meta).values(key=server.FOLDER, value=str(folder)))
            writing.execute(text("ANALYZE"))  # the server finds its indexes from the first question on
    with source.begin() as reading, target.begin() as copied:
        for table in chosen:
            _compare(reading, copied, table)
    return total


def _parents_first(chosen: list[Table]) -> list[Table]:
    """Tables that others refer to come first."""
    first = ["patients", "studies"]
    return sorted(chosen, key=lambda table: first.index(table.name) if table.name in first else len(first))


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    order = [tables.ENTERED] if table.name in tables.ORDERED else table.primary_key
    asked = select(table).order_by(*order)
    for rows in connection.execution_options(yield_per=_ROWS).execute(asked).partitions():
        yield [dict(row._mapping) for row in rows]


def _number_on(connection: Connection, table: Table) -> None:
    """Let the server number new rows after those that are there."""
    key = next(iter(table.primary_key))
    if tables.is_on_server(connection) and len(table.primary_key) == 1 and isinstance(key.type, Integer):
        numbered = f"SELECT setval('{table.name}_{key.name}_seq', COALESCE(MAX({key.name}), 1), MAX({key.name}) > 0)"
        connection.execute(text(f"{numbered} FROM {table.name}"))


def _compare(source: Connection, target: Connection, table: Table) -> None:
    asked = select(table).order_by(*table.primary_key)
    if table.name == "meta":
        asked = asked.where(table.c.key != server.FOLDER)
    rows, copied = (connection.execution_options(yield_per=_ROWS).execute(asked) for connection in (source, target))
    for number, (old, new) in enumerate(zip_longest(rows, copied)):
        if old is None or new is None or tuple(old) != tuple(new):
            raise UserError(
                "The copy differs from the library (row {number} of the table {table}).",
                "Check the library with wce-desktop check. Do not use the copy.",
                number + 1,
                table.name,
            )


def _copy_files(source: Path, target: Path) -> None:
    for path in sorted(source.iterdir()):
        if path.name in _OWN_FILES or path.name.startswith((".", "library")):
            continue
        if path.is_dir():
            shutil.copytree(path, target / path.name, dirs_exist_ok=True)
        else:
            shutil.copy2(path, target / path.name)
        private.share_like(target, target / path.name)
