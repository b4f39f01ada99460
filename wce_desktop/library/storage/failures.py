"""Database errors as messages for the reader; for a damaged database the last backup is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library.errors import (
    UNREADABLE,
    CannotWriteError,
    DamagedLibraryError,
    UnreachableLibraryError,
    cause_of,
    error_name,
)
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS

_ERRORS: tuple[type[Exception], ...] = (DatabaseError, *DATABASE_ERRORS)
_NO_ACCESS = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")
_MISSING = ("no such table", "no such column")


@contextmanager
def sentences(folder: Path, doing: str) -> Iterator[None]:
    """Turn database errors into `UserError`; `doing` names what was being saved or read.

    The transaction has been rolled back: nothing is half-written.
    """
    try:
        yield
    except _ERRORS as error:
        named = user_error(folder, doing, error_name(error), str(cause_of(error)))
        if named is None:
            raise
        raise named from error


def user_error(folder: Path, doing: str, code: str, said: str = "") -> UserError | None:
    """The sentence for one of SQLite's error names, or None when it speaks of a bug."""
    if code == "SQLITE_FULL":
        return CannotWriteError(
            tr("The disk with the library {folder} is full: {doing} could not be saved.", folder=folder, doing=doing),
            tr("Free some disk space."),
        )
    if code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and not is_reachable(folder):
        return UnreachableLibraryError(
            tr("The library in {folder} cannot be reached: {doing} failed.", folder=folder, doing=doing),
            tr("Connect its disk or network share again. What was saved before is safe."),
        )
    if code.startswith(_NO_ACCESS):
        return CannotWriteError(
            tr("The library in {folder} cannot be written: {doing} failed.", folder=folder, doing=doing),
            tr("Check the folder's permissions."),
        )
    if code.startswith(UNREADABLE):
        return damaged(folder)
    if said.startswith(_MISSING):
        return damaged(folder, said)
    if code.startswith("SQLITE_BUSY"):
        return UserError(
            tr("Another program uses the library in {folder}: {doing} failed.", folder=folder, doing=doing),
            tr("Close it and try again."),
        )
    if code.startswith("SQLITE_IOERR"):
        return CannotWriteError(
            tr("The disk with the library {folder} reports an error: {doing} failed.", folder=folder, doing=doing),
            tr("Check the disk."),
        )
    return None


def is_reachable(folder: Path) -> bool:
    """Whether the database of a library is there."""
    try:
        return (folder / "library.sqlite").is_file()
    except OSError:
        return False


def damaged(folder: Path, what: str = "") -> DamagedLibraryError:
    """The error for a database that cannot be read, which names the last backup."""
    from wce_desktop.library.backup.backups import last_backup

    return DamagedLibraryError(folder, last_backup(folder), what)
