"""The frame index of a folder of images."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np

from training.errors import UserError
from training.runs.reporter import Reporter
from training.video.fingerprints import fingerprint
from training.video.formats import study_images
from training.video.frame_index import FrameIndex
from training.video.image_header import image_size

IMAGES_PER_SECOND = 2
"""The rate that a folder is taken to have, since images carry no clock: what capsules commonly record at."""

_NAMED = 5
_IMAGES_BETWEEN_REPORTS = 256


def build_image_index(folder: Path, reporter: Reporter) -> FrameIndex:
    """Index the images directly inside `folder` in natural order, from their headers alone.

    Raises:
        UserError: the folder cannot be read, holds no image, or none that is whole.
        Cancelled: the reporter asked to end.
    """
    names = study_images(folder)
    sizes: list[tuple[int, int] | None] = []
    for done, name in enumerate(names):
        if done % _IMAGES_BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(names), "frames", f"indexing {folder.name}")
        sizes.append(image_size(folder / name))
    missing = [place for place, size in enumerate(sizes) if size is None]
    if len(missing) == len(names):
        raise UserError(
            f"None of the {len(names):,} images in {folder.name} can be read.", "Copy or export them again."
        )
    numbers = np.arange(len(names), dtype=np.int64)
    return FrameIndex(
        video_seconds=numbers / IMAGES_PER_SECOND,
        pts=numbers,
        is_key=np.ones(len(names), bool),
        time_base=Fraction(1, IMAGES_PER_SECOND),
        missing=np.array(missing, np.int64),
        notes=_notes(names, sizes, missing),
        kind="images",
        files=tuple(names),
        fingerprint=fingerprint(folder),
    )


def _notes(names: list[str], sizes: list[tuple[int, int] | None], missing: list[int]) -> tuple[str, ...]:
    notes = [f"Images have no time stamps; times are counted at {IMAGES_PER_SECOND} frames per second."]
    counts = Counter(size for size in sizes if size is not None)
    if len(counts) > 1:
        first = next(size for size in sizes if size is not None)
        others = counts.total() - counts[first]
        notes.append(
            f"The images have {len(counts)} sizes; {others:,} of them are scaled to the size of the first ({first[1]} "
            f"x {first[0]} px), with black borders where the shape differs."
        )
    if missing:
        named = ", ".join(names[place] for place in missing[:_NAMED])
        more = f" and {len(missing) - _NAMED:,} more" if len(missing) > _NAMED else ""
        notes.append(f"{len(missing):,} images cannot be read: {named}{more}.")
    return tuple(notes)
