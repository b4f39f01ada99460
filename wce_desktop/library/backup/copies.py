"""Copies of backups in another folder, which a lost disk does not take along."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library.backup.backup_file import Backup
from wce_desktop.library.backup.backups import list_backups
from wce_desktop.library.backup.signed_reports import copy_copies, files_to_convert, report_key
from wce_desktop.library.forgetting.old_backups import forget_in_backups
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.library.storage.integrity import damage
from wce_desktop.library.storage.private import make_private_file
from wce_desktop.library.storage.sqlite_file import is_plain

KEPT = 10
"""So many copies are kept (ours)."""


def place_of_copies(folder: Path, chosen: Path) -> Path:
    """Where the copies of a library lie in a chosen folder: several libraries may share it."""
    return chosen / f"wce-desktop-backups-{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"


def copies(folder: Path, chosen: Path) -> list[Backup]:
    """The copies of a library's backups in a chosen folder, oldest first; none where it cannot be read."""
    with suppress(OSError):
        found = place_of_copies(folder, chosen).glob("library-*.sqlite")
        return sorted(map(Backup.at, found), key=lambda one: one.order)
    return []


def is_copy_due(folder: Path, chosen: Path, days: int, now: datetime) -> bool:
    """Whether the newest copy is `days` days old, or seems to come from the future.

    Or whether anything can be read there although the library is encrypted: the next copy encrypts it, too.
    """
    found = copies(folder, chosen)
    if not found or not timedelta(0) <= now - found[-1].made < timedelta(days=days):
        return True
    place = place_of_copies(folder, chosen)
    return bool(report_key(folder)) and (
        any(is_plain(one.path) for one in found) or bool(files_to_convert(folder, (place,)))
    )


def copy_newest(folder: Path, chosen: Path) -> Path:
    """Copy the newest backup, with the key file of an encrypted library, and delete old copies.

    Nothing is deleted unless the new copy was written and is sound. Copies from before a library was encrypted are
    encrypted, too, and copies lose a removed study as backups do.

    Raises:
        UserError: there is no backup, or the chosen folder is gone, full or cannot be written.
    """
    if not (made := list_backups(folder)):
        raise UserError(tr("There is no backup to copy."), tr("Make a backup first."))
    if chosen.resolve() == folder or folder in chosen.resolve().parents:
        raise UserError(tr("The folder for copies lies inside the library."), tr("Choose a folder on another disk."))
    try:
        return _copy(made[-1], folder, chosen)
    except OSError as error:
        raise UserError(
            tr("The backup could not be copied to {chosen} ({why}).", chosen=chosen, why=error.strerror or error),
            tr("Check that the folder can be reached and has space. The older copies are kept."),
        ) from error


def _copy(backup: Path, folder: Path, chosen: Path) -> Path:
    if not chosen.is_dir():  # a disk that is not there must not become a folder
        raise FileNotFoundError(2, "the folder is not there")
    place = place_of_copies(folder, chosen)
    place.mkdir(mode=0o700, exist_ok=True)
    target, beside = place / backup.name, place / f"{backup.name}.partial"
    for left in (*place.glob("*.partial"), *place.glob(f"*{encrypting.SUFFIX}*")):
        left.unlink(missing_ok=True)
    key_file.copy_to(folder, place)
    try:
        make_private_file(beside)
        shutil.copyfile(backup, beside)
        if damage(beside) is not None:
            raise OSError(5, "the copy is damaged")
        key_file.put_in_place(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    copy_copies(folder, place)
    forget_in_backups(folder, place=place)
    for old in copies(folder, chosen)[:-KEPT]:
        if not old.has_own_name:
            old.path.unlink(missing_ok=True)
    if key := report_key(folder):
        encrypting.convert_files([one.path for one in copies(folder, chosen)], key)
    return target
