"""The same sources as ffmpeg gives them in one stream, and as OpenCV reads them by number."""

from dataclasses import dataclass
from pathlib import Path

import av
import cv2
import numpy as np

from tests.corpus.pictures import number_in


@dataclass
class Reads:
    """How many reads there were, how many gave another frame, how many gave nothing that carries a number."""

    reads: int = 0
    wrong: int = 0
    none: int = 0

    def add(self, number: int, expected: int) -> None:
        """Count one read; `number` is -1 where there was no number."""
        self.reads += 1
        self.wrong += number not in (-1, expected)
        self.none += number == -1


def ffmpeg_order(path: Path) -> list[int]:
    """The numbers of a whole file's frames in the order in which ffmpeg gives them out."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_type = "NONE"
        frames = [
            (frame.pts, number_in(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)))
            for frame in container.decode(stream)
        ]
    return [number for _, number in frames]


def opencv_reads(path: Path, first: int, order: list[int]) -> Reads:
    """Read in one stream and then in `order` by set and read; frame 0 should carry the number `first`."""
    reads = Reads()
    if path.is_dir():
        return reads
    capture = cv2.VideoCapture(str(path))
    place = 0
    while True:
        good, picture = capture.read()
        if not good:
            break
        reads.add(number_in(np.asarray(picture, np.uint8)), first + place)
        place += 1
    for frame_index in order:
        capture.set(cv2.CAP_PROP_POS_FRAMES, frame_index)
        good, picture = capture.read()
        reads.add(number_in(np.asarray(picture, np.uint8)) if good else -1, first + frame_index)
    capture.release()
    return reads
