"""The passphrase of an encrypted library: it opens a small file that holds the key of database and backups.

The key file is itself an SQLCipher database, encrypted with the passphrase (SQLCipher's own PBKDF2 with HMAC-SHA512 and
256,000 rounds). A new passphrase therefore changes this file only, and backups open with it too. A copy lies beside the
backups: without a key file nothing can be read. A key file that another one follows is set aside under a name with the
time, `library.20260131-120000-000000.key`: backups may be encrypted with its key.
"""

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from training.errors import UserError
from wce_desktop.library.errors import UNREADABLE, error_name
from wce_desktop.library.storage import failures, private, sqlite_file

NAME = "library.key"
DATABASE = "library.sqlite"
BACKUPS = "backups"
LEAST_CHARACTERS = 8
"""Of a passphrase (ours)."""
_EARLIER = re.compile(r"library\.\d{8}-\d{6}-\d{6}\.key")
_held: dict[Path, list[str]] = {}
"""The folder of each library of which keys are held: the key of its database (empty: none), then earlier keys."""


class WrongPassphraseError(UserError):
    """The passphrase is not that of the library."""


class EarlierPassphraseError(WrongPassphraseError):
    """The passphrase is an earlier one of the library: what was encrypted with its key can be read now."""


def key_files(*places: Path) -> list[Path]:
    """The key files in folders, each content once: the present ones first, then earlier ones, the newest first."""
    files = [place / NAME for place in places if (place / NAME).is_file()]
    names = (path for place in places if place.is_dir() for path in place.iterdir() if _EARLIER.fullmatch(path.name))
    files += sorted(names, key=lambda path: path.name, reverse=True)
    kept: dict[bytes, Path] = {}
    for path in files:
        kept.setdefault(_content(path), path)
    return list(kept.values())


def key_files_of(folder: Path) -> list[Path]:
    """The key files of a library, in its folder and beside its backups."""
    return key_files(folder, folder / BACKUPS)


def is_protected(folder: Path) -> bool:
    """Whether a library is encrypted, also where its database is missing; without a key file it counts as damaged."""
    if not key_files_of(folder):
        return False
    database = folder / DATABASE
    return sqlite_file.is_encrypted(database) or (_find(folder) is not None and not _may_be_plain(folder))


def is_locked(folder: Path) -> bool:
    """Whether a library needs its passphrase before it can be opened."""
    return is_protected(folder) and not held(folder)


def unlock(folder: Path, passphrase: str) -> None:
    """Hold the keys of a library that a passphrase opens: the present one, and earlier ones.

    Raises:
        EarlierPassphraseError: it opens earlier keys only; they are held.
        WrongPassphraseError: it opens none.
        UserError: there is no key file, or none can be read.
    """
    if not (files := key_files_of(folder)):
        _found(folder)
    keys = opened(files, passphrase)
    own = next((key for key in keys.values() if sqlite_file.opens(folder / DATABASE, key)), "")
    if not own and not _may_be_plain(folder):  # missing, replaced or damaged: it was the key of that file
        own = next((key for file, key in keys.items() if file.name == NAME), "")
    if own:
        hold(folder, own)
    hold_earlier(folder, keys.values())
    if not own:
        raise EarlierPassphraseError(
            "This is an earlier passphrase of the library.",
            "It opens backups of that time. Enter the present passphrase.",
        )


def unlock_backup(folder: Path, backup: Path, passphrase: str) -> None:
    """Hold the key of a backup that was encrypted with an earlier key, whose file lies in the library or beside it.

    Raises:
        WrongPassphraseError: the passphrase is not that of the backup.
        UserError: no key file can be read.
    """
    keys = opened(key_files(folder, folder / BACKUPS, backup.parent), passphrase)
    if not any(sqlite_file.opens(backup, key) for key in keys.values()):
        raise _wrong()
    hold_earlier(folder, keys.values())


def needs_passphrase(folder: Path, file: Path) -> bool:
    """Whether a database can only be read with a passphrase that was not entered yet."""
    if not sqlite_file.is_encrypted(file) or sqlite_file.key_of(file):
        return False
    files = key_files(folder, folder / BACKUPS, file.parent)
    return bool(files) if not held(folder) else any(path.name != NAME for path in files)


