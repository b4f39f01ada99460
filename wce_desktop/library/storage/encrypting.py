"""Encrypts an existing library with its backups and signed reports, or makes it plain again.

Each database is written anew beside its place, compared with the original row by row, and only then takes its place; a
signed report is compared byte by byte. A process that is killed at any moment leaves the original or the verified copy.
The key file is written first and removed last.

Wherever a plain database may lie beside key files or encrypted files, a mark says so: it is written before a library is
encrypted or its encryption is removed, and deleted once the database is encrypted. Without it such a database was put
there by somebody else. Whoever can write the whole folder can also write the mark: this shows an exchange, it does not
prevent one.
"""

import errno
import logging
import os
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import zip_longest
from math import log2
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from training.errors import UserError
from training.texts import Text
from wce_desktop.library.backup import backup_file, signed_reports
from wce_desktop.library.errors import error_name
from wce_desktop.library.storage import key_file, private, sealing, sqlite_file

LOG = logging.getLogger(__name__)
SUFFIX = ".converting"
_FAILURES: tuple[type[Exception], ...] = (*sqlite_file.READ_ERRORS, UserError)
"""What converting one of many files may raise: it stays as it is, and the others are converted."""
Step = Callable[[int, int], None]
"""Called with the number of files that are done, and of all."""


def encrypt_library(folder: Path, passphrase: str, step: Step = lambda done, total: None) -> list[Path]:
    """Encrypt a library that no window has open, the database first, then its backups and signed reports.

    Returns:
        files that stay readable, since they are damaged or cannot be written. `finish_encrypting` tries again.

    Raises:
        UserError: the passphrase is too short, or something cannot be written; the database is then as it was.
    """
    from wce_desktop.library.backup.backups import holding

    with holding(folder, Text("encrypting")):
        database = folder / key_file.DATABASE
        if sqlite_file.is_encrypted(database):
            raise UserError("This library is encrypted already.", "Change its passphrase instead.")
        allow_plain(folder)
        key = key_file.make(folder, passphrase)
        _remove_left(folder)
        try:
            convert(database, key)
        except BaseException:
            if sqlite_file.is_plain(database):  # the last step may fail when the encrypted one is in place
                key_file.discard(folder, passphrase, key)
            raise
        forbid_plain(folder)
        key_file.hold(folder, key)
        return _convert_all(folder, key, step)


def decrypt_library(folder: Path, step: Step = lambda done, total: None) -> list[Path]:
    """Make an unlocked library plain again: backups and signed reports, then the database.

    Its key file is removed last.

    Returns:
        files that stay encrypted, since they are damaged or cannot be written. The key file is kept then under another
        name: its passphrase restores them.

    Raises:
        UserError: something cannot be read or written. What is encrypted still opens with the passphrase.
    """
    from wce_desktop.library.backup.backups import holding

    with holding(folder, Text("removing the encryption")):
        database = folder / key_file.DATABASE
        _remove_left(folder)
        signed_reports.restore_reports(folder)  # instead of one that is damaged its copy is opened
        left = [path for path in _convert_all(folder, "", step) if sqlite_file.is_encrypted(path)]
        allow_plain(folder)
        convert(database, "")
        key = key_file.held(folder)
        key_file.lock(folder)
        if _is_any_sealed(folder):
            key_file.set_aside(folder)
            key_file.hold_earlier(folder, [key])
        else:
            key_file.remove_all(folder)
        return left


def finish_encrypting(folder: Path) -> list[Path]:
    """Encrypt what a killed process, or an older version, left readable beside an encrypted database.

    Returns:
        files that stay readable.
    """
    key = sqlite_file.key_of(folder / key_file.DATABASE)
    _remove_left(folder)
    if not key:
        return []
    forbid_plain(folder)
    key_file.copy_to(folder, folder / "backups")
    key_file.copy_to(folder / "backups", folder)
    return _convert_all(folder, key, lambda done, total: None)


def _is_any_sealed(folder: Path) -> bool:
    """Whether a database or a signed report in a library is encrypted, or cannot be looked at."""
    places = (folder, folder / "backups")
    try:
        reports = [path for place in places for path in (place / signed_reports.REPORTS).rglob(f"*{sealing.SUFFIX}")]
        return bool(reports) or any(
            sqlite_file.is_encrypted(path) for place in places for path in place.glob("library*.sqlite*")
        )
    except OSError:
        return True


def _remove_left(folder: Path) -> None:
    for place in (folder, folder / "backups"):
        for left in place.glob(f"*{SUFFIX}*"):
            left.unlink(missing_ok=True)
        sealing.remove_partials(place / signed_reports.REPORTS)


def _convert_all(folder: Path, key: str, step: Step) -> list[Path]:
    """Convert backups and signed reports that are not yet as wanted; returns those that cannot be converted."""
    files = [*sorted((folder / "backups").glob("library-*.sqlite")), *reversed(backup_file.databases_aside(folder))]
    reports = signed_reports.files_to_convert(folder, key=key)
    total = len(files) + len(reports)
    left = convert_files(files, key, lambda done: step(done, total))
    for number, (report, sha256) in enumerate(reports, len(files)):
        step(number, total)
        try:
            sealing.convert(report, key, sha256)
        except sealing.CannotUnsealError:
            left.append(sealing.sealed(report))
        except OSError as error:
            if not key:
                raise  # the database stays encrypted, and with it all that is sealed can be opened
            LOG.warning("the signed report %s is not encrypted: %s", report.name, error)
            left.append(report)
    step(total, total)
    return left


