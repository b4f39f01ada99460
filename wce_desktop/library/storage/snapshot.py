"""Reading a library that cannot be written: directly, or from a temporary copy with its log."""

import math
import shutil
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Engine

from training.errors import UserError
from training.files.scratch import make_scratch_folder, remove_abandoned
from training.texts import Text
from wce_desktop.library.backup import backup_file
from wce_desktop.library.errors import ChangedDatabaseError
from wce_desktop.library.storage import database, definitions, failures, integrity, revisions, sqlite_file

KIND = "library"
_PLACES = (None, Path("/dev/shm"))
"""Where a copy may lie: the folder for temporary files; memory where that is full too."""


def open_snapshot(folder: Path) -> tuple[Engine, Path | None]:
    """An engine that reads the library, and the temporary folder to remove after it, or None.

    The file itself is read where it is whole by itself and of this version. Otherwise a copy is: SQLite sees edits that
    still stand in the log only in a place where it can write, and tables of an older version are brought up to date.

    Raises:
        UserError: the database is damaged or of a newer version, or there is no room for a copy.
    """
    file = folder / database.FILE_NAME
    if integrity.size_of(log_of(file)) == 0:
        check(folder, file, immutable=True)
        engine = database.connect_to_read(file)
        with engine.connect() as connection:
            is_current = definitions.revision_of(connection) == revisions.REVISIONS[-1]
        if is_current:
            return engine, None
        engine.dispose()
    place = _copy(folder)
    copy = place / database.FILE_NAME
    try:
        check(folder, copy)
        engine = database.connect(copy)
        try:
            definitions.check_version(engine, folder)
            definitions.upgrade(engine)
        except BaseException:
            database.close(engine, copy)
            raise
        return engine, place
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def log_of(file: Path) -> Path:
    """Where SQLite keeps the edits that are not in the file yet."""
    return file.with_name(f"{file.name}-wal")


def check(folder: Path, file: Path, *, immutable: bool = False) -> None:
    """Refuse a damaged database, and one that another program changed.

    Raises:
        ChangedDatabaseError: it has other definitions than its version writes.
        DamagedLibraryError: it is damaged.
        CannotWriteError: the disk fails, and not the database.
    """
    with closing(sqlite_file.open_file(file, immutable=immutable)) as connection:
        problem = integrity.damage_in(connection)
        if problem is not None and integrity.is_changed(connection):
            raise ChangedDatabaseError(folder, backup_file.last_backup(folder), problem)
    if problem is not None:
        raise failures.damage_error(folder, file, problem)


def _copy(folder: Path) -> Path:
    """Copy the database and its log into a new temporary folder.

    Raises:
        UserError: there is no room, or the database cannot be read.
    """
    file = folder / database.FILE_NAME
    failure: OSError | None = None
    with suppress(OSError):  # no room in any folder for temporary files
        remove_abandoned(KIND)
    for place in _PLACES:
        try:
            copy = make_scratch_folder(KIND, place)
        except OSError as error:
            failure = error
            continue
        try:
            for source in filter(Path.exists, (file, log_of(file))):
                shutil.copyfile(source, copy / source.name)
            return copy
        except OSError as error:
            shutil.rmtree(copy, ignore_errors=True)
            failure = error
    needed = (integrity.size_of(file) + integrity.size_of(log_of(file))) / 1e6
    raise UserError(
        "The library in {folder} cannot be written, and the copy needed to read it cannot be created ({why}).",
        "Free {needed:,} MB, or set the environment variable TMPDIR to a folder with enough space.",
        folder,
        failure.strerror if failure else Text("no space"),
        math.ceil(needed),
    ) from failure
