"""Which paths are studies, and in which order the images of a folder come."""

import os
import re
from pathlib import Path

VIDEO_SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".m2ts"})
IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff"})


def natural_key(name: str) -> tuple[object, ...]:
    """A sort key under which `frame2` comes before `frame10`; ties fall back to the plain name."""
    # Odd places of the split hold the numbers, so that texts and numbers never meet in a comparison.
    parts = re.split(r"([0-9]+)", name.casefold())
    return (*(int(part) if place % 2 else part for place, part in enumerate(parts)), name)


def image_names(folder: Path) -> list[str]:
    """Names of the images directly inside `folder`, in natural order; hidden files are left out.

    Raises:
        OSError: the folder cannot be read.
    """
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".") and _is_image_file(entry)]
    return sorted(names, key=natural_key)


def _is_image_file(entry: os.DirEntry[str]) -> bool:
    return Path(entry.name).suffix.lower() in IMAGE_SUFFIXES and entry.is_file()


def is_study(path: Path) -> bool:
    """True for a video file, told by its suffix, and for a folder that directly holds at least one image."""
    path = Path(path)
    if path.is_dir():
        try:
            return bool(image_names(path))
        except OSError:
            return False
    return path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES
