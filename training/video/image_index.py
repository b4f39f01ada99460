"""The frame index of a folder of images."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from training.errors import UserError
from training.runs.reporter import Reporter
from training.video.dicom.series import single_picture_size
from training.video.fingerprints import fingerprint
from training.video.folders import list_study
from training.video.formats import may_be_dicom
from training.video.frame_index import IMAGES_PER_SECOND, FrameIndex
from training.video.image_header import image_size

_NAMED = 5
_IMAGES_BETWEEN_REPORTS = 256


def build_image_index(folder: Path, reporter: Reporter, numbering: int) -> FrameIndex:
    """Index the images directly inside `folder` in order, from their headers alone; see `folders.list_folder`.

    Raises:
        UserError: the folder cannot be read, holds no image, or none that is whole.
        Cancelled: the reporter asked to end.
    """
    listing = list_study(folder, numbering)
    names = listing.names
    sizes: list[tuple[int, int] | None] = []
    for done, name in enumerate(names):
        if done % _IMAGES_BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(names), "frames", f"indexing {folder.name}")
        sizes.append(_size(folder / name))
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
        notes=(*_notes(names, sizes, missing), *listing.notes),
        kind="images",
        files=tuple(names),
        fingerprint=fingerprint(folder, numbering),
        numbering=numbering,
    )


def _size(path: Path) -> tuple[int, int] | None:
    return single_picture_size(path) if may_be_dicom(path.name) else image_size(path)


def _notes(names: Sequence[str], sizes: list[tuple[int, int] | None], missing: list[int]) -> tuple[str, ...]:
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
