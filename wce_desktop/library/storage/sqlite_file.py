"""Opens SQLite files, plain or encrypted (SQLCipher): the only place that does.

A file is judged by its own first bytes, so a library that was left halfway between plain and encrypted opens too.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from training.errors import UserError
from wce_desktop.library.errors import UNREADABLE, error_name

if TYPE_CHECKING:
    sqlcipher: ModuleType | None
else:
    try:
        import sqlcipher3.dbapi2 as sqlcipher
    except ImportError:  # no wheel for this system
        sqlcipher = None

DATABASE_ERRORS: tuple[type[sqlite3.DatabaseError], ...] = (
    sqlite3.DatabaseError,
    *((sqlcipher.DatabaseError,) if sqlcipher is not None else ()),
)
"""SQLCipher's errors are none of SQLite's."""
READ_ERRORS: tuple[type[Exception], ...] = (*DATABASE_ERRORS, OSError)
"""What reading a file may raise."""
PLAIN = b"SQLite format 3\0"
"""How a file begins that is not encrypted."""
_UNTRUSTED = "PRAGMA trusted_schema=OFF"
"""What a file defines may use no function with side effects."""
_open: dict[Path, str] = {}
"""The files that an engine of this process has open, and their keys (empty: plain). Nothing but SQLite may open them:
closing any handle of a file releases all locks that this process has on it."""
_keys: list[str] = []
"""The keys of the libraries that were unlocked in this process, hexadecimal; the newest last."""


def hold_key(key: str) -> None:
    """Open files with this key from now on.

    Args:
        key: 64 hexadecimal digits.
    """
    if key not in _keys:
        _keys.append(key)


def forget_key(key: str) -> None:
    """Open no file with this key any more."""
    if key in _keys:
        _keys.remove(key)


def note_open(file: Path, key: str) -> None:
    """Note that an engine has a file open; its beginning is no longer read."""
    _open[file] = key


def note_closed(file: Path) -> None:
    """Note that no engine has a file open any more."""
    _open.pop(file, None)


def _beginning(file: Path) -> bytes:
    if file in _open:
        return b"encrypted" if _open[file] else PLAIN
    try:
        with file.open("rb") as opened:
            return opened.read(len(PLAIN))
    except FileNotFoundError:
        return b""


def is_encrypted(file: Path) -> bool:
    """Whether a file begins unlike a plain database; so does a damaged one. An empty or missing file is plain."""
    return _beginning(file) not in (b"", PLAIN)


def is_plain(file: Path) -> bool:
    """Whether a file begins as a plain database."""
    return _beginning(file) == PLAIN


def key_of(file: Path) -> str:
    """The key that opens a file; empty for a plain file, a damaged one, and one whose key is not held."""
    if file in _open:
        return _open[file]
    if not is_encrypted(file):
        return ""
    return next((key for key in reversed(_keys) if opens(file, key)), "")


def open_file(
    file: Path, *, like: Path | None = None, read_only: bool = False, immutable: bool = False, **options: Any
) -> sqlite3.Connection:
    """Open a database file.

    Args:
        like: a new file is encrypted as this one.
        read_only: never make or change it.
        immutable: read only, and nobody else changes it either; its log is not read.
        options: of `sqlite3.connect`.

    Raises:
        sqlite3.DatabaseError: one of `DATABASE_ERRORS`, also when its key is not held.
    """
    key = key_of(file if like is None else like)
    if not (read_only or immutable):
        return open_with_key(file, key, **options)
    uri = f"{file.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"
    return open_with_key(uri, key, uri=True, **options)


def open_with_key(file: Path | str, key: str, **options: Any) -> sqlite3.Connection:
    """Open a file with a key, or as a plain one without; whether the key fits shows at the first statement."""
    if not key:
        plain: sqlite3.Connection = sqlite3.connect(file, **options)
        plain.execute(_UNTRUSTED)
        return plain
    connection: sqlite3.Connection = cipher().connect(str(file), **options)
    connection.execute("PRAGMA cipher_log_level = NONE")  # a wrong key is no error to print
    connection.execute(f"PRAGMA key = {key_literal(key)}")
    connection.execute(_UNTRUSTED)
    return connection


def key_literal(key: str) -> str:
    """A key as SQLCipher takes it: raw, so that nothing is derived each time that a file is opened."""
    bytes.fromhex(key)  # ValueError for anything else: it becomes part of a statement
    return f"\"x'{key}'\""


def cipher() -> Any:
    """SQLCipher's module.

    Raises:
        UserError: it is not installed.
    """
    if sqlcipher is None:
        raise UserError(
            "Encrypted libraries cannot be used here: the package sqlcipher3 is missing.",
            "Install it, or use a computer with it.",
        )
    return sqlcipher


def opens(file: Path, key: str) -> bool:
    """Whether a key opens an encrypted file; False where it is missing or damaged.

    A file whose log was being moved into it when the disk was full is whole only together with the log: by itself it
    looks damaged, and so does every file with a wrong key.

    Raises:
        sqlite3.DatabaseError: one of `DATABASE_ERRORS`: the disk cannot be read.
    """
    log = file.with_name(f"{file.name}-wal")
    has_log = log.is_file() and log.stat().st_size > 0
    modes = ("mode=ro&immutable=1", *(("mode=ro",) if has_log else ()))  # the first makes no log beside it
    for mode in modes if file.is_file() else ():
        try:
            uri = f"{file.absolute().as_uri()}?{mode}"
            with contextlib.closing(open_with_key(uri, key, uri=True)) as connection:
                connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
            return True
        except DATABASE_ERRORS as error:
            name = error_name(error)
            if not name.startswith(UNREADABLE):
                raise
            if name.startswith("SQLITE_CORRUPT"):  # with another key it is no database at all
                return True
    return False
