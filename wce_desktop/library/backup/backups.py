"""Backups of the database: one at opening, some kept, and the way back from one of them.

Kept are the newest few, one for each of some days and weeks, and those that hold most.
"""

import os
import shutil
from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.language import number_text, tr
from wce_desktop.library.backup import backup_file, signed_reports
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.removal_rows import carry_removals
from wce_desktop.library.storage import encrypting, key_file, private, server
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.failures import disk_error, sentences
from wce_desktop.library.storage.integrity import damage, is_blank, settle_identity
from wce_desktop.library.storage.lock import LibraryLock
from wce_desktop.library.storage.private import replacing
from wce_desktop.library.storage.sqlite_file import is_encrypted, is_plain, key_of, open_file

MIN_AGE = timedelta(minutes=5)
KEEP_LATEST = 5
KEEP_DAYS = 7
KEEP_WEEKS = 8


@dataclass(frozen=True, slots=True)
class ListedBackup:
    """A backup, and what it holds.

    Args:
        note: "newest", "most labels", "replaced database" and the like, with commas; may be empty.
        is_locked: whether it can be read with an earlier passphrase of the library only; the contents are empty then.
    """

    backup: backup_file.Backup
    contents: backup_file.Contents
    note: str
    is_locked: bool = False

    @property
    def line(self) -> str:
        """One line of the list."""
        note = f"  ({self.note})" if self.note else ""
        held = tr("encrypted") if self.is_locked else self.contents.in_words
        return f"{self.backup.path.name}  {self.backup.local_time}  {held}{note}"

    @property
    def counts(self) -> tuple[str, str, str]:
        """Studies, labels and findings as a table shows them."""
        held = self.contents
        if self.is_locked:
            return "–", "–", "–"
        return number_text(held.studies), number_text(held.labels), number_text(held.findings)


class EarlierBackupError(UserError):
    """A backup can be read with an earlier passphrase of the library only."""


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
    kept = backup_file.find_backups(folder)
    # Do not wait because of a backup dated in the future: the clock was or is wrong.
    if kept and not always and timedelta(0) <= at - kept[-1].made < MIN_AGE:
        return None
    with closing(open_file(folder / FILE_NAME)) as connection:
        restored_from = backup_file.noted_sequence(connection)
    sequence = 1 + max([restored_from, *(older.sequence for older in kept)])
    target = folder / "backups" / backup_file.backup_name(sequence, at)
    target.parent.mkdir(mode=0o700, exist_ok=True)
    for left in target.parent.glob("library-*.sqlite.partial*"):  # by a process that was killed
        left.unlink(missing_ok=True)
    _copy(folder / FILE_NAME, target, (sequence, at))
    signed_reports.copy_reports(folder)
    for old in backups_to_delete([*kept, backup_file.Backup.at(target)]):
        old.path.unlink(missing_ok=True)
    return target


def listed_backups(folder: Path) -> list[ListedBackup]:
    """The backups that can be restored, newest first, and then the databases that were replaced.

    Also those for which an earlier passphrase has to be entered.
    """
    held = {file: backup_file.contents_of(file.path) for file in reversed(backup_file.find_backups(folder))}
    aside = {backup_file.Backup.at(path): backup_file.contents_of(path) for path in backup_file.databases_aside(folder)}
    notes: dict[backup_file.Backup, list[str]] = {file: [] for file in (*held, *aside)}
    if readable := {file: contents for file, contents in held.items() if contents}:
        notes[next(iter(readable))].append(tr("newest"))
        notes[max(readable, key=lambda file: readable[file].labels)].append(tr("most labels"))
    for file, contents in (held | aside).items():
        if file in aside:
            notes[file].append(tr("replaced database"))
        if contents is None and key_file.needs_passphrase(folder, file.path):
            notes[file].append(tr("needs an earlier passphrase"))
        elif contents is None or (file in aside and damage(file.path) is not None):
            del notes[file]
        elif backup_file.is_newer(file.path):
            notes[file].append(tr("of a newer version"))
    rows = ((file, (held | aside)[file], ", ".join(parts)) for file, parts in notes.items())
    return [
        ListedBackup(file, contents or backup_file.Contents(), note, contents is None) for file, contents, note in rows
    ]


