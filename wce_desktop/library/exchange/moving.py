"""Moves the content of an export to its folder; what a process that was killed meanwhile has moved is known by a list.

The list stands beside the files until all of them are in place. It names each by its path, size and number on the disk,
so that the next export deletes these files and no others.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.outputs import written_beside

LIST = ".wce_desktop-export.json"
MAX_BYTES = 1 << 30
"""Of a list: a million pictures need 100 MB."""


def move_content(place: Path, folder: Path) -> None:
    """Move all that lies in a folder to another one on the same disk, which has nothing of these names.

    Raises:
        OSError: as renaming does.
    """
    files = {str(path.relative_to(place)): _identity(path) for path in place.rglob("*") if path.is_file()}
    with written_beside(folder / LIST, sync=True) as beside:
        beside.write_text(json.dumps(files), encoding="utf-8")
    try:
        for path in sorted(place.iterdir()):
            path.rename(folder / path.name)
        place.rmdir()
        (folder / LIST).unlink()
    except BaseException:
        remove_moved(folder)
        raise


def remove_moved(folder: Path) -> None:
    """Delete what a process has moved here that was killed before all was in place; other files stay."""
    path = folder / LIST
    if not path.is_file():
        return
    try:
        files: dict[str, Any] = read_json_object(path, "list of an export", max_bytes=MAX_BYTES)
    except UserError:
        return
    for name, identity in files.items():
        file = folder / name
        with suppress(OSError, ValueError):
            if file.resolve().is_relative_to(folder.resolve()) and _identity(file) == identity:
                file.unlink()
    places = {folder / parent for name in files for parent in Path(name).parents if parent.parts}
    for place in sorted(places, key=lambda one: -len(one.parts)):
        with suppress(OSError):  # other files lie in it
            place.rmdir()
    path.unlink()


def _identity(path: Path) -> list[int]:
    result = os.lstat(path)
    return [result.st_dev, result.st_ino, result.st_size]
