"""Errors of a library, with messages for the reader."""

import errno
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from training.errors import UserError
from training.texts import Text, join_texts
from wce_desktop.core.language import to_translate

UNREADABLE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""How the names of errors begin that speak of a damaged file."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when a disk is full, or a limit of the account is reached."""
NO_WRITING = (errno.EROFS, errno.EACCES, errno.EPERM, *FULL)
"""Why a place cannot be written although it may well be read."""
_NAMES = {
    "database or disk is full": "SQLITE_FULL",
    "disk I/O error": "SQLITE_IOERR",
    "unable to open database file": "SQLITE_CANTOPEN",
    "attempt to write a readonly database": "SQLITE_READONLY",
    "database is locked": "SQLITE_BUSY",
    "database disk image is malformed": "SQLITE_CORRUPT",
    "file is not a database": "SQLITE_NOTADB",
}
"""SQLCipher's export and backup give their errors a message and no name, or that of any error."""


class DamagedLibraryError(UserError):
    """The database cannot be read, or is missing; `last_backup` is the newest sound copy, or None.

    `keep_question` asks whether to go on with the database all the same (`storage.opening`); empty: that is impossible.
    """

    keep_question = ""
    sentence = to_translate("The library in {folder} is damaged and cannot be opened ({what}).")
    bare_sentence = to_translate("The library in {folder} is damaged and cannot be opened.")
    """Where nothing is known of what is wrong."""

    def __init__(self, folder: Path, last_backup: Path | None, what: str = "") -> None:
        self.folder = folder
        self.last_backup = last_backup
        hint = (
            Text(
                "Restore a backup: open the library again, or use wce-desktop restore --library “{folder}”. The last "
                "one is {name}; the current database is kept.",
                folder,
                last_backup.name,
            )
            if last_backup
            else Text("There is no backup of it; keep the file and ask for help.")
        )
        if self.keep_question:
            keep = Text("To keep this database: wce-desktop restore --keep --library “{folder}”.", folder)
            hint = join_texts(" ", (hint, keep))
        super().__init__(Text(self.sentence, folder, what) if what else Text(self.bare_sentence, folder), hint)


class LostDatabaseError(DamagedLibraryError):
    """The folder holds studies, models, runs or backups, and no database: opening it would look like an empty one."""

    sentence = to_translate("The library in {folder} has no database ({what}), but its other files exist.")


class ChangedDatabaseError(DamagedLibraryError):
    """The database holds definitions that its version does not write, such as a trigger, or lacks some."""

    keep_question = to_translate(
        "This takes the library's own tables out of the database and leaves out what another program added. The "
        "database as it is now is kept.\n\nDo you know which program changed it, and keep its content?"
    )

    sentence = to_translate(
        "The library in {folder} is not opened because its database was changed by another program ({what})."
    )


class ReplacedDatabaseError(DamagedLibraryError):
    """The library is encrypted and its database is not."""

    keep_question = to_translate(
        "The database can be read without a passphrase. Keep it only if the encryption was being removed, or if you "
        "put this database there yourself.\n\nUse it without encryption?"
    )

    bare_sentence = to_translate(
        "The library in {folder} is not opened: it is encrypted, but its database is not. Another program may have "
        "replaced it."
    )


class LibraryInUseError(UserError):
    """Another window has the library open."""


class NewerLibraryError(UserError):
    """A newer version of the application wrote the library."""


class CannotWriteError(UserError):
    """The disk is full, or the place is read-only: the library may still be read."""


class UnreachableLibraryError(UserError):
    """The disk or network share of an open library is gone for the moment."""


class FullServerError(UnreachableLibraryError):
    """The server of an open library can be read, and takes no changes for the moment: it is full or read-only."""


class ReadOnlyLibraryError(UserError):
    """The library is open for reading only."""


class OnDiskError:
    """Within it an error of the disk becomes a `UserError` about some values and, as the last one, why."""

    def __init__(self, message: str, hint: str, *values: object) -> None:
        self._given = message, hint, *values

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            message, hint, *values = self._given
            raise UserError(str(message), str(hint), *values, error.strerror or error) from error


def cause_of(error: BaseException) -> BaseException:
    """SQLite's own error behind one of SQLAlchemy's."""
    return error.orig if isinstance(error, DatabaseError) and error.orig is not None else error


def error_name(error: BaseException) -> str:
    """SQLite's name for what went wrong ("SQLITE_FULL"), or an empty text."""
    cause = cause_of(error)
    name = str(getattr(cause, "sqlite_errorname", None) or "")
    return _NAMES.get(str(cause), name) if name in ("", "SQLITE_ERROR") else name


class ConflictError(UserError):
    """Another reader changed what an edit would change; nothing was saved."""
