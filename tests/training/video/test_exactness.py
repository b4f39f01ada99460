"""Every frame of every kind of file is found by its number: each carries that number as a pattern."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.videos import cut_start_by_edit_list, number_of, remux, write_video
from training.video import FrameSource, build_index, first_picture, open_source

FRAMES = 40
UNEVEN_MS = np.cumsum(np.random.default_rng(0).integers(20, 400, FRAMES)).tolist()

FILES: dict[str, dict[str, Any]] = {
    "constant rate.mp4": {},
    "constant rate.mov": {},
    **{f"B-frames{suffix}": {"b_frames": 3} for suffix in (".mp4", ".mkv", ".ts", ".avi", ".mpg")},
    **{f"open GOP{suffix}": {"b_frames": 3, "open_gop": True} for suffix in (".mp4", ".mkv", ".ts")},
    **{f"variable rate{suffix}": {"b_frames": 2, "times_ms": UNEVEN_MS} for suffix in (".mp4", ".mkv")},
    "VP9.webm": {},
    "hidden frames.webm": {"codec": "libvpx", "options": {"auto-alt-ref": "1", "lag-in-frames": "16"}},
    "order not stored.avi": {"codec": "libx264", "b_frames": 3},
    "only key frames.avi": {"codec": "mjpeg"},
    "rolling refresh.mkv": {"options": {"x264-params": "intra-refresh=1:keyint=20:threads=1:bframes=2"}},
    "pyramid.mkv": {"options": {"x264-params": "bframes=5:b-pyramid=normal:keyint=20:open-gop=1:b-adapt=0:threads=1"}},
}


def stream_numbers(source: FrameSource) -> list[int]:
    """What the frames say when they are read in one stream."""
    return [-9 if frame is None else number_of(frame) for _, frame in source.iterate()]


@pytest.mark.parametrize("name", FILES)
def test_every_frame_carries_its_own_number(name: str, tmp_path: Path) -> None:
    path = write_video(tmp_path / name, FRAMES, **FILES[name])
    with open_source(path) as source:
        assert len(source) == FRAMES
        assert stream_numbers(source) == list(range(FRAMES))
        order = np.random.default_rng(1).permutation(FRAMES).tolist()
        assert [number_of(source.read(frame_index)) for frame_index in order] == order
    assert number_of(first_picture(path)) == 0


def test_a_video_of_one_frame(tmp_path: Path) -> None:
    with open_source(write_video(tmp_path / "a.mp4", 1)) as source:
        assert stream_numbers(source) == [0]
        assert number_of(source.read(0)) == 0
        assert source.index.duration_seconds == 0
        assert source.index.video_seconds.tolist() == [0]


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_times_come_from_the_time_stamps(suffix: str, tmp_path: Path) -> None:
    index = build_index(write_video(tmp_path / f"a{suffix}", FRAMES, times_ms=UNEVEN_MS, b_frames=2))
    np.testing.assert_allclose(index.video_seconds, (np.array(UNEVEN_MS) - UNEVEN_MS[0]) / 1000, atol=0.0011)
    assert any("rate varies" in note for note in index.notes)


def test_a_late_start_is_named_and_time_begins_at_zero(tmp_path: Path) -> None:
    index = build_index(remux(write_video(tmp_path / "b.mp4", FRAMES), tmp_path / "a.ts", shift_seconds=5))
    assert index.video_seconds[0] == 0
    assert index.pts[0] * index.time_base == pytest.approx(5, abs=0.1)
    assert any("5.0" in note for note in index.notes)


@pytest.mark.parametrize("open_gop", [False, True])
def test_frames_before_an_edit_list_are_not_counted(open_gop: bool, tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4", FRAMES, b_frames=3, open_gop=open_gop)
    with open_source(cut_start_by_edit_list(whole, tmp_path / "cut.mp4", 15 / 25)) as source:
        assert stream_numbers(source) == list(range(15, FRAMES))
        assert [number_of(source.read(i)) for i in (24, 0, 3, 9, 1)] == [39, 15, 18, 24, 16]
        assert source.index.video_seconds[0] == 0
        assert any("not shown" in note for note in source.index.notes)


def test_two_recordings_in_one_stream_follow_one_another(tmp_path: Path) -> None:
    first = write_video(tmp_path / "a.ts", 20, b_frames=2)
    second = write_video(tmp_path / "b.ts", 25, b_frames=2)
    joined = tmp_path / "joined.ts"
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    with open_source(joined) as source:
        numbers = stream_numbers(source)
        # At the seam the stream's packet counter jumps, as it does where something is lost: one frame may be missing.
        assert numbers[:18] + numbers[20:] == [*range(18), *range(25)]
        assert set(numbers[18:20]) <= {18, 19, -9}
        assert [number_of(source.read(i)) for i in (44, 20, 17, 0, 31)] == [24, 0, 17, 0, 11]
        assert (np.diff(source.index.video_seconds) > 0).all()


@pytest.mark.parametrize(
    ("suffix", "codec", "frames"), [(".ts", "libx264", 96), (".ts", "mpeg2video", 96), (".mpg", "mpeg2video", 300)]
)
def test_joined_recordings_lose_no_more_than_the_frame_at_the_seam(
    suffix: str, codec: str, frames: int, tmp_path: Path
) -> None:
    one = write_video(tmp_path / f"a{suffix}", frames, codec=codec, noise=12, height=128, width=128)
    joined = tmp_path / f"joined{suffix}"
    joined.write_bytes(one.read_bytes() * 2)
    with open_source(joined) as source:
        numbers = stream_numbers(source)
    assert numbers[: frames - 1] + numbers[frames:] == [*range(frames - 1), *range(frames)]


def test_time_stamps_that_repeat_do_not_merge_frames(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mkv", 30)
    path = remux(whole, tmp_path / "a.mkv", repeat_stamps=True)
    with open_source(path) as source:
        assert any("same time stamp" in note for note in source.index.notes)
        assert stream_numbers(source) == list(range(30))
        assert [number_of(source.read(i)) for i in (29, 4, 5, 3)] == [29, 4, 5, 3]


def test_frame_size_and_steps(tmp_path: Path) -> None:
    with open_source(write_video(tmp_path / "a.mkv", FRAMES, height=54, width=98)) as source:
        assert (source.height_px, source.width_px) == (54, 98)
        assert source.read(3).shape == (54, 98, 3)
        assert [i for i, _ in source.iterate(5, 30, 7)] == [5, 12, 19, 26]
        assert all(frame is not None and number_of(frame) == i for i, frame in source.iterate(5, 30, 7))
        assert list(source.iterate(4, 4)) == []
