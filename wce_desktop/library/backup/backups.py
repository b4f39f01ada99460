"""Backups of the database: one at opening, some kept, and the way back from one of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from training.errors import UserError
from wce_desktop.library.backup.backup_file import (
    Backup,
    backup_name,
    contents_of,
    noted_sequence,
    time_stamp,
    write_note,
)
from wce_desktop.library.backup.retention import backups_to_delete
from wce_desktop.library.database import FILE_NAME
from wce_desktop.library.failures import sentences
from wce_desktop.library.integrity import damage, is_blank
from wce_desktop.library.lock import LibraryLock
from wce_desktop.library.private import make_private_file

__all__ = ["backup", "damage", "find_backups", "last_backup", "list_backups", "restore_backup", "set_database_aside"]

MIN_AGE = timedelta(minutes=5)


def backup(folder: Path, *, at: datetime | None = None, always: bool = False) -> Path | None:
    """Copy the database into `backups/`, unless the newest copy is a few minutes old; drop old copies.

    Args:
        at: the time to note, now by default.
        always: copy even when the newest is young, as before a migration.

    Returns:
        the copy, or None when none was needed.
    """
    at = at or datetime.now(UTC)
    kept = find_backups(folder)
    # Do not wait because of a backup dated in the future: the clock was or is wrong.
    if kept and not always and timedelta(0) <= at - kept[-1].made < MIN_AGE:
        return None
    sequence = 1 + max([_restored_from(folder / FILE_NAME), *(one.sequence for one in kept)])
    made = folder / "backups" / backup_name(sequence, at)
    made.parent.mkdir(mode=0o700, exist_ok=True)
    for left in made.parent.glob("library-*.sqlite.partial*"):  # by a process that was killed
        left.unlink(missing_ok=True)
    _copy(folder / FILE_NAME, made, (sequence, at))
    for old in backups_to_delete([*kept, Backup.at(made)]):
        old.path.unlink(missing_ok=True)
    return made


def find_backups(folder: Path) -> list[Backup]:
    """The backups of a library, oldest first."""
    return sorted(map(Backup.at, (folder / "backups").glob("library-*.sqlite")), key=lambda one: one.order)


def list_backups(folder: Path) -> list[Path]:
    """The files of the backups, oldest first."""
    return [one.path for one in find_backups(folder)]


def last_backup(folder: Path) -> Path | None:
    """The newest sound backup that holds studies, or else the newest sound one; None if there is none."""
    newest_first = list_backups(folder)[::-1]
    with_studies = [path for path in newest_first if (held := contents_of(path)) is not None and held.studies]
    return next((path for path in [*with_studies, *newest_first] if damage(path) is None), None)


def restore_backup(folder: Path, chosen: Path | None = None, *, at: datetime | None = None) -> Path:
    """Restore a backup; the previous database is kept.

    Args:
        chosen: the backup; by default the newest sound one.

    Returns:
        the backup that was taken.

    Raises:
        UserError: when there is none, or the chosen one is damaged or no library.
        LibraryInUseError: when a window has the library open.
    """
    at = at or datetime.now(UTC)
    with holding(folder, "restoring a backup"):
        chosen = _checked(folder, chosen)
        fresh = folder / f"{FILE_NAME}.restored"
        _copy(chosen, fresh)
        set_database_aside(folder, at)
        fresh.replace(folder / FILE_NAME)
        backup(folder, at=at, always=True)  # the new state of the library: nothing counts as missing
        return chosen


@contextmanager
def holding(folder: Path, doing: str) -> Iterator[None]:
    """Hold the library's lock; turn errors of disk and database into `UserError`."""
    try:
        lock = LibraryLock(folder)
        try:
            with sentences(folder, doing):
                yield
        finally:
            lock.release()
    except OSError as error:
        raise UserError(
            f"The library in {folder} cannot be written: {doing} failed ({error.strerror or error}).",
            "Check the disk and the folder's permissions.",
        ) from error


def set_database_aside(folder: Path, at: datetime) -> None:
    """Rename the database with its log: SQLite would apply a remaining log to the next database."""
    file = folder / FILE_NAME
    is_sound = not is_blank(file) and damage(file) is None
    for suffix in ("-wal", "-shm", ""):
        old = folder / f"{FILE_NAME}{suffix}"
        if old.exists():
            state = "replaced" if is_sound else "damaged"
            old.replace(folder / f"library.{state}-{time_stamp(at)}.sqlite{suffix}")


def _checked(folder: Path, chosen: Path | None) -> Path:
    if chosen is None:
        chosen = last_backup(folder)
        if chosen is None:
            raise UserError(f"There is no sound backup of the library in {folder}.", "Keep it and ask for help.")
        return chosen
    if not chosen.is_file():
        raise UserError(f"There is no backup {chosen}.", "Choose one of the list.")
    if (found := damage(chosen)) is not None or contents_of(chosen) is None:
        raise UserError(f"{chosen} is not a sound backup ({found or 'no library'}).", "Choose another one.")
    return chosen


def _copy(source: Path, target: Path, note: tuple[int, datetime] | None = None) -> None:
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    make_private_file(partial)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(partial)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
            if note is not None:
                write_note(new, *note)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _restored_from(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return noted_sequence(connection)
