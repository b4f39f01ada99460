"""Groups of images as studies: a folder for each, so that commands which read studies can read them."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.datasets.manifest import StudyEntry


def write_image_folders(groups: Mapping[str, Sequence[Path]], folder: Path) -> tuple[StudyEntry, ...]:
    """A folder for each group with its images, linked where the system allows it, else copied.

    Args:
        groups: group -> image files; their order gives the frame indices.
        folder: where the folders are made; files that are there already are kept.

    Returns:
        A study of stills for each group; the group is its patient.
    """
    made: list[StudyEntry] = []
    for group, files in groups.items():
        place = folder / f"{len(made):05}"
        place.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(files):
            _put(file.resolve(), place / f"{number:06}{file.suffix.lower()}")
        made.append(StudyEntry(study_id=f"images of {group}", patient_id=group, path=place.resolve(), kind="stills"))
    return tuple(made)


def _put(file: Path, place: Path) -> None:
    if place.exists():
        return
    try:
        place.symlink_to(file)
    except OSError:  # Windows asks for a right that few have
        shutil.copyfile(file, place)