def restore_backup(folder: Path, chosen: Path | None = None, *, at: datetime | None = None, reader: str = "") -> Path:
    """Restore a backup with the signed reports that it knows; the previous database is kept.

    A line of the restored audit log says so. The removals of studies that the backup does not hold are carried over.

    Args:
        chosen: the backup; by default the newest sound one.
        reader: who restores it; empty: not known.

    Returns:
        the backup that was taken.

    Raises:
        EarlierBackupError: it needs an earlier passphrase (`key_file.unlock_backup`).
        UserError: when there is none, or the chosen one is damaged, no library, or of a newer version.
        LibraryInUseError: when a window has the library open.
    """
    at = at or datetime.now(UTC)
    with holding(folder, Text("restoring a backup")):
        chosen = checked(folder, chosen)
        with fresh_database(folder) as fresh:
            _copy(chosen, fresh)
            is_elsewhere = chosen.parent not in (folder, folder / "backups")
            settle_identity(folder / FILE_NAME, fresh, is_elsewhere=is_elsewhere)
            carry_removals(folder, fresh)
            note_restored(folder, fresh, at, backup_file.Backup.at(chosen), reader)
            if not is_blank(folder / FILE_NAME):
                signed_reports.copy_reports(folder)  # the database that is set aside may be wanted again
            put_database_in_place(folder, fresh, at)
        signed_reports.restore_reports(folder)
        backup(folder, at=at, always=True)  # the new state of the library: nothing counts as missing
        return chosen


def note_restored(folder: Path, file: Path, at: datetime, backup: backup_file.Backup | None, reader: str = "") -> None:
    """Note in the log of a database, which takes the place of a library's, where it comes from; None: it is empty."""
    newest = max((present.sequence for present in backup_file.find_backups(folder)), default=0)
    made_utc = "" if backup is None else backup.made.isoformat(timespec="microseconds")
    with closing(open_file(file)) as connection, connection:
        audit_chain.append_restored(connection, at.isoformat(timespec="microseconds"), reader, newest, made_utc)


def backups_to_delete(backups: Iterable[backup_file.Backup]) -> list[backup_file.Backup]:
    """The backups to delete.

    Opening the library ten times in an hour does not remove yesterday's backup, and a library that lost its labels
    does not remove the backups that have them.
    """
    ordered = sorted(backups, key=lambda file: file.order)
    days = _newest_of_each((file.made.date(), file) for file in ordered)
    weeks = _newest_of_each((file.made.isocalendar()[:2], file) for file in ordered)
    kept = {*ordered[-KEEP_LATEST:], *days[-KEEP_DAYS:], *weeks[-KEEP_WEEKS:]}
    if len(kept) < len(ordered):
        held = {file: backup_file.contents_of(file.path) or backup_file.Contents() for file in reversed(ordered)}
        for name in ("labels", "findings", "edits", "log_lines"):  # of those with the most the newest
            counts = {file: getattr(contents, name) for file, contents in held.items()}
            kept.add(max(counts, key=counts.__getitem__))
        # Of what no key opens that is held nobody knows what it holds.
        kept |= {file for file in ordered if is_encrypted(file.path) and not key_of(file.path)}
    return [file for file in ordered if file not in kept and not file.has_own_name]


def _newest_of_each(backups: Iterable[tuple[Hashable, backup_file.Backup]]) -> list[backup_file.Backup]:
    """The last of each group, in the order of these."""
    return sorted(dict(backups).values(), key=lambda file: file.order)


@contextmanager
def holding(folder: Path, doing: str) -> Iterator[None]:
    """Hold the library's lock; turn errors of disk and database into `UserError`."""
    server.check_local(folder)
    try:
        lock = LibraryLock(folder)
    except OSError as error:
        raise disk_error(folder, doing, error) from error
    try:
        with sentences(folder, doing):
            yield
    finally:
        lock.release()


