"""The videos of a set as studies: labelled images are located in the videos by comparing pictures.

Kvasir-Capsule numbers the frames of its recordings and does not say from where; no real video was at hand. So nothing
is assumed: an image's number is a frame's index as it stands, or one less, or one more, whichever shows the same
pictures.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.datasets.manifest import StudyEntry
from training.datasets.public.layout import PublishedVideo
from training.datasets.public.studies import ExportedStudy, PlacedImage, safe_id
from training.runs.reporter import Reporter

if TYPE_CHECKING:
    from training.video import FrameSource

OFFSETS = (0, -1, 1)
COMPARED = 8
"""Images of a recording that are looked up in its video."""
SIDE_PX = 32
"""Pictures are compared at this size, where compression hardly shows."""
MOST_APART = 12.0
"""Mean difference of grey levels, of 255, up to which two pictures are one (ours)."""
CLEARLY = 1.5
"""The next offset must fit so many times worse: capsules repeat frames when they do not move (ours)."""


def video_studies(
    folder: Path, videos: Sequence[PublishedVideo], images: Sequence[ExportedStudy], reporter: Reporter
) -> tuple[list[ExportedStudy], list[str]]:
    """Studies for a manifest with videos, and sentences about them.

    A recording whose labelled images were found in its video is that video, with their labels; its folder of images
    is no study then. Other videos come without labels.
    """
    by_id = {study.entry.study_id: study for study in images}
    result, unclear = [], 0
    for video in videos:
        reporter.check()
        patient = safe_id(video.study)
        frames = by_id[patient].frames if patient in by_id else {}
        offset = _offset(folder, folder / video.path, list(frames.values())) if frames else None
        unclear += bool(frames) and offset is None
        numbered = [frame for frame in frames.values() if frame.image.frame_number is not None]
        labelled = {} if offset is None else {_number(one) + offset: one for one in numbered}
        if labelled:
            del by_id[patient]
        entry = StudyEntry(study_id=safe_id(f"{patient[:58]}-video"), patient_id=patient, path=folder / video.path)
        result.append(ExportedStudy(entry, labelled))
    notes = [
        f"{len(result)} videos were exported as studies, {sum(bool(one.frames) for one in result)} of them with labels."
    ]
    if unclear:
        notes.append(
            f"In {unclear} videos the labelled images could not be located reliably. These videos have no labels, and "
            "their images remain separate studies."
        )
    return [*by_id.values(), *result], notes


def _offset(folder: Path, video: Path, images: list[PlacedImage]) -> int | None:
    """What to add to a frame number for its index in the video; None where no offset clearly fits."""
    from training.video import open_source

    numbered = sorted((one for one in images if one.image.frame_number is not None), key=_number)
    chosen = [numbered[place] for place in np.unique(np.linspace(0, len(numbered) - 1, COMPARED).astype(int)).tolist()]
    with closing(open_source(video)) as source:
        apart = np.array([_apart(source, one, folder) for one in chosen])
        room = len(source) - 1 - _number(numbered[-1])
    mean = apart.mean(axis=0)
    best, second = np.argsort(mean)[:2].tolist()
    is_clear = mean[best] <= MOST_APART and mean[second] >= CLEARLY * mean[best] + 1 and room >= OFFSETS[best]
    return OFFSETS[best] if is_clear else None


def _number(one: PlacedImage) -> int:
    return one.image.frame_number or 0


def _apart(source: "FrameSource", one: PlacedImage, folder: Path) -> list[float]:
    """For each offset: how far the image is from the video's frame, in grey levels; 255 where there is no frame."""
    from training.video.image_reader import read_image

    picture = read_image(folder / one.image.path)
    if picture is None:
        return [255.0] * len(OFFSETS)
    wanted = _small(picture)
    result = [_frame(source, _number(one) + offset) for offset in OFFSETS]
    return [255.0 if frame is None else float(np.abs(_small(frame) - wanted).mean()) for frame in result]


def _frame(source: "FrameSource", index: int) -> NDArray[np.uint8] | None:
    from training.video import FrameMissing

    try:
        return source.read(index) if 0 <= index < len(source) else None
    except FrameMissing:
        return None


def _small(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    import cv2

    small = cv2.resize(np.ascontiguousarray(picture), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)
