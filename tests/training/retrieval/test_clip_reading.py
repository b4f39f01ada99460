"""Clips as pixels: which frames a clip has, frames that do not decode, and studies shorter than a clip."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.videos import number_of, write_video
from training.retrieval.clips import clip_bounds, read_clips
from training.video import FieldOfView, open_source

WHOLE = FieldOfView("full", 64, 64)


class Counted:
    """A study of numbered frames, some of which do not decode; counts what was decoded."""

    def __init__(self, frames: int, missing: tuple[int, ...] = ()) -> None:
        self.frames, self.missing, self.decoded = frames, missing, 0

    def __len__(self) -> int:
        return self.frames

    def iterate(self, start: int, stop: int) -> Iterator[tuple[int, NDArray[np.uint8] | None]]:
        for index in range(start, stop):
            self.decoded += 1
            yield index, None if index in self.missing else np.full((64, 64, 3), index, np.uint8)


def read(source: Any, starts: list[int], stops: list[int], length: int) -> list[list[int] | None]:
    """The frames of each clip, by their grey."""
    bounds = np.array(starts, np.int64), np.array(stops, np.int64)
    clips = read_clips(source, WHOLE, *bounds, length=length, size=64)
    return [None if clip is None else clip[:, 0, 0, 0].tolist() for clip in clips]


def test_the_frames_of_a_video_are_those_of_its_clips(tmp_path: Path) -> None:
    path = tmp_path / "study.mp4"
    write_video(path, frames=21)
    starts, stops = clip_bounds(21, 8, 5)
    with open_source(path) as source:
        clips = list(read_clips(source, WHOLE, starts, stops, length=8, size=64))
    found = [[number_of(frame) for frame in clip] for clip in clips if clip is not None]
    assert found == [list(range(start, start + 8)) for start in (0, 5, 10, 13)]


def test_each_frame_is_decoded_once() -> None:
    source = Counted(40)
    starts, stops = clip_bounds(40, 8, 2)
    assert len(read(source, starts.tolist(), stops.tolist(), 8)) == 17
    assert source.decoded == 40


def test_clips_may_leave_gaps_and_stand_twice() -> None:
    assert read(Counted(30), [2, 2, 20], [5, 5, 23], 3) == [[2, 3, 4], [2, 3, 4], [20, 21, 22]]
    assert read(Counted(30), [], [], 3) == []


def test_a_study_shorter_than_a_clip_repeats_its_last_frame() -> None:
    starts, stops = clip_bounds(3, 8, 4)
    assert read(Counted(3), starts.tolist(), stops.tolist(), 8) == [[0, 1, 2, 2, 2, 2, 2, 2]]


def test_frames_that_do_not_decode_are_replaced_inside_the_clip() -> None:
    source = Counted(12, missing=(0, 1, 5, 8, 9, 10, 11))
    assert read(source, [0, 4, 8], [4, 8, 12], 4) == [[2, 2, 2, 3], [4, 4, 6, 7], None]
