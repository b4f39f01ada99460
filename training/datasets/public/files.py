"""The image files below a folder, by their paths and by their names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from training.errors import UserError
from training.video.formats import IMAGE_SUFFIXES, natural_key


def image_paths(folder: Path) -> list[str]:
    """Paths of all images below a folder, relative to it, with forward slashes, in natural order.

    Hidden files and what macOS leaves in archives are no images. Raises `UserError` where there is no such folder.
    """
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", "Give the folder that holds the unpacked data set.")
    return sorted(_walk(folder), key=natural_key)


def files_by_name(folder: Path) -> dict[str, str]:
    """File name -> path below the folder, for sets that keep one image in the folder of each of its classes.

    Raises:
        UserError: two files of one name that are not the same picture.
    """
    found: dict[str, str] = {}
    for path in image_paths(folder):
        name = path.rsplit("/", 1)[-1]
        if name in found and not _same(folder / found[name], folder / path):
            raise UserError(
                f"{folder / found[name]} and {folder / path} have the same name and are different images.",
                "The data set identifies images by their names. Download the folder again.",
            )
        found.setdefault(name, path)
    return found


def left_out_notes(paths: Sequence[str], where: str) -> list[str]:
    """The sentence on images that are not read, with their count and the first; none where there are none.

    Args:
        paths: of the images.
        where: they are, after "images", such as "lie in other folders".
    """
    return [f"{len(paths):,} images {where} and are left out, such as {paths[0]}."] if paths else []


def _walk(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__MACOSX"]
        below = Path(place).relative_to(folder)
        for name in names:
            is_image = not name.startswith(".") and Path(name).suffix.lower() in IMAGE_SUFFIXES
            if is_image and Path(place, name).is_file():
                yield (below / name).as_posix()


def _same(one: Path, other: Path) -> bool:
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()
