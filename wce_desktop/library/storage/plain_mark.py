"""Notices a plain database in the place of an encrypted one.

Wherever a plain database may lie beside key files or encrypted files, a mark says so: it is written before a library is
encrypted or its encryption is removed, and deleted once the database is encrypted. Without it such a database was put
there by somebody else. Whoever can write the whole folder can also write the mark: this shows an exchange, it does not
prevent one.
"""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path

from wce_desktop.library.storage import key_file, sealing, sqlite_file
from wce_desktop.library.storage.private import replacing

NAME = "library.plain"
_PAGE_BYTES = 4096
_LEAST_BITS = 7.5
"""Per byte of an encrypted page: 4,096 random bytes have 7.95, a page of a database far less."""


def allow(folder: Path) -> None:
    """Note that the database may be plain; on the disk when this returns.

    Raises:
        OSError: it cannot be written.
    """
    text = "The database of this library may be readable although encrypted files or keys lie beside it.\n"
    with replacing(folder / NAME) as beside:
        beside.write_text(text)


def forbid(folder: Path) -> None:
    """Note that the database is encrypted.

    Raises:
        OSError: the mark cannot be deleted.
    """
    (folder / NAME).unlink(missing_ok=True)


def is_needed(folder: Path) -> bool:
    """Whether a plain database beside these files would count as put there by somebody else."""
    return any(
        key_file.key_files(place)
        or any(_is_page_encrypted(file) for file in place.glob("library*.sqlite") if file.name != key_file.DATABASE)
        or any((place / "reports").rglob(f"*{sealing.SUFFIX}"))
        for place in (folder, folder / "backups")
    )


def is_replaced(folder: Path) -> bool:
    """Whether the database is plain although the library is encrypted."""
    if not sqlite_file.is_plain(folder / key_file.DATABASE) or (folder / NAME).exists():
        return False
    return is_needed(folder)


def _is_page_encrypted(file: Path) -> bool:
    """Whether a file begins with a page that is as good as random; a damaged one seldom does."""
    with file.open("rb") as opened:
        page = opened.read(_PAGE_BYTES)
    if len(page) < _PAGE_BYTES or page.startswith(sqlite_file.PLAIN):
        return False
    counts = Counter(page).values()
    return sum(count * log2(_PAGE_BYTES / count) for count in counts) / _PAGE_BYTES > _LEAST_BITS
