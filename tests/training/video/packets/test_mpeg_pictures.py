"""The order of MPEG frames stands in the kinds of their pictures, not in times that may be another frame's."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.videos import number_of, write_video
from training.video import build_index, open_source
from training.video.packets.presentation import against_their_group, even_decoding_times, rank_by_kinds
from training.video.packets.table import NO_VALUE


def kinds_of(kinds: str) -> NDArray[np.bool_]:
    return np.array([kind == "B" for kind in kinds], bool)


def none_of(kinds: str) -> NDArray[np.bool_]:
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


@given(st.text("IPB", max_size=30))
def test_pictures_come_in_the_order_of_a_decoder(kinds: str) -> None:
    rank, in_doubt = rank_by_kinds(kinds_of(kinds), none_of(kinds), none_of(kinds))
    assert np.argsort(rank).tolist() == decoded(kinds)
    assert not in_doubt.any()


def test_a_picture_before_a_loss_is_given_out_and_in_doubt() -> None:
    lost = np.arange(6) == 4
    rank, in_doubt = rank_by_kinds(kinds_of("IPBBPB"), lost, none_of("IPBBPB"))
    assert np.argsort(rank).tolist() == [0, 2, 3, 1, 4, 5]
    assert np.flatnonzero(in_doubt).tolist() == [1]  # pictures that were lost may come before it
    assert not rank_by_kinds(kinds_of("IPPPPP"), lost, none_of("IPPPPP"))[1].any()  # nothing is reordered


def test_guessed_decoding_times_after_a_loss_are_evened() -> None:
    guessed = np.array([0, 10, 20, 30, 90, 40, 50, 120, 130, 140])
    assert even_decoding_times(guessed).tolist() == [0, 10, 20, 30, 90, 100, 110, 120, 130, 140]
    restarted = np.array([*range(0, 200, 10), *range(0, 200, 10)])
    assert even_decoding_times(restarted).tolist() == restarted.tolist()


@pytest.mark.parametrize("codec", ["mpeg1video", "mpeg2video"])
@pytest.mark.parametrize("suffix", [".mpg", ".ts", ".avi"])
def test_a_program_stream_is_read_in_order_whatever_its_times_say(codec: str, suffix: str, tmp_path: Path) -> None:
    # At this size a key frame gets the time of a frame before it, in the program stream of ffmpeg's own muxer.
    path = write_video(tmp_path / f"a{suffix}", 96, codec=codec, noise=12, b_frames=2, height=128, width=128)
    index = build_index(path)
    with open_source(path, index=index) as source:
        assert [number_of(source.read(i)) for i in (70, 72, 71, 0, 95)] == [70, 72, 71, 0, 95]
        assert [-1 if frame is None else number_of(frame) for _, frame in source.iterate()] == list(range(96))
    assert (np.diff(index.video_seconds) >= 0).all()
    np.testing.assert_allclose(index.video_seconds, np.arange(96) / 25, atol=1e-3)


@pytest.mark.parametrize("noise", [3, 6, 9, 14])
@pytest.mark.parametrize("side", [64, 96, 160])
def test_neighbours_are_never_swapped_in_a_program_stream(noise: int, side: int, tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mpg", 60, codec="mpeg2video", noise=noise, b_frames=2, height=side, width=side)
    with open_source(path) as source:
        assert [-1 if frame is None else number_of(frame) for _, frame in source.iterate()] == list(range(60))


def test_the_container_errs_where_the_test_says_so(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mpg", 96, noise=12, b_frames=2, height=128, width=128)
    packets = build_index(path).packets
    assert packets is not None
    assert (np.argsort(packets.pts, kind="stable") != packets.order).any()


def test_a_transport_stream_of_one_frame_has_it(tmp_path: Path) -> None:
    for codec in ("libx264", "mpeg2video", "mpeg4"):
        with open_source(write_video(tmp_path / f"{codec}.ts", 1, codec=codec)) as source:
            assert [number_of(frame) for _, frame in source.iterate() if frame is not None] == [0]
            assert number_of(source.read(0)) == 0


GROUPS = np.arange(36) % 12
OPENS = GROUPS == 0


def test_a_picture_that_is_not_where_its_group_has_it_is_found() -> None:
    rank = np.arange(36)
    assert not against_their_group(rank, GROUPS, OPENS).any()
    after_a_loss = rank - (rank >= 33)  # one picture is lost before 33, and nobody noticed
    assert np.flatnonzero(against_their_group(after_a_loss, GROUPS, OPENS)).tolist() == [33, 34, 35]
    half = rank - (rank >= 30)
    assert np.flatnonzero(against_their_group(half, GROUPS, OPENS)).tolist() == list(range(24, 36))
    unknown = np.where(rank == 34, NO_VALUE, GROUPS)
    assert np.flatnonzero(against_their_group(after_a_loss, unknown, OPENS)).tolist() == [33, 35]


def test_numbers_that_mean_something_else_are_left_alone() -> None:
    fields = GROUPS // 2  # two fields of one frame, each a picture of its own
    assert not against_their_group(np.arange(36), fields, OPENS).any()
    assert not against_their_group(np.arange(2000), np.arange(2000) % 1024, np.arange(2000) == 0).any()
    assert not against_their_group(np.arange(36), np.full(36, NO_VALUE), np.zeros(36, bool)).any()
