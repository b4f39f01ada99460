"""Copies of a library in another folder, which a lost disk does not take along.

A copy holds what an empty computer needs to go on: the newest backup of the database, its key file, signed reports,
models and settings. The copies of a library lie in a folder that carries the library's identity, so that libraries
which share a folder, or follow one another in the same place, never touch each other's copies.
"""

import filecmp
import json
import logging
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path

from training.errors import UserError
from training.files.outputs import written_beside
from wce_desktop.library import errors, removals
from wce_desktop.library.backup.backup_file import Backup, backup_name, contents_of, is_later_state_of, list_backups
from wce_desktop.library.backup.signed_reports import can_be_read, copy_reports_to, report_key
from wce_desktop.library.storage import encrypting, integrity, key_file, private, sqlite_file
from wce_desktop.library.storage.database import FILE_NAME

LOG = logging.getLogger(__name__)
KEPT = 10
"""So many copies are kept (ours), and with them all that are not known to be earlier states of the library."""
PREFIX = "wce-desktop-backups-"
NOTE = "library.json"
"""In a folder of copies: the library's identity, and the folder in which it lay."""
_FORMER = re.compile(re.escape(PREFIX) + r"[0-9a-f]{8}")
"""The folders of older versions, which belonged to a path."""
_NOT_COPIED = {"window.json", "speeds.json"}
"""They describe this computer."""


def place_of_copies(folder: Path, chosen: Path) -> Path:
    """Where the copies of a library lie in a chosen folder: several libraries may share it."""
    return chosen / f"{PREFIX}{integrity.identity_of(folder / FILE_NAME) or 'none'}"


def copies(folder: Path, chosen: Path) -> list[Backup]:
    """The copies of a library's backups in a chosen folder, oldest first; none where it cannot be read."""
    return copies_in(place_of_copies(folder, chosen))


def copies_in(place: Path) -> list[Backup]:
    """The copies in a folder, oldest first; none where it cannot be read."""
    with suppress(OSError):
        files = (path for path in place.glob("library-*.sqlite") if path.is_file())
        return sorted(map(Backup.at, files), key=lambda copy: copy.order)
    return []


def key_beside(copy: Path) -> Path:
    """The key file of an encrypted copy, as the library had it when the copy was made."""
    return copy.with_name(f"{copy.name}.key")


def is_copy_due(folder: Path, chosen: Path, days: int, now: datetime) -> bool:
    """Whether the newest copy is `days` days old, or seems to come from the future.

    Or whether something can be read there although the library is encrypted, or opens with an earlier passphrase only.
    """
    present = copies(folder, chosen)
    if not present or not timedelta(0) <= now - present[-1].made < timedelta(days=days):
        return True
    place = place_of_copies(folder, chosen)
    return bool(report_key(folder)) and (
        bool(readable_copies(place))
        or can_be_read(place)
        or not _is_same(folder / key_file.NAME, key_beside(present[-1].path))
    )


def copy_newest(folder: Path, chosen: Path) -> Path:
    """Copy the newest backup with all that restoring it needs, read the copy back, and delete old copies.

    Only copies are deleted that are known to be earlier states of this library. Copies from before a library was
    encrypted are encrypted, too, and copies lose a removed study as backups do.

    Raises:
        UserError: there is no backup, or the chosen folder is gone, full or cannot be written.
    """
    if not (files := list_backups(folder)):
        raise UserError("There is no backup to copy.", "Make a backup first.")
    if chosen.resolve() == folder or folder in chosen.resolve().parents:
        raise UserError("The folder for copies lies inside the library.", "Choose a folder on another disk.")
    with errors.OnDiskError(
        "The backup could not be copied to {chosen} ({why}).",
        "Check that the folder can be reached and has space. The older copies are kept.",
        chosen,
    ):
        return _copy(Backup.at(files[-1]), folder, chosen)


