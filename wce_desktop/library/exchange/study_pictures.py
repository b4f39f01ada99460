"""Frames of a study as picture files, black outside the field of view, where clock and patient's name stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.video import FrameIndex, FrameMissing, FrameSource, has_fingerprint, open_source, study_field_of_view
from wce_desktop.core.study import Study

JPEG_QUALITY = 95
CACHE_BYTES = 64 * 1024**2


class StudyPictures:
    """A study opened for export; a context manager, for one thread."""

    def __init__(self, study: Study, index_path: Path) -> None:
        """Open the recording, with its kept index where that is its own.

        Raises:
            UserError: the recording is away or cannot be read.
        """
        self._source: FrameSource = open_source(
            study.path,
            index=_index(study, index_path),
            numbering=study.frame_numbering,
            cache_bytes=CACHE_BYTES,
        )
        try:
            self._view = study_field_of_view(self._source)
        except BaseException:
            self._source.close()
            raise
        self.width, self.height = self._source.width_px, self._source.height_px
        """Of the frames, in px."""
        self.seconds: NDArray[np.float64] = self._source.index.video_seconds
        """(N,) time of each frame."""

    def __enter__(self) -> StudyPictures:
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()

    def __len__(self) -> int:
        return len(self._source)

    @property
    def is_whole(self) -> bool:
        """Whether no field of view was found, so that frames are written as they are."""
        return self._view.kind == "full"

    @property
    def is_video(self) -> bool:
        """Whether the frames come from a video, which has lost details, rather than from pictures."""
        return self._source.index.kind == "video"

    def masked(self, frames: Iterable[int]) -> Iterator[tuple[int, NDArray[np.uint8] | None]]:
        """Frames, ascending, as (H, W, 3) uint8 RGB, black outside the field of view; None: not readable."""
        inside = self._view.mask(self.height, self.width)[:, :, None]
        for frame in frames:
            try:
                yield frame, np.where(inside, self._source.read(frame), np.uint8(0))
            except FrameMissing:
                yield frame, None


def encoded(picture: NDArray[np.uint8], suffix: str) -> bytes:
    """A picture (H, W, 3) RGB as the content of a PNG or JPEG file."""
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY] if suffix == ".jpg" else []
    is_fine, data = cv2.imencode(suffix, np.ascontiguousarray(picture[:, :, ::-1]), options)
    if not is_fine:
        raise ValueError(f"a picture of shape {picture.shape} cannot be written as {suffix}")
    content: Any = data
    return bytes(content.tobytes())


def _index(study: Study, path: Path) -> FrameIndex | None:
    """The kept index of the study's file as it is now; None makes a new one."""
    try:
        index = FrameIndex.load(path)
        return index if has_fingerprint(study.path, index.fingerprint) else None
    except (UserError, OSError):
        return None