def hold(folder: Path, key: str) -> None:
    """Hold the key of a library until it is locked."""
    _held[folder] = [key, *(other for other in _held.get(folder, [])[1:] if other != key)]
    sqlite_file.hold_key(key)


def hold_earlier(folder: Path, keys: Iterable[str]) -> None:
    """Hold earlier keys of a library until it is locked, beside that of its database."""
    present, *earlier = _held.get(folder, [""])
    new = [key for key in dict.fromkeys(keys) if key not in (present, *earlier)]
    if new or earlier:
        _held[folder] = [present, *earlier, *new]
    for key in new:
        sqlite_file.hold_key(key)


def held(folder: Path) -> str:
    """The key of an unlocked library; empty for a plain or locked one."""
    return _held.get(folder, [""])[0]


def is_held(key: str) -> bool:
    """Whether a key is that of an unlocked library, or an earlier one of it."""
    return any(key in keys for keys in _held.values())


def take_over(folder: Path, file: Path, key: str) -> None:
    """Make a copied key file that of a library without a database, and hold its key; another one is set aside.

    Raises:
        OSError: it cannot be written.
    """
    set_aside(folder)
    _copy(file, folder / NAME)
    copy_to(folder, folder / BACKUPS)
    hold(folder, key)


def lock(folder: Path) -> None:
    """Forget the keys of a library that no window has open."""
    for key in _held.pop(folder, []):
        sqlite_file.forget_key(key)


def make(folder: Path, passphrase: str) -> str:
    """Write a new key file and return its key; one that is there is set aside.

    Raises:
        UserError: the passphrase is too short.
    """
    check(passphrase)
    key = secrets.token_hex(32)
    set_aside(folder)
    _write(folder / NAME, passphrase, key)
    copy_to(folder, folder / BACKUPS)
    return key


def change(folder: Path, old: str, new: str) -> None:
    """Give a library another passphrase; database and backups stay as they are.

    Raises:
        WrongPassphraseError: the old passphrase is not that of the library.
        UserError: the new one is too short, or the file cannot be written. The sentence says which one is valid.
    """
    check(new)
    key = read(_found(folder), old)
    try:
        for place in (folder / BACKUPS, folder):  # the library's own last: until then the old passphrase opens it
            if (place / NAME).is_file() and key not in (
                _read_or_none(place / NAME, passphrase) for passphrase in (old, new)
            ):
                _set_aside(place / NAME, _now())
            place.mkdir(mode=0o700, exist_ok=True)
            _write(place / NAME, new, key)
    except sqlite_file.READ_ERRORS as error:
        why = os.strerror(errno.ENOSPC) if failures.is_full(folder) else getattr(error, "strerror", None) or error
        if (folder / NAME).is_file() and _read_or_none(folder / NAME, new) == key:
            raise UserError(
                "The passphrase was changed, but the disk reports an error ({why}).",
                "Check the disk; the new passphrase is valid.",
                why,
            ) from error
        with contextlib.suppress(OSError):
            _copy(folder / NAME, folder / BACKUPS / NAME)
        raise UserError(
            "The passphrase could not be changed ({why}).", "Check the disk; the old one is valid.", why
        ) from error


def discard(folder: Path, passphrase: str, key: str) -> None:
    """Delete a key file that was written, with a key that encrypts nothing."""
    for place in (folder / BACKUPS, folder):
        if (place / NAME).is_file() and _read_or_none(place / NAME, passphrase) == key:
            (place / NAME).unlink()


def set_aside(folder: Path) -> None:
    """Keep the present key file of a library under another name: something may be encrypted with its key."""
    now = _now()
    for place in (folder / BACKUPS, folder):
        if (place / NAME).is_file():
            _set_aside(place / NAME, now)


def remove_all(folder: Path) -> None:
    """Delete the key files of a library of which nothing is encrypted any more."""
    for place in (folder / BACKUPS, folder):
        for path in place.glob("library*.key"):
            if path.name == NAME or _EARLIER.fullmatch(path.name):
                path.unlink(missing_ok=True)


