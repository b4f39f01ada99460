"""Moves a library into another folder: copied, compared byte by byte, and only then removed from the old place."""

import filecmp
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import select

from training.errors import UserError
from training.texts import Text
from wce_desktop.library import study_rows, tables
from wce_desktop.library.backup.backups import holding
from wce_desktop.library.storage import database, key_file, private, sqlite_file
from wce_desktop.library.store import Store

_LEFT_OUT = {"library.lock"}
IMAGES = "images"
"""In a study's folder of the library: the images of a study that were imported into it."""
MOVED = "library.moved"
"""In a folder whose library was moved, as long as not all of it is removed: where it is."""


def check_target(folder: Path, target: Path) -> None:
    """Raise `UserError` if a library cannot be moved there.

    Raises:
        UserError: the target is not empty, or lies in the library, or the other way round.
    """
    if target == folder or folder in target.parents or target in folder.parents:
        raise UserError("The new place lies inside the library, or around it.", "Choose another folder.")
    if target.exists() and not is_empty(target):
        raise UserError("The folder {target} is not empty.", "Choose a new or an empty folder.", target)


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

    What lies behind a link is copied into the new place; where the link leads to it stays, too.

    Args:
        step: called with the bytes that are copied, and of all.
        copied: called when the library in the new place is whole, before the old one is removed.

    Returns:
        what could not be removed from the old place; the library in the new one is whole.

    Raises:
        UserError: it cannot be copied; the library stays where it was and what was copied is removed.
    """
    check_target(folder, target)
    with holding(folder, Text("moving the library")):
        with closing(sqlite_file.open_file(folder / database.FILE_NAME)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        folders, files = _entries(folder)
        try:
            _copy_all(folders, files, folder, target, step)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        private.restrict_access_to_library(target)
        if key := key_file.held(folder):
            key_file.hold(target, key)
        copied()
        return _remove(folder, target)


def _entries(folder: Path) -> tuple[list[Path], list[Path]]:
    """The folders and files of a library, also those behind links, which may lead to another disk.

    Raises:
        UserError: a link leads nowhere, or to a folder around it.
    """
    folders, files = [], []
    for place, _, names in os.walk(folder, followlinks=True, onerror=_raise):
        inside = Path(place)
        if any(parent.samefile(inside) for parent in inside.parents if parent.is_relative_to(folder)):
            raise _bad_link(inside)
        folders.append(inside)
        files += [inside / name for name in names if name not in _LEFT_OUT]
    for path in files:
        if not path.exists():
            raise _bad_link(path)
    return sorted(folders), sorted(path for path in files if path.is_file())


def _raise(error: OSError) -> None:
    raise error


def _bad_link(path: Path) -> UserError:
    return UserError(
        "{path} is a link to something that is not there, or that cannot be moved.",
        "Connect its disk, or remove the link; nothing was moved.",
        path,
    )


def _copy_all(
    folders: list[Path], files: list[Path], folder: Path, target: Path, step: Callable[[int, int], None]
) -> None:
    filecmp.clear_cache()
    sizes = [path.stat().st_size for path in files]
    done, total = 0, sum(sizes)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    free = shutil.disk_usage(target).free
    if free < total:
        raise UserError(
            "There is no room for the library in {target}: it needs {needed:.2f} GB, and {free:.2f} GB are free.",
            "Free some space, or choose another disk.",
            target,
            total / 1000000000.0,
            free / 1000000000.0,
        )
    for place in folders:
        (target / place.relative_to(folder)).mkdir(mode=0o700, exist_ok=True)
    for path, size in zip(files, sizes, strict=True):
        step(done, total)
        copied = target / path.relative_to(folder)
        shutil.copy2(path, copied)
        with copied.open("rb") as written:
            os.fsync(written.fileno())
        if not filecmp.cmp(path, copied, shallow=False):
            raise UserError(
                "The copy of {name} differs from the original.", "Check the disk; nothing was moved.", path.name
            )
        done += size
    step(total, total)


def _remove(folder: Path, target: Path) -> list[Path]:
    """Remove the old files, the database first: what is left is no library, and says where it is now."""
    left: list[Path] = []
    try:
        (folder / MOVED).write_text(str(target), encoding="utf-8")
        for suffix in ("", "-wal", "-shm"):
            (folder / f"{database.FILE_NAME}{suffix}").unlink(missing_ok=True)
    except OSError:
        return [path for path in folder.rglob("*") if path.is_file()]
    shutil.rmtree(folder, onerror=lambda _function, path, _error: left.append(Path(path)))
    return left


def moved_to(folder: Path) -> str:
    """Where the library of a folder was moved; empty where it was not."""
    try:
        return (folder / MOVED).read_text(encoding="utf-8")
    except OSError:
        return ""


def find_moved_images(store: Store) -> None:
    """Correct the paths of images that lie in the library's own folder, which may have been moved since."""
    column = tables.studies.c
    with store.reading(Text("the list of studies")) as connection:
        rows = connection.execute(select(column.study_id, column.path)).all()
    paths = {str(study_id): Path(str(path)) for study_id, path in rows}
    moved = {
        study_id: place
        for study_id, path in paths.items()
        if path.parts[-3:] == ("studies", study_id, IMAGES)
        and path != (place := store.folder / "studies" / study_id / IMAGES)
        and place.is_dir()
    }
    if moved and not store.read_only:
        with store.writing(Text("the studies")) as connection:
            for study_id, place in moved.items():
                study_rows.change(connection, study_id, {"path": place}, store.reader)
