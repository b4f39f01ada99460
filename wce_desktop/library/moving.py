"""Moves a library into another folder: copied, compared byte by byte, and only then removed from the old place."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.language import number_text, tr
from wce_desktop.library.backup.backups import holding
from wce_desktop.library.storage import key_file
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.private import restrict_access_to_library
from wce_desktop.library.storage.sqlite_file import open_file

_LEFT_OUT = {"library.lock"}


def check_target(folder: Path, target: Path) -> None:
    """Raise `UserError` if a library cannot be moved there.

    Raises:
        UserError: the target is not empty, or lies in the library, or the other way round.
    """
    if target == folder or folder in target.parents or target in folder.parents:
        raise UserError(tr("The new place lies inside the library, or around it."), tr("Choose another folder."))
    if target.exists() and not is_empty(target):
        raise UserError(tr("The folder {target} is not empty.", target=target), tr("Choose a new or an empty folder."))


def is_empty(folder: Path) -> bool:
    """Whether a folder is there and holds nothing."""
    return folder.is_dir() and not any(folder.iterdir())


def move_library(
    folder: Path,
    target: Path,
    step: Callable[[int, int], None] = lambda done, total: None,
    copied: Callable[[], None] = lambda: None,
) -> list[Path]:
    """Move a library that no window has open.

    Args:
        step: called with the bytes that are copied, and of all.
        copied: called when the library in the new place is whole, before the old one is removed.

    Returns:
        what could not be removed from the old place; the library in the new one is whole.

    Raises:
        UserError: it cannot be copied; the library stays where it was and what was copied is removed.
    """
    check_target(folder, target)
    with holding(folder, tr("moving the library")):
        _close_log(folder)
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in _LEFT_OUT)
        try:
            _copy_all(files, folder, target, step)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        restrict_access_to_library(target)
        if key := key_file.held(folder):
            key_file.hold(target, key)
        copied()
        return _remove(folder)


def _close_log(folder: Path) -> None:
    connection = open_file(folder / FILE_NAME)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _copy_all(files: list[Path], folder: Path, target: Path, step: Callable[[int, int], None]) -> None:
    sizes = [path.stat().st_size for path in files]
    done, total = 0, sum(sizes)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    free = shutil.disk_usage(target).free
    if free < total:
        raise UserError(
            tr(
                "There is no room for the library in {target}: it needs {needed} GB, and {free} GB are free.",
                target=target,
                needed=number_text(total / 1000000000.0, ".2f"),
                free=number_text(free / 1000000000.0, ".2f"),
            ),
            tr("Free some space, or choose another disk."),
        )
    for place in sorted(path for path in folder.rglob("*") if path.is_dir()):
        (target / place.relative_to(folder)).mkdir(mode=0o700, exist_ok=True)
    for path, size in zip(files, sizes, strict=True):
        step(done, total)
        copied = target / path.relative_to(folder)
        shutil.copy2(path, copied)
        with copied.open("rb") as written:
            os.fsync(written.fileno())
        if not filecmp.cmp(path, copied, shallow=False):
            raise UserError(
                tr("The copy of {name} differs from the original.", name=path.name),
                tr("Check the disk; nothing was moved."),
            )
        done += size
    step(total, total)


def _remove(folder: Path) -> list[Path]:
    """Remove the old files, the database first: what is left does not look like a library that lost its labels."""
    try:
        (folder / FILE_NAME).unlink()
    except OSError:  # the library stays whole in the old place, too
        return [path for path in folder.rglob("*") if path.is_file()]
    left: list[Path] = []
    shutil.rmtree(folder, onerror=lambda _function, path, _error: left.append(Path(path)))
    return left