def copy_to(folder: Path, place: Path) -> None:
    """Copy the key files of a folder beside backups; nothing for a library without one.

    Another key file that is there is set aside, and never written over.

    Raises:
        OSError: they cannot be written.
    """
    for source in reversed(key_files(folder)):  # the present one last: earlier ones are there by then
        place.mkdir(mode=0o700, exist_ok=True)
        target, there = place / source.name, [_content(path) for path in key_files(place)]
        if _content(source) in (there if source.name != NAME else there[:1] if target.is_file() else []):
            continue
        if target.is_file():
            _set_aside(target, _now())
        _copy(source, target)


def check(passphrase: str) -> None:
    """Raise `UserError` if a new passphrase is too short."""
    if len(passphrase) < LEAST_CHARACTERS:
        raise UserError(
            "The passphrase is too short: it needs at least {characters:,} characters.",
            "Several words are easy to remember and hard to guess.",
            LEAST_CHARACTERS,
        )


def _may_be_plain(folder: Path) -> bool:
    """Whether the database is plain, and was not put in the place of an encrypted one."""
    from wce_desktop.library.storage.encrypting import is_replaced

    return sqlite_file.is_plain(folder / DATABASE) and not is_replaced(folder)


def _find(folder: Path) -> Path | None:
    places = (folder / NAME, folder / BACKUPS / NAME)
    return next((path for path in places if path.exists()), None)


def _found(folder: Path) -> Path:
    file = _find(folder)
    if file is None:
        raise UserError(
            "The key file of the library in {folder} is missing ({file}).",
            "Copy it back from a copy of the library.",
            folder,
            NAME,
        )
    return file


def opened(files: Iterable[Path], passphrase: str) -> dict[Path, str]:
    """The keys of the files that a passphrase opens.

    Raises:
        WrongPassphraseError: it opens none.
        UserError: none can be read.
    """
    keys: dict[Path, str] = {}
    failure: UserError = _wrong()
    for file in files:
        try:
            keys[file] = read(file, passphrase)
        except WrongPassphraseError:
            continue
        except UserError as error:
            failure = error
    if not keys:
        raise failure
    return keys


def _content(file: Path) -> bytes:
    """The content of a key file; of one that cannot be read its name, which is like no other content."""
    try:
        return file.read_bytes()
    except OSError:
        return os.fsencode(file)


def _literal(passphrase: str) -> str:
    return "'" + passphrase.replace("\0", "").replace("'", "''") + "'"


def _wrong() -> WrongPassphraseError:
    return WrongPassphraseError(
        "This is not the passphrase of the library.", "Check the keyboard's language and Caps Lock; try again."
    )


def read(file: Path, passphrase: str) -> str:
    """The key in a key file.

    Raises:
        WrongPassphraseError: the passphrase does not open it.
        UserError: it cannot be read.
    """
    try:
        passphrase.encode()  # not what a terminal could not decode
        file.open("rb").close()
        uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite_file.cipher().connect(uri, uri=True)) as opened:
            opened.execute("PRAGMA cipher_log_level = NONE")
            opened.execute(f"PRAGMA key = {_literal(passphrase)}")
            return str(opened.execute("SELECT value FROM key").fetchone()[0])
    except UnicodeEncodeError as error:
        raise _wrong() from error
    except sqlite_file.READ_ERRORS as error:
        if not passphrase.strip("\0") or error_name(error).startswith(UNREADABLE):
            raise _wrong() from error
        raise UserError(
            "The key file {file} cannot be read ({why}).",
            "Check the disk and the folder's permissions.",
            file,
            getattr(error, "strerror", None) or error,
        ) from error


def _read_or_none(file: Path, passphrase: str) -> str | None:
    try:
        return read(file, passphrase)
    except UserError:
        return None


def _write(file: Path, passphrase: str, key: str) -> None:
    with private.replacing(file) as beside:
        with contextlib.closing(sqlite_file.cipher().connect(str(beside), isolation_level=None)) as opened:
            opened.execute(f"PRAGMA key = {_literal(passphrase)}")
            opened.execute("CREATE TABLE key (value TEXT)")
            opened.execute("INSERT INTO key VALUES (?)", (key,))
        if _read_or_none(beside, passphrase) != key:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(file))


def _copy(source: Path, target: Path) -> None:
    with private.replacing(target) as beside:
        shutil.copyfile(source, beside)


def _now() -> str:
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"


def _set_aside(file: Path, now: str) -> None:
    file.replace(file.with_name(f"library.{now}.key"))
    private.sync_folder(file.parent)
