"""A recorder that reserved room in advance and lost its power leaves zeros after the recording."""

import os
from pathlib import Path

import av
import numpy as np
import pytest

from tests.videos import number_of, write_video
from training.errors import UserError
from training.video import build_index, open_source

FRAMES = 30
GIB = 1 << 30


@pytest.mark.parametrize(
    ("suffix", "zeros"), [(".ts", GIB), *((suffix, GIB // 16) for suffix in (".mpg", ".avi", ".mkv", ".mp4", ".mov"))]
)
def test_zeros_change_nothing(suffix: str, zeros: int, tmp_path: Path) -> None:
    codec = "mpeg2video" if suffix == ".mpg" else "mpeg4" if suffix == ".avi" else "libx264"
    video = write_video(tmp_path / f"study{suffix}", FRAMES, codec=codec)
    whole = build_index(video)
    os.truncate(video, video.stat().st_size + zeros)
    index = build_index(video)
    assert len(index) == FRAMES
    assert not len(index.missing)
    np.testing.assert_array_equal(index.video_seconds, whole.video_seconds)
    with open_source(video) as source:
        assert [number_of(source.read(frame)) for frame in (FRAMES - 1, 0, 17)] == [FRAMES - 1, 0, 17]


def test_nothing_but_zeros_is_refused(tmp_path: Path) -> None:
    video = tmp_path / "study.ts"
    video.touch()
    os.truncate(video, GIB // 16)
    with pytest.raises(UserError, match="not a video"):
        build_index(video)


def test_black_frames_without_compression_are_no_zeros_at_the_end(tmp_path: Path) -> None:
    video = tmp_path / "study.mov"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("rawvideo", rate=25)
        stream.width, stream.height, stream.pix_fmt = 640, 480, "rgb24"
        for _ in range(12):
            frame = av.VideoFrame.from_ndarray(np.zeros((480, 640, 3), np.uint8), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with open_source(video) as source:
        assert len(source) == 12
        assert not source.read(11).any()
