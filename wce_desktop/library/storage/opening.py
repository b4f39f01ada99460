"""Opening a library's folder: lock, check, backup, migration, in this order; or for reading only.

Where the database cannot be opened as it is, `keep_database` and `start_empty` go on without a backup.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection as Opened

from sqlalchemy import Connection, Engine, insert, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.library import errors, moving, removal_rows, removals, removed_files, tables
from wce_desktop.library.backup import backup_file, backups, comparison, signed_reports
from wce_desktop.library.storage import database, definitions, encrypting, integrity, server, snapshot
from wce_desktop.library.storage.failures import sentences
from wce_desktop.library.storage.integrity import ensure_identity
from wce_desktop.library.storage.lock import LibraryLock, ReadingLock, SharedLock
from wce_desktop.library.storage.private import make_private_file, restrict_access_to_library
from wce_desktop.library.storage.revisions import REVISIONS
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, key_literal, key_of, open_file

_CANNOT_KEEP: tuple[type[Exception], ...] = (*DATABASE_ERRORS, ValueError)


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A library's folder, ready for use.

    Args:
        lock: keeps other windows away until it is released.
        read_only: why nothing can be saved; empty where everything can.
        loss: what the library lacks although its last backup holds it, or None.
        copy: the temporary folder with the copy that is read, or None.
        readable: signed reports of an encrypted library that could not be encrypted.
        account: with which the reader is known to the server; empty: the database is in the folder.
    """

    engine: Engine
    lock: LibraryLock
    read_only: str = ""
    loss: comparison.DataLoss | None = None
    copy: Path | None = None
    readable: tuple[Path, ...] = ()
    account: str = ""