def tend_earlier_copies(folder: Path, earlier: Iterable[Path]) -> list[Path]:
    """Encrypt the copies of an encrypted library in folders that were chosen before; removed studies go there, too.

    Returns:
        the folders that cannot be reached or written: what lies there may be readable.
    """
    left = []
    for chosen in earlier:
        try:
            if not chosen.is_dir():
                raise FileNotFoundError(2, "the folder is not there")
            place = place_of_copies(folder, chosen)
            _adopt_former(folder, chosen, place)
            if place.is_dir():
                removals.forget_in_backups(folder, place=place)
                _encrypt_copies(folder, place)
            if report_key(folder) and readable_copies(place):
                left.append(chosen)
        except OSError as error:
            LOG.warning("copies in a folder that was chosen before stay as they are: %s", error.strerror)
            left.append(chosen)
    return left


def readable_copies(place: Path) -> list[Path]:
    """The databases in a folder of copies that can be read without a passphrase, also those that a person named."""
    readable = []
    for path in sorted(place.glob("*.sqlite")):
        with suppress(OSError):
            readable += [path] if path.is_file() and sqlite_file.is_plain(path) else []
    return readable


def _copy(backup: Backup, folder: Path, chosen: Path) -> Path:
    if not chosen.is_dir():  # a disk that is not there must not become a folder
        raise FileNotFoundError(2, "the folder is not there")
    place = place_of_copies(folder, chosen)
    place.mkdir(mode=0o700, exist_ok=True)
    note = json.dumps({"library_id": integrity.identity_of(folder / FILE_NAME), "folder": str(folder)}, indent=1)
    with written_beside(place / NOTE, sync=True) as beside:
        private.make_private_file(beside)
        beside.write_text(note, encoding="utf-8")
    for left in (*place.rglob("*.partial"), *place.glob(f"*{encrypting.SUFFIX}*")):
        left.unlink(missing_ok=True)
    _adopt_former(folder, chosen, place)
    if integrity.damage(backup.path) is not None:
        raise OSError(5, "the newest backup is damaged")
    target = _free_place(backup, place)
    if sqlite_file.is_encrypted(backup.path):  # first: a copy never lies without its key
        copy_file(folder / key_file.NAME, key_beside(target))
    copy_file(backup.path, target)
    for source in (*_settings_of(folder), *_files_of_models(folder)):
        if not _seems_same(source, place / source.relative_to(folder)):
            copy_file(source, place / source.relative_to(folder))
    for model in _unknown_models(folder, place):
        shutil.rmtree(model)
    copy_reports_to(folder, place)
    removals.forget_in_backups(folder, place=place)
    with closing(sqlite_file.open_file(folder / FILE_NAME, read_only=True)) as library:
        for old in copies_in(place)[:-KEPT]:
            if not old.has_own_name and old.path != target and is_earlier_state(old.path, library):
                old.path.unlink(missing_ok=True)
                key_beside(old.path).unlink(missing_ok=True)
    _encrypt_copies(folder, place)
    return target


def _free_place(backup: Backup, place: Path) -> Path:
    """Where a backup is copied to: over its own earlier copy, else under the next number of that folder.

    After an older copy was restored the library's own numbers begin lower than those that are there. A copy that an
    earlier passphrase protects stays.
    """
    present = [copy for copy in copies_in(place) if not copy.has_own_name]
    if backup.has_own_name:
        return place / backup.path.name
    key = sqlite_file.key_of(backup.path)
    earlier = [
        copy.path
        for copy in present
        if copy.made == backup.made and contents_of(copy.path) and sqlite_file.key_of(copy.path) in ("", key)
    ]
    number = max([backup.sequence, *(1 + copy.sequence for copy in present)])
    return earlier[-1] if earlier else place / backup_name(number, backup.made)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, and read back from its place what was written.

    Raises:
        OSError: it cannot be written, or differs; what was there before is unchanged.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    filecmp.clear_cache()  # it goes by size and time, which a copy keeps: what was read before says nothing
    with private.replacing(target) as beside:
        shutil.copyfile(source, beside)
        if not filecmp.cmp(source, beside, shallow=False):
            raise OSError(5, "the copy differs from the original")
        shutil.copystat(source, beside)
        beside.chmod(0o600)
    if not filecmp.cmp(source, target, shallow=False):
        raise OSError(5, "the copy differs from the original")


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.read_bytes() == second.read_bytes()
    except OSError:
        return False


# Models and settings


