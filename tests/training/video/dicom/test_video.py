"""A video inside a DICOM file has the frames that it has outside."""

import gc
import random
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from pydicom.uid import UID

from tests.dicom_files import H264, HEVC, MPEG2, video_file
from tests.videos import number_of, write_video
from training.video import FrameIndex, build_index, first_picture, open_source, verify_index
from training.video.dicom.fragments import FragmentFile
from training.video.packets.reader import PacketReader

STREAMS = [(H264, ".mp4"), (H264, ".ts"), (H264, ".h264"), (MPEG2, ".mpg"), (MPEG2, ".ts"), (MPEG2, ".m2v")]
STREAMS += [(HEVC, ".mp4"), (HEVC, ".hevc")]
X265 = {"x265-params": "log-level=none:keyint=12:bframes=2:pools=1"}


@pytest.mark.parametrize(("syntax", "inner"), STREAMS)
@pytest.mark.parametrize("pieces", [1, 3])
def test_frame_numbers_are_exact_however_a_frame_is_reached(
    tmp_path: Path, syntax: UID, inner: str, pieces: int
) -> None:
    options = X265 if syntax == HEVC else None
    path = video_file(
        tmp_path / "study.dcm", syntax, inner=inner, frames=50, pieces=pieces, b_frames=2, options=options
    )
    with open_source(path) as source:
        assert [number_of(frame) for _, frame in source.iterate() if frame is not None] == list(range(50))
        order = list(range(50))
        random.Random(0).shuffle(order)
        assert [number_of(source.read(number)) for number in order] == order
        assert number_of(first_picture(path)) == 0
        assert not source.missing


def test_frames_are_those_of_the_same_video_alone(tmp_path: Path) -> None:
    alone = write_video(tmp_path / "alone.mp4", 30, b_frames=2)
    path = video_file(tmp_path / "study.dcm", frames=30, b_frames=2)
    with open_source(alone) as expected, open_source(path) as found:
        assert all(np.array_equal(expected.read(number), found.read(number)) for number in range(30))


def test_a_saved_index_opens_the_file_and_its_check_adds_nothing(tmp_path: Path) -> None:
    path = video_file(tmp_path / "study.dcm", b_frames=2)
    index = build_index(path)
    index.save(tmp_path / "index.npz")
    loaded = FrameIndex.load(tmp_path / "index.npz")
    assert not len(verify_index(path, loaded).missing)
    with open_source(path, index=loaded) as source:
        assert number_of(source.read(37)) == 37


@pytest.mark.parametrize("header", [{"FrameTime": "500"}, {"FrameTime": None, "CineRate": "2"}])
def test_times_are_those_of_the_header_where_the_video_says_others(tmp_path: Path, header: dict[str, str]) -> None:
    index = build_index(video_file(tmp_path / "study.dcm", frames=10, header=header))
    np.testing.assert_allclose(index.video_seconds, np.arange(10) * 0.5)
    assert any("DICOM header" in note for note in index.notes)


def test_varying_times_of_the_video_stay_where_the_header_agrees(tmp_path: Path) -> None:
    times = [0, 500, 1000, 1500, 2700, 3200, 3700, 4200]
    header = {"FrameTime": "500"}
    index = build_index(video_file(tmp_path / "study.dcm", frames=8, times_ms=times, header=header))
    np.testing.assert_allclose(index.video_seconds * 1000, times, atol=1)


def test_a_vector_of_times_is_used(tmp_path: Path) -> None:
    steps = [0, 100, 300, 100, 900]
    header = {"FrameTime": None, "FrameTimeVector": steps}
    index = build_index(video_file(tmp_path / "study.dcm", frames=5, header=header))
    np.testing.assert_allclose(index.video_seconds * 1000, np.cumsum(steps))


def test_another_number_of_frames_in_the_header_is_noted(tmp_path: Path) -> None:
    index = build_index(video_file(tmp_path / "study.dcm", frames=20, header={"NumberOfFrames": 25}))
    assert len(index) == 20
    assert any("announces 25 frames; the video holds 20" in note for note in index.notes)


def test_nothing_is_copied_and_all_files_are_closed(tmp_path: Path) -> None:
    path = video_file(tmp_path / "study.dcm", MPEG2, inner=".m2v", frames=40)
    before = {each.name for each in tmp_path.iterdir()}
    with open_source(path) as source:
        for number in (30, 3, 20):
            source.read(number)
    gc.collect()
    assert {each.name for each in tmp_path.iterdir()} == before
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()] if Path("/proc").is_dir() else []
    assert not [link for link in links if link.exists() and link.resolve() == path]


def test_fragments_read_as_one_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(100)))
    pieces = np.array([[10, 5], [40, 1], [90, 10]])
    expected = bytes([*range(10, 15), 40, *range(90, 100)])
    with FragmentFile(path, pieces) as file:
        assert file.readall() == expected
        assert file.seek(-3, 2) == 13
        assert file.read(100) == expected[13:]
        file.seek(4)
        assert file.read(2) == expected[4:5]  # as much as a fragment holds
        assert file.read(1) + file.read(1) == expected[5:7]
        assert file.seek(500) == 500
        assert file.read(1) == b""


def test_a_stream_without_times_is_sought_by_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = video_file(tmp_path / "study.dcm", H264, inner=".h264", frames=60, pieces=2, b_frames=2)
    with open_source(path) as source:

        def not_from_the_start(_: PacketReader) -> NoReturn:
            raise AssertionError("the whole stream was read")

        monkeypatch.setattr(PacketReader, "_from_start", not_from_the_start)
        assert [number_of(source.read(number)) for number in (55, 20, 40)] == [55, 20, 40]
