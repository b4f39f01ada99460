"""A video in which some frames show the picture before them once more, because the recorder dropped theirs."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np

from training.video.frame_index import FrameIndex
from training.video.source import FrameSource, Picture
from training.video.video_source import VideoSource


class RepeatedFrames(FrameSource):
    """The frames of an index with `repeated`, read from the source of its pictures."""

    def __init__(self, pictures: VideoSource, index: FrameIndex) -> None:
        super().__init__(pictures.path, index, pictures.width_px, pictures.height_px)
        self._pictures = pictures

    def close(self) -> None:
        """Let go of file and decoder; the source cannot be read afterwards."""
        self._pictures.close()

    @property
    def missing(self) -> list[int]:
        """See `FrameSource.missing`."""
        return np.flatnonzero(np.isin(self.index.pictures, self._pictures.missing)).tolist()

    def _read_or_none(self, frame_index: int) -> Picture | None:
        return self._pictures._read_or_none(int(self.index.pictures[frame_index]))

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        frames = range(start, stop, step)
        if not frames:
            return
        numbers = self.index.pictures[np.asarray(frames)].tolist()
        pictures: Any = self._pictures.iterate(numbers[0], numbers[-1] + 1)  # a generator
        with closing(pictures):
            number, picture = next(pictures)
            for frame_index, wanted in zip(frames, numbers, strict=True):
                while number < wanted:
                    number, picture = next(pictures)
                yield frame_index, None if picture is None else picture.copy()