def convert_files(files: list[Path], key: str, step: Callable[[int], None] = lambda done: None) -> list[Path]:
    """Convert the databases that are not yet as wanted; returns those that cannot be converted."""
    left = []
    for number, file in enumerate(files):
        step(number)
        try:
            # It has another form than it shall have, or is encrypted with an earlier key that is held.
            if bool(key) != sqlite_file.is_encrypted(file) or (key and sqlite_file.key_of(file) not in ("", key)):
                convert(file, key)
        except _FAILURES as error:
            LOG.warning("the backup %s is not converted: %s", file.name, error_name(error) or type(error).__name__)
            left.append(file)
    return left


def convert(file: Path, key: str) -> None:
    """Write a database anew with a key (plain without), verify it, and put it in the place of the old one."""
    old_key = sqlite_file.key_of(file)
    with private.replacing(file, file.with_name(f"{file.name}{SUFFIX}")) as beside:
        with closing(_open(file, old_key)) as old:
            merge_log(old)
            old.execute(f"ATTACH ? AS fresh KEY {sqlite_file.key_literal(key) if key else repr('')}", (str(beside),))
            old.execute("BEGIN")  # else each table that is written waits for the disk
            old.execute("SELECT sqlcipher_export('fresh')").fetchone()
            old.execute("COMMIT")
            old.execute("DETACH fresh")
        with closing(_open(file, old_key)) as old, closing(_open(beside, key)) as fresh:
            _check_same(old, fresh)


def merge_log(connection: Connection) -> None:
    """Move the edits in SQLite's log into the file, and have no log any more: it would be applied to the next file.

    Raises:
        OSError: somebody else uses the database.
        sqlite3.DatabaseError: one of `DATABASE_ERRORS`.
    """
    mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    if mode not in ("delete", b"delete"):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _open(file: Path, key: str) -> Connection:
    connection: Connection = sqlite_file.cipher().connect(str(file), isolation_level=None)
    if key:
        connection.execute(f"PRAGMA key = {sqlite_file.key_literal(key)}")
    connection.text_factory = bytes  # also what is no UTF-8 is compared
    return connection


def _check_same(old: Connection, fresh: Connection) -> None:
    """Compare the tables, triggers and indexes of two databases, and every row.

    Raises:
        UserError: they differ.
    """
    asked = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    names = [name.decode() for (name,) in old.execute(tables)]
    is_same = old.execute(asked).fetchall() == fresh.execute(asked).fetchall() and all(
        _has_same_rows(old, fresh, name) for name in names
    )
    if not is_same or fresh.execute("PRAGMA quick_check(1)").fetchone()[0] != b"ok":
        raise UserError("The new copy of the database differs from the original.", "Nothing was changed; try again.")


def _has_same_rows(old: Connection, fresh: Connection, table: str) -> bool:
    asked = f'SELECT rowid, * FROM "{table}" ORDER BY rowid'
    missing: Any = object()
    return all(a == b for a, b in zip_longest(old.execute(asked), fresh.execute(asked), fillvalue=missing))


MARK = "library.plain"
_PAGE_BYTES = 4096
_LEAST_BITS = 7.5
"""Per byte of an encrypted page: 4,096 random bytes have 7.95, a page of a database far less."""


def allow_plain(folder: Path) -> None:
    """Note that the database may be plain; on the disk when this returns.

    Raises:
        OSError: it cannot be written.
    """
    text = "The database of this library may be readable although encrypted files or keys lie beside it.\n"
    with private.replacing(folder / MARK) as beside:
        beside.write_text(text)


def forbid_plain(folder: Path) -> None:
    """Note that the database is encrypted.

    Raises:
        OSError: the mark cannot be deleted.
    """
    (folder / MARK).unlink(missing_ok=True)


def is_mark_needed(folder: Path) -> bool:
    """Whether a plain database beside these files would count as put there by somebody else."""
    return any(
        key_file.key_files(place)
        or any(_is_page_encrypted(file) for file in place.glob("library*.sqlite") if file.name != key_file.DATABASE)
        or any((place / "reports").rglob(f"*{sealing.SUFFIX}"))
        for place in (folder, folder / "backups")
    )


def is_replaced(folder: Path) -> bool:
    """Whether the database is plain although the library is encrypted."""
    if not sqlite_file.is_plain(folder / key_file.DATABASE) or (folder / MARK).exists():
        return False
    return is_mark_needed(folder)


def _is_page_encrypted(file: Path) -> bool:
    """Whether a file begins with a page that is as good as random; a damaged one seldom does."""
    with file.open("rb") as opened:
        page = opened.read(_PAGE_BYTES)
    if len(page) < _PAGE_BYTES or page.startswith(sqlite_file.PLAIN):
        return False
    counts = Counter(page).values()
    return sum(count * log2(_PAGE_BYTES / count) for count in counts) / _PAGE_BYTES > _LEAST_BITS