def copy_missing(place: Path, folder: Path) -> None:
    """Bring models and settings of a folder of copies back into a library; what it has stays as it is.

    From a folder that the program did not make for copies nothing is brought.

    Raises:
        OSError: a file cannot be written.
    """
    if not (place / NOTE).is_file():
        return
    for source in (*_settings_of(place), *_files_of_models(place)):
        target = folder / source.relative_to(place)
        if source.name != NOTE and not target.exists():
            copy_file(source, target)


def _settings_of(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.suffix == ".json" and path.name not in _NOT_COPIED and path.is_file():
            yield path


def _files_of_models(folder: Path) -> Iterator[Path]:
    for model in sorted((folder / "models").glob("[!.]*")):
        yield from (path for path in sorted(model.rglob("*")) if path.is_file())


def _seems_same(source: Path, target: Path) -> bool:
    """By size and time, which a copy keeps: reading all models each day would take too long on a share."""
    with suppress(OSError):
        here, there = source.stat(), target.stat()
        return here.st_size == there.st_size and abs(here.st_mtime - there.st_mtime) <= 2  # FAT keeps even seconds
    return False


def _unknown_models(folder: Path, place: Path) -> list[Path]:
    """The copied models that neither the library nor any copy of its database has; none where one cannot be read."""
    registered: set[str] = set()
    for file in (folder / FILE_NAME, *(copy.path for copy in copies_in(place))):
        try:
            with closing(sqlite_file.open_file(file, read_only=True)) as connection:
                registered |= {str(row[0]) for row in connection.execute("SELECT model_id FROM models")}
        except sqlite_file.READ_ERRORS:
            return []
    return [path for path in (place / "models").glob("*") if path.is_dir() and path.name not in registered]


# What is deleted, encrypted and taken over


def is_earlier_state(copy: Path, library: sqlite3.Connection) -> bool:
    """Whether a copy is known to be an earlier state of a library; one that cannot be read is not.

    Nor is one that was made after the backup to which the library went back later: what was seen is in no line of the
    log.
    """
    contents = contents_of(copy)
    if contents is None:
        return False
    identity = integrity.identity_of(copy)
    if not identity and contents.last_line is None:  # of an older version, and nothing tells whose it is
        return False
    if identity not in ("", integrity.identity_in(library)) or not is_later_state_of(library, contents):
        return False
    line = contents.last_line[0] if contents.last_line else 0
    asked = "SELECT json_extract(after, '$.backup_utc') FROM audit WHERE action = 'restore' AND audit_id > ?"
    made_utc = Backup.at(copy).made.isoformat(timespec="microseconds")
    return all(made_utc <= str(restored) for (restored,) in library.execute(asked, (line,)))


def _encrypt_copies(folder: Path, place: Path) -> None:
    """Encrypt the copies of an encrypted library that can be read, and give each its key file."""
    if not (key := report_key(folder)):
        return
    for path in readable_copies(place):
        copy_file(folder / key_file.NAME, key_beside(path))
        encrypting.convert_files([path], key)
    copy_reports_to(folder, place)


def _adopt_former(folder: Path, chosen: Path, place: Path) -> None:
    """Take over this library's copies from folders of older versions, which were named after a library's path.

    A copy is taken over where it is known to be an earlier state of this library; all others stay where they are.
    """
    with closing(sqlite_file.open_file(folder / FILE_NAME, read_only=True)) as library:
        for former in chosen.glob(f"{PREFIX}*"):
            if former != place and _FORMER.fullmatch(former.name):
                own = [copy.path for copy in copies_in(former) if is_earlier_state(copy.path, library)]
                _take_over(own, former, place)


def _take_over(own: list[Path], former: Path, place: Path) -> None:
    for copy in own:
        target = place / copy.name
        if target.exists():
            continue
        for key in (key_beside(copy), former / key_file.NAME):
            if sqlite_file.is_encrypted(copy) and key.exists() and not key_beside(target).exists():
                copy_file(key, key_beside(target))
        copy.replace(target)
    if own and not copies_in(former):  # nothing of another library is left
        for path in (*sorted(former.rglob("*"), reverse=True), former):
            if path.is_dir():
                with suppress(OSError):  # what differs from that in the other folder stays
                    path.rmdir()
                continue
            target = place / path.relative_to(former)
            if not target.exists():
                copy_file(path, target)
            if filecmp.cmp(path, target, shallow=False):
                path.unlink()
