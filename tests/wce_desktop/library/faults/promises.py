"""What must be true of a library after a fault: it opens in its old or new state; all backups and reports remain."""

import hashlib
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.wce_desktop.library.faults.operations import PASSPHRASES, Operation, World
from training.errors import UserError
from wce_desktop.library import DamagedLibraryError, Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.backup.backup_file import contents_of
from wce_desktop.library.backup.recovery import Recovery, find_copies
from wce_desktop.library.storage import key_file, sealing
from wce_desktop.library.storage.sqlite_file import READ_ERRORS, open_file

State = Mapping[str, Any]


class BrokenPromiseError(Exception):
    """What was promised does not hold; `kind` is "lost" or "unreadable"."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True)
class Kept:
    """What can be read beside the database: by name a digest of the content."""

    backups: Mapping[str, str]
    reports: Mapping[str, str]


def lock_all() -> None:
    """Forget all keys, as the end of a process does."""
    for folder in list(key_file._held):
        key_file.lock(folder)


def unlock(folder: Path) -> None:
    """Enter the passphrases of a locked library one after the other until it opens."""
    for passphrase in PASSPHRASES:
        if key_file.is_locked(folder):
            with suppress(UserError):
                key_file.unlock(folder, passphrase)


def unlock_all(folder: Path) -> None:
    """Enter all passphrases that were ever in use."""
    unlock(folder)
    for passphrase in PASSPHRASES:
        for path in [*backup_file.list_backups(folder), *backup_file.databases_aside(folder)]:
            if key_file.needs_passphrase(folder, path):
                with suppress(UserError):
                    key_file.unlock_backup(folder, path, passphrase)


def folder_of(world: World) -> Path:
    """Where the library is: a moved one is in the new place once the old one has no database any more."""
    moved = world.place / "moved"
    return world.library if (world.library / "library.sqlite").exists() or not moved.exists() else moved


def state_of(folder: Path) -> State:
    """What a reader sees of a library: read after a new start."""
    lock_all()
    unlock(folder)
    with Library.open(folder, "reader") as library:
        return _contents(library)


def _contents(library: Library) -> State:
    state: dict[str, Any] = {}
    for study in library.studies.all():
        signed = library.reports.signed(study.study_id)
        state[f"{study.name} {study.fingerprint}"] = [
            sorted((one.span.start, one.span.stop, one.name) for one in library.annotations.labels(study.study_id)),
            sorted(one.kind for one in library.annotations.findings(study.study_id)),
            len(library.studies.second_readings(study.study_id)),
            [_digest(one.read(".pdf") + one.read(".html")) for one in signed],
        ]
    models = library.models.all()
    state["models"] = [(one.model_id, one.is_current, (one.folder / "config.json").is_file()) for one in models]
    state["runs"] = [one.run_id for one in library.runs.all()]
    state["read only"] = library.read_only
    return state


def kept_in(folder: Path) -> Kept:
    """The backups and signed reports that the passphrases open."""
    lock_all()
    unlock_all(folder)
    files = [*backup_file.list_backups(folder), *backup_file.databases_aside(folder)]
    databases = {path.name: found for path in files if (found := _database(path))}
    reports: dict[str, str] = {}
    for place in (folder / "backups" / "reports", folder / "reports"):
        for path in sealing.files_below(place):
            for form in (path, sealing.sealed(path)):
                with suppress(OSError, sealing.CannotUnsealError):
                    reports[path.relative_to(place).as_posix()] = _digest(sealing._content(form))
    return Kept(databases, reports)


def _database(path: Path) -> str:
    try:
        with closing(open_file(path, read_only=True)) as connection:
            found = [connection.execute(f"SELECT * FROM {name}").fetchall() for name in ("studies", "labels", "edits")]
    except READ_ERRORS:
        return ""
    return _digest(repr(found).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def check(world: World, states: tuple[State, ...], kept: Kept, operation: Operation) -> str:
    """Start anew, and see whether everything is there; returns "" or "offered".

    Raises:
        BrokenPromiseError: something is not.
    """
    folder = folder_of(world)
    after = kept_in(folder)
    _check_kept("backup", kept.backups, after.backups)
    _check_copies(world.place)
    if not operation.may_remove:
        _check_kept("report", kept.reports, after.reports)
    lock_all()
    unlock(folder)
    if key_file.is_locked(folder):
        raise BrokenPromiseError("unreadable", "no passphrase opens the library")
    try:
        found = state_of(folder)
    except DamagedLibraryError as error:
        if operation.may_repeat:
            operation.act(world, None)  # type: ignore[arg-type]
            if state_of(folder) == states[-1]:
                return "offered"
        return _check_offered(folder, states, error)
    except Exception as error:
        raise BrokenPromiseError("unreadable", f"it does not open: {type(error).__name__}: {error}") from error
    if found not in states:
        raise BrokenPromiseError("lost", f"{found} instead of {states}")
    return ""


def _check_copies(disk: Path) -> None:
    """Each copy that is there can be restored with one of the passphrases."""
    with suppress(UserError):
        for copy in find_copies(disk):
            lock_all()
            recovery = Recovery(copy.path)
            for passphrase in PASSPHRASES if recovery.is_locked else ():
                with suppress(UserError):
                    recovery.unlock(passphrase)
            is_readable = contents_of(copy.path) is not None
            recovery.close()
            if not is_readable:
                raise BrokenPromiseError("unreadable", f"the copy {copy.path.name} cannot be read")


def _check_kept(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    for name, digest in before.items():
        if name not in after:
            raise BrokenPromiseError("unreadable", f"the {what} {name} cannot be read any more")
        if after[name] != digest:
            raise BrokenPromiseError("lost", f"the {what} {name} has another content")


def _check_offered(folder: Path, states: tuple[State, ...], error: Exception) -> str:
    for row in backups.listed_backups(folder):
        with suppress(UserError):
            backups.restore_backup(folder, row.backup.path)
            if state_of(folder) in states:
                return "offered"
    raise BrokenPromiseError("lost", f"nothing that is offered is what was there ({error})")
