"""Backups of the database: one at opening, some kept, and the way back from one of them.

Kept are the newest few, one for each of some days and weeks, and those that hold most.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library.backup.backup_file import (
    Backup,
    Contents,
    backup_name,
    contents_of,
    noted_sequence,
    time_stamp,
    write_note,
)
from wce_desktop.library.backup.signed_reports import copy_reports, restore_reports
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.failures import sentences
from wce_desktop.library.storage.integrity import damage, is_blank
from wce_desktop.library.storage.lock import LibraryLock
from wce_desktop.library.storage.private import make_private_file
from wce_desktop.library.storage.sqlite_file import is_encrypted, open_file

MIN_AGE = timedelta(minutes=5)
KEEP_LATEST = 5
KEEP_DAYS = 7
KEEP_WEEKS = 8


@dataclass(frozen=True, slots=True)
class ListedBackup:
    """A backup that can be read, and what it holds; `note` is empty, "newest", "most labels", or both."""

    backup: Backup
    contents: Contents
    note: str

    @property
    def line(self) -> str:
        """One line of the list."""
        note = f"  ({self.note})" if self.note else ""
        return f"{self.backup.path.name}  {self.backup.local_time}  {self.contents.in_words}{note}"


def backup(folder: Path, *, at: datetime | None = None, always: bool = False) -> Path | None:
    """Copy the database into `backups/`, unless the newest copy is a few minutes old; drop old copies.

    Signed reports are copied, too; all backups share one copy of each.

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
    copy_reports(folder)
    for old in backups_to_delete([*kept, Backup.at(made)]):
        old.path.unlink(missing_ok=True)
    return made


def find_backups(folder: Path) -> list[Backup]:
    """The backups of a library, oldest first."""
    return sorted(map(Backup.at, (folder / "backups").glob("library-*.sqlite")), key=lambda one: one.order)


def listed_backups(folder: Path) -> list[ListedBackup]:
    """The backups that can be read, newest first."""
    found = [(one, held) for one in reversed(find_backups(folder)) if (held := contents_of(one.path))]
    if not found:
        return []
    most_complete = max(found, key=lambda pair: pair[1].labels)[0]
    notes: dict[Backup, list[str]] = {one: [] for one, _ in found}
    notes[found[0][0]].append(tr("newest"))
    notes[most_complete].append(tr("most labels"))
    return [ListedBackup(one, held, ", ".join(notes[one])) for one, held in found]


def list_backups(folder: Path) -> list[Path]:
    """The files of the backups, oldest first."""
    return [one.path for one in find_backups(folder)]


def last_backup(folder: Path) -> Path | None:
    """The newest sound backup that holds studies, or else the newest sound one; None if there is none."""
    newest_first = list_backups(folder)[::-1]
    with_studies = [path for path in newest_first if (held := contents_of(path)) is not None and held.studies]
    return next((path for path in [*with_studies, *newest_first] if damage(path) is None), None)


def restore_backup(folder: Path, chosen: Path | None = None, *, at: datetime | None = None, reader: str = "") -> Path:
    """Restore a backup with the signed reports that it knows; the previous database is kept.

    A line of the restored audit log says so.

    Args:
        chosen: the backup; by default the newest sound one.
        reader: who restores it; empty: not known.

    Returns:
        the backup that was taken.

    Raises:
        UserError: when there is none, or the chosen one is damaged or no library.
        LibraryInUseError: when a window has the library open.
    """
    at = at or datetime.now(UTC)
    with holding(folder, tr("restoring a backup")):
        chosen = _checked(folder, chosen)
        fresh = folder / f"{FILE_NAME}.restored"
        _copy(chosen, fresh)
        if (key := key_file.held(folder)) and not is_encrypted(fresh):
            encrypting.convert(fresh, key)
        note_restored(folder, fresh, at, Backup.at(chosen), reader)
        if not is_blank(folder / FILE_NAME):
            copy_reports(folder)  # the database that is set aside may be wanted again
        set_database_aside(folder, at)
        fresh.replace(folder / FILE_NAME)
        restore_reports(folder)
        backup(folder, at=at, always=True)  # the new state of the library: nothing counts as missing
        return chosen


def note_restored(folder: Path, file: Path, at: datetime, backup: Backup | None, reader: str = "") -> None:
    """Note in the log of a database, which takes the place of a library's, where it comes from; None: it is empty."""
    newest = max((one.sequence for one in find_backups(folder)), default=0)
    made = "" if backup is None else backup.made.isoformat(timespec="microseconds")
    with closing(open_file(file)) as connection, connection:
        audit_chain.append_restored(connection, at.isoformat(timespec="microseconds"), reader, newest, made)


def backups_to_delete(backups: Iterable[Backup]) -> list[Backup]:
    """The backups to delete.

    Opening the library ten times in an hour does not remove yesterday's backup, and a library that lost its labels
    does not remove the backups that have them.
    """
    ordered = sorted(backups, key=lambda one: one.order)
    days = _newest_of_each((one.made.date(), one) for one in ordered)
    weeks = _newest_of_each((one.made.isocalendar()[:2], one) for one in ordered)
    kept = {*ordered[-KEEP_LATEST:], *days[-KEEP_DAYS:], *weeks[-KEEP_WEEKS:]}
    if len(kept) < len(ordered):
        kept |= _most_complete(ordered)
    return [one for one in ordered if one not in kept and not one.has_own_name]


def _most_complete(ordered: Sequence[Backup]) -> set[Backup]:
    """The newest of those with the most labels, findings, edits, and the longest log; `ordered` is oldest first."""
    held = [(contents_of(one.path) or Contents(), one) for one in ordered]
    counts = [[(c.labels, c.findings, c.edits, c.log_lines)[kind] for c, _ in held] for kind in range(4)]
    return {ordered[_last_index_of_max(of_kind)] for of_kind in counts if of_kind}


def _last_index_of_max(values: Sequence[int]) -> int:
    return max(range(len(values)), key=lambda index: (values[index], index))


def _newest_of_each(backups: Iterable[tuple[Hashable, Backup]]) -> list[Backup]:
    """The last of each group, in the order of these."""
    return sorted(dict(backups).values(), key=lambda one: one.order)


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
            tr(
                "The library in {folder} cannot be written: {doing} failed ({why}).",
                folder=folder,
                doing=doing,
                why=error.strerror or error,
            ),
            tr("Check the disk and the folder's permissions."),
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
            raise UserError(
                tr("There is no sound backup of the library in {folder}.", folder=folder),
                tr("Keep it and ask for help."),
            )
        return chosen
    if not chosen.is_file():
        raise UserError(tr("There is no backup {chosen}.", chosen=chosen), tr("Choose one of the list."))
    if (found := damage(chosen)) is not None or contents_of(chosen) is None:
        raise UserError(
            tr("{chosen} is not a sound backup ({why}).", chosen=chosen, why=found or tr("no library")),
            tr("Choose another one."),
        )
    return chosen


def _copy(source: Path, target: Path, note: tuple[int, datetime] | None = None) -> None:
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    make_private_file(partial)
    try:
        with closing(open_file(source)) as old, closing(open_file(partial, like=source)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
            if note is not None:
                write_note(new, *note)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _restored_from(file: Path) -> int:
    with closing(open_file(file)) as connection:
        return noted_sequence(connection)
