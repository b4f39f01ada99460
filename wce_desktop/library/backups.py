"""Backups of the database: one at opening, a few kept, and the way back from the newest sound one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from training.errors import UserError
from wce_desktop.library.database import FILE_NAME
from wce_desktop.library.errors import UNREADABLE, error_name, sentences
from wce_desktop.library.lock import LibraryLock

KEEP_LATEST = 5
KEEP_DAYS = 5
MIN_AGE = timedelta(minutes=5)
_STAMP = "%Y%m%d-%H%M%S-%f"


def backup(folder: Path, *, at: datetime | None = None, always: bool = False) -> Path | None:
    """Copy the database into `backups/`, unless the newest copy is a few minutes old; drop old copies.

    Args:
        at: the time to note, now by default.
        always: copy even when the newest is young, as before a migration.

    Returns:
        the copy, or None when none was needed.
    """
    at = at or datetime.now(UTC)
    kept = list_backups(folder)
    if kept and not always and at - _time_of(kept[-1]) < MIN_AGE:
        return None
    made = folder / "backups" / f"library-{at.strftime(_STAMP)}.sqlite"
    made.parent.mkdir(exist_ok=True)
    _copy(folder / FILE_NAME, made)
    for old in surplus([*kept, made]):
        old.unlink(missing_ok=True)
    return made


def list_backups(folder: Path) -> list[Path]:
    """The backups of a library, oldest first."""
    return sorted((folder / "backups").glob("library-*.sqlite"))


def surplus(backups: Sequence[Path]) -> list[Path]:
    """Those to drop: all but the newest few, and the newest of each of a few more days, so that opening the library
    ten times in an hour does not push yesterday's state out.
    """
    newest_of_day = {_time_of(path).date(): path for path in sorted(backups)}
    days = [newest_of_day[day] for day in sorted(newest_of_day)]
    kept = {*sorted(backups)[-KEEP_LATEST:], *days[-KEEP_DAYS:]}
    return [path for path in backups if path not in kept]


def last_backup(folder: Path) -> Path | None:
    """The newest backup that is sound, or None."""
    return next((path for path in reversed(list_backups(folder)) if damage(path) is None), None)


def damage(file: Path) -> str | None:
    """What is wrong with a database file, in SQLite's words, or None when it is sound."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if error_name(error).startswith(UNREADABLE):
            return str(error)
        raise
    return None if found == "ok" else str(found)


def restore_backup(folder: Path, *, at: datetime | None = None) -> Path:
    """Put the newest sound backup in the place of the database; what was there is kept beside it.

    Returns:
        the backup that was taken.

    Raises:
        UserError: when there is none.
        LibraryInUseError: when a window has the library open.
    """
    lock = LibraryLock(folder)
    try:
        chosen = last_backup(folder)
        if chosen is None:
            raise UserError(f"There is no sound backup of the library in {folder}.", "Keep the folder, ask for help.")
        with sentences(folder, "restoring a backup"):
            _put_in_place(folder, chosen, at or datetime.now(UTC))
        return chosen
    except OSError as error:
        raise UserError(
            f"The backup cannot be restored in {folder} ({error.strerror or error}).", "Check the disk and the folder."
        ) from error
    finally:
        lock.release()


def _put_in_place(folder: Path, chosen: Path, at: datetime) -> None:
    fresh = folder / f"{FILE_NAME}.restored"
    fresh.unlink(missing_ok=True)
    _copy(chosen, fresh)
    # The log belongs to the damaged file: left behind, SQLite would play it into the restored one.
    for suffix in ("-wal", "-shm", ""):
        old = folder / f"{FILE_NAME}{suffix}"
        if old.exists():
            old.replace(folder / f"library.damaged-{at.strftime(_STAMP)}.sqlite{suffix}")
    fresh.replace(folder / FILE_NAME)


def _copy(source: Path, target: Path) -> None:
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(partial)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
    partial.replace(target)


def _time_of(file: Path) -> datetime:
    try:
        return datetime.strptime(file.stem.removeprefix("library-"), _STAMP).replace(tzinfo=UTC)
    except ValueError:  # named by a person: as old as the file says
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
