"""Frames of a study for others' eyes: black outside the field of view, where clock and patient's name stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training import video
from training.errors import UserError
from training.files.closing import Closing
from wce_desktop.core.language import to_translate
from wce_desktop.core.study import Study
from wce_desktop.library.studies import INDEX_NAME

JPEG_QUALITY = 95
CACHE_BYTES = 64 * 1024**2
WRITTEN_WHOLE = to_translate(
    "{study}: no round or octagonal field of view was found, so its frames are written whole. Check that no name "
    "stands in them."
)


class MaskedSource(Closing):
    """The frames of an open recording; a context manager that closes it, for one thread."""

    def __init__(self, source: video.FrameSource, view: video.FieldOfView | None = None) -> None:
        """`view` is the field of view where it is known.

        Raises:
            UserError: the recording cannot be read.
        """
        self._source = source
        try:
            self.view = view or video.study_field_of_view(source)
        except BaseException:
            source.close()
            raise

    def close(self) -> None:
        """Close the recording."""
        self._source.close()

    @property
    def is_whole(self) -> bool:
        """Whether no field of view was found, so that nothing is masked."""
        return self.view.kind == "full"

    def whole(self, frame_index: int) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 RGB as it is in the file.

        Raises:
            video.FrameMissing: the frame cannot be decoded.
        """
        return self._source.read(frame_index)

    def masked(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A frame (H, W, 3), black outside the field of view."""
        inside = self.view.mask(*frame.shape[:2])[:, :, None]
        return np.where(inside, frame, np.uint8(0))


class StudyPictures(MaskedSource):
    """A study opened for export."""

    def __init__(self, study: Study, folder: Path) -> None:
        """Open the recording, with the index that its folder in the library keeps where that is its own.

        Raises:
            UserError: the recording is away or cannot be read.
        """
        index = kept_index(folder)
        if index is not None and not video.has_fingerprint(study.path, index.fingerprint):
            index = None  # of the file as it was
        super().__init__(
            video.open_source(study.path, index=index, numbering=study.frame_numbering, cache_bytes=CACHE_BYTES)
        )
        self.width, self.height = self._source.width_px, self._source.height_px
        """Of the frames, in px."""
        self.seconds: NDArray[np.float64] = self._source.index.video_seconds
        """(N,) time of each frame."""

    def __len__(self) -> int:
        return len(self._source)

    @property
    def is_video(self) -> bool:
        """Whether the frames come from a video, which has lost details, rather than from pictures."""
        return self._source.index.kind == "video"

    def pictures(self, frames: Iterable[int]) -> Iterator[tuple[int, NDArray[np.uint8] | None]]:
        """Frames, ascending, as (H, W, 3) uint8 RGB, black outside the field of view; None: not readable."""
        for frame in frames:
            try:
                yield frame, self.masked(self.whole(frame))
            except video.FrameMissing:
                yield frame, None


def encoded(picture: NDArray[np.uint8], suffix: str, quality: int = JPEG_QUALITY) -> bytes:
    """A picture (H, W, 3) RGB as the content of a PNG or JPEG file without metadata."""
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, quality] if suffix == ".jpg" else []
    is_fine, data = cv2.imencode(suffix, np.ascontiguousarray(picture[:, :, ::-1]), options)
    if not is_fine:
        raise ValueError(f"a picture of shape {picture.shape} cannot be written as {suffix}")
    return data.tobytes()


def kept_index(folder: Path) -> video.FrameIndex | None:
    """The index in a study's folder of the library; None: not made yet, of an older version, or damaged."""
    with suppress(UserError, OSError):
        return video.FrameIndex.load(folder / INDEX_NAME)
    return None
