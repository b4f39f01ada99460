"""Damaged files: frames keep their numbers, and none shows a picture that is not its own."""

from pathlib import Path

import av
import numpy as np
import pytest

from tests.videos import add_sound, corrupt_middle, cut_tail, number_of, numbered_frame, remux, write_video
from training.errors import UserError
from training.video import FrameIndex, FrameMissing, FrameSource, build_index, open_source, verify_index

SIDE = 64
SUFFIXES = [".mp4", ".mkv", ".ts", ".avi", ".mpg"]


def written(path: Path, frames: int = 120) -> Path:
    options = {"movflags": "faststart"} if path.suffix == ".mp4" else {}
    options |= {"cluster_time_limit": "400"} if path.suffix == ".mkv" else {}
    return write_video(path, frames, height=SIDE, width=SIDE, b_frames=2, noise=12, container_options=options)


def read_or_none(source: FrameSource, frame_index: int) -> int | None:
    try:
        return number_of(source.read(frame_index))
    except FrameMissing:
        return None


def numbers_both_ways(path: Path, index: FrameIndex | None = None) -> list[int | None]:
    """What the frames say, None for missing ones; streaming and seeking must agree."""
    with open_source(path, index=index) as source:
        streamed = [None if frame is None else number_of(frame) for _, frame in source.iterate()]
    with open_source(path, index=index) as source:
        order = np.random.default_rng(2).permutation(len(source)).tolist()
        sought = {frame_index: read_or_none(source, frame_index) for frame_index in order}
    assert [sought[frame_index] for frame_index in range(len(streamed))] == streamed
    return streamed


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_after_a_corrupt_stretch_pictures_are_right_or_missing(suffix: str, tmp_path: Path) -> None:
    path = corrupt_middle(written(tmp_path / f"whole{suffix}"), tmp_path / f"a{suffix}")
    index = build_index(path)
    numbers = numbers_both_ways(path, index)
    right = [number for number in numbers if number is not None]
    assert right == sorted(set(right))
    assert right[:40] == list(range(40))
    assert right[-30:] == list(range(90, 120))
    # Where a number was lost with its packet, the time still says which frame it was (AVI only counts).
    if suffix not in (".avi",):
        times = np.round(index.video_seconds * 25).astype(int)
        assert all(number in (None, time) for number, time in zip(numbers, times, strict=True))


@pytest.mark.parametrize("b_frames", [0, 2])
def test_a_frame_torn_where_the_damage_begins_is_missing(b_frames: int, tmp_path: Path) -> None:
    """A decoder often reads noise to the picture's end without an error; the next packet's error is what tells."""
    whole = write_video(tmp_path / "whole.mp4", 60, b_frames=b_frames, noise=12)
    packets = build_index(whole).packets
    assert packets is not None
    for row in range(20, 44, 3 if b_frames else 5):
        data = bytearray(whole.read_bytes())
        start, stop = int(packets.pos[row] + packets.size[row] * 2 // 3), int(packets.pos[row + 1] + 64)
        data[start:stop] = np.random.default_rng(row).integers(0, 256, stop - start, dtype=np.uint8).tobytes()
        path = tmp_path / "torn.mp4"
        path.write_bytes(data)
        numbers = numbers_both_ways(path)
        assert numbers[int(packets.frame_of_packet[row])] is None
        assert all(number in (None, place) for place, number in enumerate(numbers))


def test_in_mp4_no_number_is_lost(tmp_path: Path) -> None:
    path = corrupt_middle(written(tmp_path / "whole.mp4"), tmp_path / "a.mp4")
    numbers = numbers_both_ways(path)
    assert len(numbers) == 120
    assert all(number in (None, place) for place, number in enumerate(numbers))
    assert 0 < numbers.count(None) < 50


def test_a_missing_frame_is_named_in_its_error(tmp_path: Path) -> None:
    path = corrupt_middle(written(tmp_path / "whole.mp4"), tmp_path / "a.mp4")
    with open_source(path) as source:
        missing = next(i for i, frame in source.iterate() if frame is None)
        assert missing in source.missing
        with pytest.raises(FrameMissing, match=rf"Frame {missing + 1} of a\.mp4") as caught:
            source.read(missing)
        assert caught.value.frame_index == missing
        assert isinstance(caught.value, UserError)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_cut_tail_leaves_the_rest_exact(suffix: str, tmp_path: Path) -> None:
    path = cut_tail(written(tmp_path / f"whole{suffix}"), tmp_path / f"a{suffix}", 0.7)
    numbers = numbers_both_ways(path)
    assert 60 < len(numbers) < 110
    # The last few frames may lean on what was cut off, or come without those shown before them.
    assert numbers[:60] == list(range(60))
    right = [number for number in numbers if number is not None]
    assert right == sorted(set(right))


def test_a_cut_tail_is_noted_where_the_header_tells(tmp_path: Path) -> None:
    index = build_index(cut_tail(written(tmp_path / "whole.mp4"), tmp_path / "a.mp4", 0.7))
    assert any("announces 120 frames" in note for note in index.notes)


def test_frames_before_the_first_key_frame_are_missing(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mkv", 36, b_frames=2, open_gop=True)
    path = remux(whole, tmp_path / "a.mkv", skip_packets=4)
    numbers = numbers_both_ways(path)
    assert len(numbers) == 32
    assert numbers[:4] == [None] * 4
    assert numbers[-24:] == list(range(12, 36))


def test_the_check_names_missing_frames(tmp_path: Path) -> None:
    path = corrupt_middle(written(tmp_path / "whole.mp4"), tmp_path / "a.mp4")
    checked = verify_index(path, build_index(path), samples=100)
    with open_source(path) as source:
        missing = [i for i, frame in source.iterate() if frame is None]
    assert checked.missing.tolist() == missing
    assert any(f"{len(missing)} frames cannot be decoded" in note for note in checked.notes)
    assert verify_index(path, checked, samples=100).notes == checked.notes


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".ts"])
def test_sound_beside_a_recording_that_paused_is_no_loss(suffix: str, tmp_path: Path) -> None:
    times = np.cumsum(np.where(np.arange(96) % 24 == 5, 1500, 40)).tolist()
    silent = write_video(tmp_path / "a.mp4", 96, times_ms=times, noise=12, height=128, width=128)
    path = add_sound(silent, tmp_path / f"b{suffix}")
    assert numbers_both_ways(path) == list(range(96))
    assert not any("lost" in note for note in build_index(path).notes)


def test_the_check_finds_nothing_in_a_whole_file(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", 60, b_frames=3, open_gop=True)
    index = build_index(path)
    checked = verify_index(path, index)
    assert checked.notes == index.notes
    assert not len(checked.missing)
    assert (checked.is_key == index.is_key).all()


def test_a_stream_that_begins_in_the_middle_is_said(tmp_path: Path) -> None:
    video = write_video(tmp_path / "a.ts", 30)
    second = tmp_path / "b.ts"
    with av.open(
        str(second), "w", options={"mpegts_start_pid": "0x300", "mpegts_pmt_start_pid": "0x1200"}
    ) as container:
        stream = container.add_stream("mpeg2video", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for number in range(30):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(numbered_frame(number)), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with video.open("ab") as file:
        file.write(second.read_bytes())
    index = build_index(video)
    assert len(index) == 30
    assert any("starts in the middle" in note for note in index.notes)
    with open_source(video) as source:
        assert [number_of(source.read(frame)) for frame in (0, 29)] == [0, 29]
