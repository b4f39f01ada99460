"""Opening a library's folder: lock, check, backup, migration, in this order."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from training.errors import UserError
from wce_desktop.library import backups, database, schema
from wce_desktop.library.errors import DamagedLibraryError, sentences
from wce_desktop.library.lock import LibraryLock


def open_folder(folder: Path) -> tuple[Engine, LibraryLock]:
    """Make the folder where it is missing, and the database in it ready for use.

    Raises:
        UserError: as `Library.open` says. The lock is let go then.
    """
    try:
        for part in ("studies", "models", "runs", "backups"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        lock = LibraryLock(folder)
    except OSError as error:
        raise UserError(
            f"The library folder {folder} cannot be written ({error.strerror or error}).",
            "Check its permissions, or choose another folder with --library.",
        ) from error
    try:
        with sentences(folder, "opening"):
            return _open_locked(folder), lock
    except BaseException:
        lock.release()
        raise


def _open_locked(folder: Path) -> Engine:
    file = folder / database.FILE_NAME
    is_new = not file.exists()
    if not is_new and (found := backups.damage(file)) is not None:
        raise DamagedLibraryError(folder, backups.last_backup(folder), found)
    engine = database.connect(file)
    try:
        schema.bring_up_to_date(engine, folder)
        if not is_new:
            backups.backup(folder)
    except BaseException:
        engine.dispose()
        raise
    return engine
