"""Errors of database and disk as messages for the reader; for a damaged database the last backup is named."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from training.errors import UserError
from training.texts import Text
from wce_desktop.core import to_translate
from wce_desktop.library import errors
from wce_desktop.library.backup.backup_file import last_backup
from wce_desktop.library.storage import integrity, server_errors
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, READ_ERRORS, is_encrypted, open_file

_ERRORS: tuple[type[Exception], ...] = (DatabaseError, *DATABASE_ERRORS)
_NO_ACCESS = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")
_MISSING = ("no such table", "no such column")
_PROBE_BYTES = 2**18
"""Written to see whether a disk is full: several times what SQLite needs to open a database."""


@contextmanager
def sentences(folder: Path, doing: str) -> Iterator[None]:
    """Turn errors of database and disk into `UserError`; `doing` names what was being saved or read.

    The transaction has been rolled back: nothing is half-written.
    """
    try:
        yield
    except _ERRORS as error:
        named = server_errors.sentence(folder, doing, error) or user_error(
            folder, doing, errors.error_name(error), str(errors.cause_of(error))
        )
        if named is None:
            raise
        raise named from error
    except OSError as error:
        raise disk_error(folder, doing, error) from error
    except Exception as error:
        if (named := server_errors.sentence(folder, doing, error)) is None:
            raise
        raise named from error


def user_error(folder: Path, doing: str, code: str, message: str = "") -> UserError | None:
    """The sentence for one of SQLite's error names, or None when it speaks of a bug."""
    if code == "SQLITE_FULL":
        return _full(folder, doing)
    if code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and not is_reachable(folder):
        return _unreachable(folder, doing)
    if code.startswith((*_NO_ACCESS, *errors.UNREADABLE, "SQLITE_IOERR")) and is_full(folder):
        return _full(folder, doing)
    if code.startswith(_NO_ACCESS):
        return errors.CannotWriteError(
            "The library in {folder} cannot be written: {doing} failed.",
            "Check the folder's permissions.",
            folder,
            doing,
        )
    if code.startswith("SQLITE_IOERR") or (
        code.startswith(errors.UNREADABLE) and is_readable(folder / "library.sqlite")
    ):
        return _failing(folder, doing)
    if code.startswith(errors.UNREADABLE):
        return damaged(folder)
    if message.startswith(_MISSING):
        return damaged(folder, message)
    if code.startswith("SQLITE_BUSY"):
        return UserError(
            "Another program uses the library in {folder}: {doing} failed.", "Close it and try again.", folder, doing
        )
    return None


def disk_error(folder: Path, doing: str, error: OSError) -> UserError:
    """The sentence for an error of the disk."""
    if error.errno in errors.FULL:
        return _full(folder, doing)
    if not folder.is_dir():
        return _unreachable(folder, doing)
    kind = errors.CannotWriteError if error.errno in errors.NO_WRITING else UserError
    return kind(
        to_translate("The library in {folder} cannot be written: {doing} failed ({why})."),
        to_translate("Check the disk and the folder's permissions."),
        folder,
        doing,
        error.strerror or error,
    )


def is_full(folder: Path) -> bool:
    """Whether the disk of a folder takes no more: SQLite, and more so SQLCipher, often name something else."""
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".library.") as probe:
            largest = max(integrity.size_of(folder / name) for name in ("library.sqlite", "library.sqlite-wal"))
            probe.seek(largest)  # as far as the database may have come: there are limits for the size of a file
            probe.write(b"\1" * _PROBE_BYTES)
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return error.errno in errors.FULL
    return False


def is_readable(file: Path) -> bool:
    """Whether an encrypted database is sound: SQLCipher calls it damaged, too, when the disk fails beside it."""
    if not is_encrypted(file):
        return False
    for is_alone in (True, False):  # by itself, or with its log
        with suppress(*READ_ERRORS), closing(open_file(file, read_only=True, immutable=is_alone)) as opened:
            if opened.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
                return True
    return False


def _full(folder: Path, doing: str) -> errors.CannotWriteError:
    return errors.CannotWriteError(
        "The disk with the library {folder} is full: {doing} could not be saved.",
        "Free some disk space.",
        folder,
        doing,
    )


def _failing(folder: Path, doing: str) -> errors.CannotWriteError:
    return errors.CannotWriteError(
        "The disk with the library {folder} reports an error: {doing} failed.", "Check the disk.", folder, doing
    )


def _unreachable(folder: Path, doing: str) -> errors.UnreachableLibraryError:
    return errors.UnreachableLibraryError(
        "The library in {folder} cannot be reached: {doing} failed.",
        "Connect its disk or network share again. What was saved before is safe.",
        folder,
        doing,
    )


def is_reachable(folder: Path) -> bool:
    """Whether the database of a library is there."""
    try:
        return integrity.is_library(folder)
    except OSError:
        return False


def damage_error(folder: Path, file: Path, what: str) -> UserError:
    """The error for a database in which a check found damage, unless it is the disk that fails.

    Args:
        file: the database, or a temporary copy of it.
    """
    if is_full(folder) or is_full(file.parent):
        return _full(folder, Text("opening"))
    if is_readable(file):
        return _failing(folder, Text("opening"))
    return damaged(folder, what)


def damaged(folder: Path, what: str = "") -> errors.DamagedLibraryError:
    """The error for a database that cannot be read, which names the last backup."""
    return errors.DamagedLibraryError(folder, last_backup(folder), what)
