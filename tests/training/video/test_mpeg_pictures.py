"""The order of MPEG frames stands in the kinds of their pictures, not in times that may be another frame's."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.videos import number_of, write_video
from training.video import build_index, open_source
from training.video.mpeg_pictures import mended_pts


def kinds_of(kinds: str) -> NDArray[np.bool_]:
    return np.array([kind == "B" for kind in kinds], bool)


def none_lost(kinds: str) -> NDArray[np.bool_]:
    return np.zeros(len(kinds), bool)


def decoded(kinds: str) -> list[int]:
    """Rows in the order of a decoder, which holds one picture back."""
    shown: list[int] = []
    held: list[int] = []
    for row, kind in enumerate(kinds):
        if kind == "B":
            shown.append(row)
        else:
            shown, held = shown + held, [row]
    return shown + held


@given(st.text("IPB", max_size=30), st.data())
def test_no_picture_is_shown_before_those_that_lead_it(kinds: str, data: st.DataObject) -> None:
    order = decoded(kinds)
    right = np.array([10 * order.index(row) for row in range(len(kinds))], np.int64)
    np.testing.assert_array_equal(mended_pts(right, kinds_of(kinds), none_lost(kinds)), right)
    wrong = right.copy()  # each anchor may have got the time of the first picture that it should follow
    for row in range(len(kinds) - 1):
        if kinds[row] != "B" and kinds[row + 1] == "B" and data.draw(st.booleans()):
            wrong[row] = right[row + 1]
    mended = mended_pts(wrong, kinds_of(kinds), none_lost(kinds))
    assert np.argsort(mended, kind="stable").tolist() == order


def test_a_picture_is_not_moved_behind_those_of_one_that_is_lost() -> None:
    pts = np.array([0, 30, 10, 20, 40, 50], np.int64)  # of P at 60, before the last two, nothing is left
    lost = np.arange(6) == 4
    np.testing.assert_array_equal(mended_pts(pts, kinds_of("IPBBBB"), lost), pts)


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
    np.testing.assert_allclose(index.video_seconds, np.arange(96) / 25, atol=1e-3)


def test_the_container_errs_where_the_test_says_so(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mpg", 96, noise=12, b_frames=2, height=128, width=128)
    packets = build_index(path).packets
    assert packets is not None
    assert (np.argsort(packets.pts, kind="stable") != packets.order).any()
