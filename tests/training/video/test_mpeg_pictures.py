"""The order of MPEG frames stands in the kinds of their pictures, not in times that may be another frame's."""

from pathlib import Path

import numpy as np
import pytest

from tests.videos import number_of, write_video
from training.video import build_index, open_source
from training.video.mpeg_pictures import rank_by_picture


def slow_rank(kinds: str, lost: set[int]) -> list[int]:
    """A decoder that holds one picture back; what is lost lets it go."""
    shown: list[int] = []
    held: list[int] = []
    for row, kind in enumerate(kinds):
        if kind != "B" or row in lost:
            shown, held = shown + held, []
        (shown if kind == "B" else held).append(row)
    order = shown + held
    return [order.index(row) for row in range(len(kinds))]


@pytest.mark.parametrize("kinds", ["", "I", "IPBBPBB", "IBBPBBIBBP", "BBIBB", "PPP", "IPBIBBB"])
@pytest.mark.parametrize("lost", [set(), {2}, {1, 4}])
def test_the_order_is_a_decoders(kinds: str, lost: set[int]) -> None:
    is_b = np.array([kind == "B" for kind in kinds], bool)
    is_lost = np.array([row in lost for row in range(len(kinds))], bool)
    assert rank_by_picture(is_b, is_lost).tolist() == slow_rank(kinds, lost)


def test_frames_that_lead_a_group_come_before_its_key_frame() -> None:
    is_b = np.array([False, False, True, True, False, True])
    assert rank_by_picture(is_b, is_b & False).tolist() == [0, 3, 1, 2, 5, 4]


@pytest.mark.parametrize("codec", ["mpeg1video", "mpeg2video"])
@pytest.mark.parametrize("suffix", [".mpg", ".ts"])
def test_a_program_stream_is_read_in_order_whatever_its_times_say(codec: str, suffix: str, tmp_path: Path) -> None:
    # At this size a key frame gets the time of a frame before it, in the program stream of ffmpeg's own muxer.
    path = write_video(tmp_path / f"a{suffix}", 96, codec=codec, noise=12, b_frames=2, height=128, width=128)
    index = build_index(path)
    with open_source(path, index=index) as source:
        assert [number_of(source.read(i)) for i in (70, 72, 71, 0, 95)] == [70, 72, 71, 0, 95]
        assert [-1 if frame is None else number_of(frame) for _, frame in source.iterate()] == list(range(96))
    assert (np.diff(index.video_seconds) >= 0).all()
    assert np.abs(index.video_seconds - np.arange(96) / 25).max() < 0.081


def test_the_container_errs_where_the_test_says_so(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mpg", 96, noise=12, b_frames=2, height=128, width=128)
    packets = build_index(path).packets
    assert packets is not None
    assert (np.argsort(packets.pts, kind="stable") != packets.order).any()