def open_folder(folder: Path, reader: str) -> OpenFolder:
    """Make the folder where it is missing, and the database in it ready for use.

    A library on a full disk, or in a place that cannot be written, is opened for reading only.

    Raises:
        UserError: as `Library.open` says. The lock is released then.
    """
    if address := server.address_in(folder):
        with sentences(folder, Text("opening")):
            return _open_on_server(folder, address)
    try:
        for part in ("", *integrity.PARTS):
            (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = LibraryLock(folder)
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno in errors.NO_WRITING and (folder / database.FILE_NAME).is_file():
            return _open_for_reading(
                folder,
                Text("the folder {folder} cannot be written ({said})", folder, why),
                ReadingLock(folder),
            )
        raise UserError(
            "The library folder {folder} cannot be written ({said}).",
            "Check its permissions, or choose another folder with --library.",
            folder,
            why,
        ) from error
    try:
        try:
            with sentences(folder, Text("opening")):
                return _open_for_writing(folder, reader, lock)
        except errors.CannotWriteError as error:
            return _open_for_reading(folder, tr(error.message).rstrip("."), lock, error)
    except BaseException:
        lock.release()
        raise


def _open_on_server(folder: Path, address: str) -> OpenFolder:
    """Open a library whose database is on a server; other readers may have it open, too."""
    for part in ("", *integrity.PARTS):
        (folder / part).mkdir(parents=True, exist_ok=True)
    engine = server.connect(address)
    try:
        version = definitions.check_version(engine, folder)
        if version is None:
            server.upgrade(engine)
        elif version != REVISIONS[-1]:
            raise UserError(
                "The library on the server was made by an older version of the program (tables {found}, this version "
                "needs {supported}).",
                "Its administrator brings it up to date: wce-desktop library upgrade.",
                version,
                REVISIONS[-1],
            )
        with engine.begin() as connection:
            account = str(connection.exec_driver_sql("SELECT session_user").scalar_one())
            is_fixed = connection.exec_driver_sql("SHOW transaction_read_only").scalar_one() == "on"
        if is_fixed:
            return OpenFolder(engine, SharedLock(), tr("the server is read-only"), account=account)
        with engine.execution_options(writes=True).begin() as connection:
            ensure_identity(connection)
            add_reader(connection, account)
            may_remove = connection.exec_driver_sql("SELECT has_table_privilege('removals', 'INSERT')").scalar()
        if may_remove:
            _finish_files(folder, engine)
    except BaseException:
        engine.dispose()
        raise
    return OpenFolder(engine, SharedLock(), account=account)


def _finish_files(folder: Path, engine: Engine, *, is_whole: bool = True) -> None:
    """Remove what killed processes left; no files of rows that may come back with a backup."""
    removed_files.remove_left_behind(folder)
    removed_files.finish_at_start(folder, engine, is_whole=is_whole)
    if is_whole:
        removed_files.remove_orphans(folder, engine)


def add_reader(connection: Connection, reader: str) -> None:
    """Note who reads in the library."""
    if reader and not connection.scalar(select(1).where(tables.readers.c.name == reader)):
        connection.execute(insert(tables.readers).values(name=reader, created_utc=database.now_utc()))


def start_empty(folder: Path) -> None:
    """Make an empty database; remains of the previous one and all other files are kept.

    Raises:
        LibraryInUseError: when a window has the library open.
        UserError: the folder cannot be written.
    """
    with backups.holding(folder, Text("starting with an empty library")):
        with backups.fresh_database(folder) as fresh:
            engine = _connect_new(fresh)
            try:
                bring_up_to_date(engine, folder)
            finally:
                database.close(engine, fresh)
            removal_rows.carry_removals(folder, fresh)
            backups.note_restored(folder, fresh, datetime.now(UTC), None)
            backups.put_database_in_place(folder, fresh, datetime.now(UTC))
        backups.backup(folder, always=True)  # the new state of the library: nothing counts as missing


def _open_for_writing(folder: Path, reader: str, lock: LibraryLock) -> OpenFolder:
    file = folder / database.FILE_NAME
    if encrypting.is_replaced(folder):
        raise errors.ReplacedDatabaseError(folder, backup_file.last_backup(folder))
    is_new = integrity.is_blank(file)
    if is_new and (integrity.holds_data(folder) or backup_file.databases_aside(folder)):
        what = Text("the file is empty") if file.exists() else Text("the file is missing")
        if target := moving.moved_to(folder):
            what = Text("it was moved to {target}", target)
        raise errors.LostDatabaseError(folder, backup_file.last_backup(folder), what)
    if not is_new:
        snapshot.check(folder, file)
    readable: list[Path] = []
    if not is_new:
        left = encrypting.finish_encrypting(folder)
        readable = [path for path in left if path.suffix != ".sqlite"]  # a damaged backup is named when encrypting
        restrict_access_to_library(folder)
    engine = _connect_new(file)
    try:
        bring_up_to_date(engine, folder)
        with engine.execution_options(writes=True).begin() as connection:
            ensure_identity(connection)
            add_reader(connection, reader)
        loss = None if is_new else comparison.loss_since_backup(folder)
        if not is_new:
            signed_reports.restore_reports(folder, only_missing=True)
            backups.backup(folder, always=loss is not None)
            removals.forget_in_backups(folder)
        _finish_files(folder, engine, is_whole=loss is None)
    except BaseException:
        database.close(engine, file)
        raise
    return OpenFolder(engine, lock, loss=loss, readable=tuple(readable))


def _connect_new(file: Path) -> Engine:
    make_private_file(file)
    return database.connect(file)


def _open_for_reading(folder: Path, why: str, lock: LibraryLock, error: Exception | None = None) -> OpenFolder:
    """Open what is there without changing it.

    Raises:
        UserError: there is no database, or it is damaged. The lock is released then.
    """
    try:
        if integrity.size_of(folder / database.FILE_NAME) == 0:
            raise errors.LostDatabaseError(
                folder, backup_file.last_backup(folder), Text("the file is empty")
            ) from error
        if encrypting.is_replaced(folder):
            raise errors.ReplacedDatabaseError(folder, backup_file.last_backup(folder)) from error
        with sentences(folder, Text("reading")):
            engine, copy = snapshot.open_snapshot(folder)
        return OpenFolder(engine, lock, why, copy=copy)
    except BaseException:
        lock.release()
        raise


def bring_up_to_date(engine: Engine, folder: Path) -> None:
    """Make the tables, or bring older ones up to this version after a backup; all or nothing.

    Raises:
        NewerLibraryError: when a newer version of the application wrote them.
    """
    version = definitions.check_version(engine, folder)
    if version == REVISIONS[-1]:
        return
    if version is not None:
        backups.backup(folder, always=True)
    definitions.upgrade(engine)


def keep_database(folder: Path) -> None:
    """Accept a plain database beside encrypted files, and take foreign definitions out of it.

    The rows of the library's own tables are copied into a database with the definitions of its version; nothing that
    was defined by others is run. The database as it was is kept aside.

    Raises:
        UserError: a table of the library is missing or cannot be read, or something cannot be written.
        LibraryInUseError: a window has the library open.
    """
    with backups.holding(folder, Text("keeping the database")):
        if encrypting.is_replaced(folder):
            encrypting.allow_plain(folder)
        file = folder / database.FILE_NAME
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


def _copy_own_tables(connection: Opened, file: Path, revision: str) -> None:
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
