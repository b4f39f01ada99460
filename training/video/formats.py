"""Which paths are studies, and in which order the images of a folder come."""

import os
import re
from pathlib import Path

from training.errors import UserError
from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.dicom.elements import is_dicom

VIDEO_SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".m2ts"})
IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff"})

DICOM_DIRECTORY = "DICOMDIR"
"""The table of contents of a medium; DICOM too, yet no study."""


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


def study_images(folder: Path) -> list[str]:
    """Names of the images of a study, in natural order, at least one.

    Raises:
        UserError: the folder cannot be read, or holds no image.
    """
    try:
        names = image_names(folder)
    except OSError as error:
        raise UserError(
            f"The folder {folder.name} cannot be read: {error.strerror}.", "Check its permissions."
        ) from error
    if not names and (pictures := sum(is_dicom(path) for path in sorted(folder.iterdir()) if path.is_file())):
        raise UserError(
            f"The folder {folder.name} holds DICOM files ({pictures:,}), which are opened one by one.",
            "Open a file that holds a video or several frames. A series of single pictures: export it as one "
            "multi-frame file, or as a folder of png or jpg files.",
        )
    if not names:
        raise UserError(
            f"The folder {folder.name} holds no images.", "Choose a folder with jpg, png, bmp or tif files."
        )
    return names


def _is_image_file(entry: os.DirEntry[str]) -> bool:
    return Path(entry.name).suffix.lower() in IMAGE_SUFFIXES and entry.is_file()


def is_folder(path: Path) -> bool:
    """True for a folder; a name that the system cannot take (too long, say) is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_study(path: Path) -> bool:
    """True for a video or DICOM file (by its suffix) and for a folder that directly holds at least one image.

    DICOM files from an archive often have no suffix, or a part of a UID in its place; their content tells.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return bool(image_names(path))
        suffix = path.suffix.lower()
        if not suffix[1:].isdigit() and suffix:
            return path.is_file() and suffix in VIDEO_SUFFIXES | DICOM_SUFFIXES
        return path.name.upper() != DICOM_DIRECTORY and is_dicom(path)
    except OSError:
        return False
