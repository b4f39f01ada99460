"""Where the images of a data set go: one folder for each recording, in which their natural order is that of time."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from training.datasets.public.layout import PublishedImage
from training.errors import UserError
from training.video.formats import natural_key
from training.video.image_header import image_size

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """An image with its study, its name in the study's folder, and its size."""

    image: PublishedImage
    study_id: str
    patient_id: str
    """Empty where the patient is unknown."""
    filename: str
    height_px: int
    width_px: int


def place_images(folder: Path, images: Iterable[PublishedImage], set_name: str) -> tuple[list[PlacedImage], list[str]]:
    """Give every image a study and a name there.

    Images of a set that names no recordings become one study for each size of image, so that a study has one field of
    view (ours). Names that occur twice in a study get their folders in front.

    Returns:
        Images, by study and in the order in which the program counts frames; paths of those that are no whole picture.

    Raises:
        UserError: two images come out under one name all the same.
    """
    studies: dict[str, list[tuple[PublishedImage, tuple[int, int]]]] = defaultdict(list)
    broken = []
    for image in images:
        size = image_size(folder / image.path)
        if size is None:
            broken.append(image.path)
            continue
        studies[safe_id(image.study) if image.study else f"{set_name}-{size[1]}x{size[0]}"].append((image, size))
    return [placed for study_id, members in studies.items() for placed in _study(study_id, members)], broken


def safe_id(text: str) -> str:
    """A study's or patient's name that is fit for a folder on any system: 1 to 64 of A-Z a-z 0-9 . _ -."""
    return _UNSAFE.sub("-", text).strip("-._")[:_LONGEST].rstrip(".-_") or "unnamed"


def _study(study_id: str, members: list[tuple[PublishedImage, tuple[int, int]]]) -> list[PlacedImage]:
    names = _names([image.path for image, _ in members])
    placed = [
        PlacedImage(image, study_id, safe_id(image.patient or image.study) if image.study else "", name, *size)
        for (image, size), name in zip(members, names, strict=True)
    ]
    return sorted(placed, key=lambda one: natural_key(one.filename))


def _names(paths: list[str]) -> list[str]:
    """The file's own name; with its folders in front where another image of the study has the same."""
    plain = [path.rsplit("/", 1)[-1] for path in paths]
    if len({name.lower() for name in plain}) < len(plain):
        plain = [path.replace("/", "-") for path in paths]
    taken: dict[str, str] = {}
    for name, path in zip(plain, paths, strict=True):
        # Some systems know no difference between small and capital letters.
        other = taken.setdefault(name.lower(), path)
        if other != path:
            raise UserError(f"{other} and {path} would both be called {name}.", "Rename one of the two.")
    return plain
