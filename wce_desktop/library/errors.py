"""What can go wrong with a library, as sentences."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from training.errors import UserError

UNREADABLE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""How the names of errors begin that speak of a damaged file."""
_NO_ACCESS = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")


class DamagedLibraryError(UserError):
    """The database cannot be read; `last_backup` is the newest sound copy, or None."""

    def __init__(self, folder: Path, last_backup: Path | None, what: str = "") -> None:
        self.folder = folder
        self.last_backup = last_backup
        hint = (
            f"Restore the last backup, {last_backup.name}; the damaged file is kept beside it."
            if last_backup
            else "There is no backup of it; keep the file and ask for help."
        )
        detail = f" ({what})" if what else ""
        super().__init__(f"The library in {folder} is damaged and cannot be opened{detail}.", hint)


class LibraryInUseError(UserError):
    """Another window has the library open."""


class NewerLibraryError(UserError):
    """A newer version of the application wrote the library."""


@contextmanager
def sentences(folder: Path, doing: str) -> Iterator[None]:
    """Turn what the database says of disk and file into a `UserError`; `doing` names what was being saved or read.

    Whatever was begun is rolled back by then: nothing is half-written.
    """
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError) as error:
        named = user_error(folder, doing, error_name(error))
        if named is None:
            raise
        raise named from error


def error_name(error: BaseException) -> str:
    """SQLite's name for what went wrong ("SQLITE_FULL"), or an empty text."""
    cause = error.orig if isinstance(error, DatabaseError) else error
    return str(getattr(cause, "sqlite_errorname", ""))


def user_error(folder: Path, doing: str, code: str) -> UserError | None:
    """The sentence for one of SQLite's error names, or None when it speaks of a bug."""
    if code == "SQLITE_FULL":
        return UserError(f"The disk with the library {folder} is full: {doing} could not be saved.", "Free some space.")
    if code.startswith(_NO_ACCESS):
        return UserError(
            f"The library in {folder} cannot be written: {doing} failed.", "Check the folder's permissions."
        )
    if code.startswith(UNREADABLE):
        from wce_desktop.library.backups import last_backup

        return DamagedLibraryError(folder, last_backup(folder))
    if code.startswith("SQLITE_BUSY"):
        return UserError(f"Another program holds the library in {folder}: {doing} failed.", "Close it and try again.")
    if code.startswith("SQLITE_IOERR"):
        return UserError(f"The disk with the library {folder} reports an error: {doing} failed.", "Check the disk.")
    return None
