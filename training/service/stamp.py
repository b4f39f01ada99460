"""Telling cheaply whether a file is still what it was."""

from pathlib import Path
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int] | None


def stamp_of(path: Path) -> Stamp:
    """(time of the last change in ns, size in bytes); None where there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