@contextmanager
def fresh_database(folder: Path) -> Iterator[Path]:
    """A free place for a database that is to become that of a library; what is left there goes."""
    fresh = folder / f"{FILE_NAME}.restored"
    _remove_database(fresh)
    try:
        yield fresh
    finally:
        with suppress(OSError):  # what failed before has been raised
            _remove_database(fresh)


def put_database_in_place(folder: Path, fresh: Path, at: datetime) -> None:
    """Make a new database that of the library, encrypted where the library is; the present one is kept.

    At no moment the library is without a database: the present one gets a second name, and is then replaced in one
    step. Its log goes before, since SQLite would apply it to the new one.

    Raises:
        UserError: the library is locked, or a copy differs.
        OSError: something cannot be written; the present database is in place.
        sqlite3.DatabaseError: one of `DATABASE_ERRORS`, likewise.
    """
    file, key = folder / FILE_NAME, key_file.held(folder)
    if not key_file.is_locked(folder):
        if key_of(fresh) != key:
            encrypting.convert(fresh, key)
    elif is_plain(fresh):
        raise UserError("The library in {folder} is locked.", "Start again and enter its passphrase.", folder)
    if is_plain(fresh) and encrypting.is_mark_needed(folder):
        encrypting.allow_plain(folder)
    is_sound = not is_blank(file) and damage(file) is None
    if is_sound:
        with closing(open_file(file)) as connection:
            encrypting.merge_log(connection)
    name = f"library.{'replaced' if is_sound else 'damaged'}-{backup_file.time_stamp(at)}.sqlite"
    logs = [suffix for suffix in ("-wal", "-shm") if (folder / f"{FILE_NAME}{suffix}").exists()]
    for suffix in ("", *logs):
        if (old := folder / f"{FILE_NAME}{suffix}").exists():
            try:
                os.link(old, folder / f"{name}{suffix}")
            except OSError:  # the disk has no links
                with replacing(folder / f"{name}{suffix}") as beside:
                    shutil.copyfile(old, beside)
    private.sync_folder(folder)
    for suffix in logs:
        (folder / f"{FILE_NAME}{suffix}").unlink()
    private.put_in_place(fresh, file)


def _remove_database(file: Path) -> None:
    for suffix in ("-wal", "-shm", "-journal", encrypting.SUFFIX, ""):
        file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)


def checked(folder: Path, chosen: Path | None) -> Path:
    """The backup to restore, by default the newest sound one.

    Raises:
        UserError: when there is none, or the chosen one is damaged, no library, or of a newer version.
    """
    if chosen is None:
        chosen = backup_file.last_backup(folder)
        if chosen is None:
            raise UserError("There is no sound backup of the library in {folder}.", "Keep it and ask for help.", folder)
        return chosen
    if not chosen.is_file():
        raise UserError("There is no backup {chosen}.", "Choose one of the list.", chosen)
    if key_file.needs_passphrase(folder, chosen):
        raise EarlierBackupError(
            "The backup {name} was encrypted with an earlier passphrase of the library.",
            "Enter that passphrase.",
            chosen.name,
        )
    if (problem := damage(chosen)) is not None or backup_file.contents_of(chosen) is None:
        raise UserError(
            "{chosen} is not a sound backup ({why}).", "Choose another one.", chosen, problem or Text("no library")
        )
    if backup_file.is_newer(chosen):
        raise UserError(
            "The backup {name} was made by a newer version of the application.",
            "Update the application, or choose another one.",
            chosen.name,
        )
    return chosen


def _copy(source: Path, target: Path, note: tuple[int, datetime] | None = None) -> None:
    with (
        replacing(target) as partial,
        closing(open_file(source)) as old,
        closing(open_file(partial, like=source)) as new,
    ):
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
        if note is not None:
            backup_file.write_note(new, *note)
