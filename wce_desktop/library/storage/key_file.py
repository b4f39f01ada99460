"""The passphrase of an encrypted library: it opens a small file that holds the key of database and backups.

The key file is itself an SQLCipher database, encrypted with the passphrase (SQLCipher's own PBKDF2 with HMAC-SHA512 and
256,000 rounds). A new passphrase therefore changes this file only, and backups open with it too. A copy lies beside the
backups: without a key file nothing can be read.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library.storage import sqlite_file
from wce_desktop.library.storage.private import make_private_file

NAME = "library.key"
DATABASE = "library.sqlite"
LEAST_CHARACTERS = 8
"""Of a passphrase (ours)."""
_held: dict[Path, str] = {}
"""The folder of each unlocked library, and its key."""


class WrongPassphraseError(UserError):
    """The passphrase is not that of the library."""


def is_protected(folder: Path) -> bool:
    """Whether a library is encrypted, also where its database is missing; without a key file it counts as damaged."""
    from wce_desktop.library.storage.plain_mark import is_replaced

    return _find(folder) is not None and (not sqlite_file.is_plain(folder / DATABASE) or is_replaced(folder))


def is_locked(folder: Path) -> bool:
    """Whether a library needs its passphrase before it can be opened."""
    return is_protected(folder) and folder not in _held


def unlock(folder: Path, passphrase: str) -> None:
    """Hold the key of a library.

    Raises:
        WrongPassphraseError: the passphrase is not its own.
        UserError: there is no key file.
    """
    hold(folder, _read(_found(folder), passphrase))


def hold(folder: Path, key: str) -> None:
    """Hold the key of a library until it is locked."""
    _held[folder] = key
    sqlite_file.hold_key(key)


def held(folder: Path) -> str:
    """The key of an unlocked library; empty for a plain or locked one."""
    return _held.get(folder, "")


def lock(folder: Path) -> None:
    """Forget the key of a library that no window has open."""
    sqlite_file.forget_key(_held.pop(folder, ""))


def make(folder: Path, passphrase: str) -> str:
    """Write a new key file and return its key.

    Raises:
        UserError: the passphrase is too short.
    """
    check(passphrase)
    key = secrets.token_hex(32)
    _write(folder / NAME, passphrase, key)
    copy_to(folder, folder / "backups")
    return key


def change(folder: Path, old: str, new: str) -> None:
    """Give a library another passphrase; database and backups stay as they are.

    Raises:
        WrongPassphraseError: the old passphrase is not that of the library.
        UserError: the new one is too short, or the file cannot be written; the old one stays valid.
    """
    check(new)
    key = _read(_found(folder), old)
    try:
        _write(folder / NAME, new, key)
        copy_to(folder, folder / "backups")
    except OSError as error:
        raise UserError(
            tr("The passphrase could not be changed ({why}).", why=error.strerror or error),
            tr("Check the disk; the old one is valid."),
        ) from error


def remove(folder: Path) -> None:
    """Delete the key file of a library of which nothing is encrypted any more."""
    for place in (folder / "backups", folder):
        (place / NAME).unlink(missing_ok=True)


def copy_to(folder: Path, place: Path) -> None:
    """Copy the key file beside backups; nothing for a library without one.

    Raises:
        OSError: it cannot be written.
    """
    if (folder / NAME).exists():
        place.mkdir(mode=0o700, exist_ok=True)
        beside = place / f"{NAME}.partial"
        beside.unlink(missing_ok=True)
        make_private_file(beside)
        shutil.copyfile(folder / NAME, beside)
        beside.replace(place / NAME)


def check(passphrase: str) -> None:
    """Raise `UserError` if a new passphrase is too short."""
    if len(passphrase) < LEAST_CHARACTERS:
        raise UserError(
            tr("The passphrase is too short: it needs at least {characters} characters.", characters=LEAST_CHARACTERS),
            tr("Several words are easy to remember and hard to guess."),
        )


def _find(folder: Path) -> Path | None:
    places = (folder / NAME, folder / "backups" / NAME)
    return next((path for path in places if path.exists()), None)


def _found(folder: Path) -> Path:
    found = _find(folder)
    if found is None:
        raise UserError(
            tr("The key file of the library in {folder} is missing ({file}).", folder=folder, file=NAME),
            tr("Copy it back from a copy of the library."),
        )
    return found


def _literal(passphrase: str) -> str:
    return "'" + passphrase.replace("\0", "").replace("'", "''") + "'"


def _read(file: Path, passphrase: str) -> str:
    try:
        with contextlib.closing(
            sqlite_file.cipher().connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as opened:
            opened.execute("PRAGMA cipher_log_level = NONE")
            opened.execute(f"PRAGMA key = {_literal(passphrase)}")
            return str(opened.execute("SELECT value FROM key").fetchone()[0])
    except sqlite_file.DATABASE_ERRORS as error:
        raise WrongPassphraseError(
            tr("This is not the passphrase of the library."),
            tr("Check the keyboard's language and Caps Lock; try again."),
        ) from error


def _write(file: Path, passphrase: str, key: str) -> None:
    beside = file.with_name(f"{file.name}.partial")
    beside.unlink(missing_ok=True)
    make_private_file(beside)
    with contextlib.closing(sqlite_file.cipher().connect(str(beside), isolation_level=None)) as opened:
        opened.execute(f"PRAGMA key = {_literal(passphrase)}")
        opened.execute("CREATE TABLE key (value TEXT)")
        opened.execute("INSERT INTO key VALUES (?)", (key,))
    assert _read(beside, passphrase) == key
    put_in_place(beside, file)


def put_in_place(beside: Path, file: Path) -> None:
    """Replace a file by one that was written beside it, so that a power cut leaves one or the other."""
    with beside.open("rb+") as written:
        os.fsync(written.fileno())
    beside.replace(file)
    if os.name == "posix":
        place = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
