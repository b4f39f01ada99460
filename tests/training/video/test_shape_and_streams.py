"""Containers say more than frames: which way is up, the shape of pixels, which stream, what was dropped or joined."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.stream import VideoStream
from numpy.typing import NDArray

from tests.dicom_files import JPEG_BASELINE, encoded_file, numbered_frames, raw_file
from tests.videos import number_of, numbered_frame, remux, write_video
from training.video import FIRST_NUMBERING, NUMBERING, FrameIndex, build_index, first_picture, open_source, verify_index
from training.video.indexing import OLD_NUMBERING_NOTE

Turn = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]
IDENTITY = bytes.fromhex("00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000")
TURNS: dict[str, tuple[tuple[int, int, int, int], Turn]] = {
    "clockwise": ((0, 1, -1, 0), lambda picture: np.rot90(picture, -1)),
    "counter-clockwise": ((0, -1, 1, 0), lambda picture: np.rot90(picture, 1)),
    "upside down": ((-1, 0, 0, -1), lambda picture: np.rot90(picture, 2)),
    "mirrored": ((-1, 0, 0, 1), lambda picture: picture[:, ::-1]),
}


def turned(path: Path, matrix: tuple[int, int, int, int]) -> Path:
    """The mp4 file with another display matrix (a, b, c, d) in the header of its track."""
    data = path.read_bytes()
    at = data.index(IDENTITY, data.index(b"tkhd"))
    a, b, c, d = (int.to_bytes(value & 0xFFFFFFFF, 4, "big") for value in (entry << 16 for entry in matrix))
    zero, one = bytes(4), bytes.fromhex("40000000")
    path.write_bytes(data[:at] + a + b + zero + c + d + zero + zero + zero + one + data[at + 36 :])
    return path


def numbers(path: Path, index: FrameIndex | None = None) -> list[int | None]:
    """What the frames say, in order; the same by reading backwards."""
    with open_source(path, index=index) as source:
        found = [None if picture is None else number_of(picture) for _, picture in source.iterate()]
        for frame_index in reversed(range(len(source))):
            if frame_index not in source.missing:
                assert number_of(source.read(frame_index)) == found[frame_index]
    return found


@pytest.mark.parametrize("name", TURNS)
def test_pictures_stand_upright(tmp_path: Path, name: str) -> None:
    matrix, turn = TURNS[name]
    path = write_video(tmp_path / "a.mp4", 5, height=64, width=96)
    with open_source(path) as source:
        plain = source.read(3)
    with open_source(turned(path, matrix)) as source:
        assert np.array_equal(source.read(3), turn(plain))
        assert (source.height_px, source.width_px) == turn(plain).shape[:2]
        assert [picture.shape for _, picture in source.iterate() if picture is not None] == [turn(plain).shape] * 5
    assert first_picture(path).shape == turn(plain).shape


def test_an_older_study_keeps_its_shape_and_says_so(tmp_path: Path) -> None:
    path = turned(write_video(tmp_path / "a.mp4", 5, height=64, width=96), TURNS["clockwise"][0])
    old = build_index(path, numbering=None)
    old.save(tmp_path / "index.npz")
    old = FrameIndex.load(tmp_path / "index.npz")
    assert (old.numbering, old.notes[0]) == (FIRST_NUMBERING, OLD_NUMBERING_NOTE)
    with open_source(path, index=old) as source:
        assert (source.height_px, source.width_px) == (64, 96)
        assert number_of(source.read(3)) == 3


def test_an_older_study_that_reads_as_before_follows_the_newest_rules(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 5)
    assert build_index(path, numbering=FIRST_NUMBERING).numbering == NUMBERING
    assert build_index(path, numbering=FIRST_NUMBERING).notes == build_index(path).notes


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".ts", ".avi"])
@pytest.mark.parametrize(("aspect", "size"), [(Fraction(8, 5), (64, 154)), (Fraction(1, 2), (128, 96))])
def test_pixels_are_made_square(tmp_path: Path, suffix: str, aspect: Fraction, size: tuple[int, int]) -> None:
    path = tmp_path / f"a{suffix}"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        stream.codec_context.sample_aspect_ratio = aspect
        for number in range(4):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(numbered_frame(number, 64, 96), format="rgb24")))
        container.mux(stream.encode(None))
    with open_source(path) as source:
        assert (source.height_px, source.width_px) == size
        assert source.read(2).shape == (*size, 3)


def two_streams(path: Path, *, default: int | None) -> Path:
    """A preview of three frames, and the recording of eight; numbers count on from 100 in the preview."""
    with av.open(str(path), "w") as container:
        streams = []
        for side in (32, 64):
            stream = container.add_stream("libx264", rate=25)
            assert isinstance(stream, VideoStream)
            stream.width, stream.height, stream.pix_fmt = side, side, "yuv420p"
            streams.append(stream)
        for number, stream in enumerate(streams):
            stream.disposition = av.stream.Disposition.default if number == default else av.stream.Disposition(0)
        for stream, frames in zip(streams, (3, 8), strict=True):
            for number in range(frames):
                picture = numbered_frame(number, stream.height, stream.width)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(("default", "frames"), [(1, 8), (None, 8), (0, 3)])
def test_the_recording_is_the_default_stream_or_the_largest(tmp_path: Path, default: int | None, frames: int) -> None:
    path = two_streams(tmp_path / "a.mkv", default=default)
    index = build_index(path)
    assert len(index) == frames
    assert any(note.startswith("The file holds 2 videos. The one of") for note in index.notes)
    index.save(tmp_path / "index.npz")
    with open_source(path, index=FrameIndex.load(tmp_path / "index.npz")) as source:
        assert source.read(2).shape == ((64, 64, 3) if frames == 8 else (32, 32, 3))
    assert len(build_index(path, numbering=None)) == 3


def without_chunks(path: Path, dropped: set[int]) -> Path:
    """The AVI file with empty chunks in the place of some frames, as recorders write those that they drop."""
    data = path.read_bytes()
    start, stop = data.index(b"movi"), data.index(b"idx1")
    chunks, at, number = [], start + 4, 0
    while at < stop:
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name[2:3] == b"d" and name[:2].isdigit():
            chunks.append((name, b"" if number in dropped else data[at + 8 : at + 8 + size]))
            number += 1
        at += 8 + size + size % 2
    body, table, offset = b"", b"", 4
    for number, (name, content) in enumerate(chunks):
        table += name + (16 * (number == 0)).to_bytes(4, "little") + offset.to_bytes(4, "little")
        table += len(content).to_bytes(4, "little")
        chunk = name + len(content).to_bytes(4, "little") + content + b"\0" * (len(content) % 2)
        body, offset = body + chunk, offset + len(chunk)
    movi = (len(body) + 4).to_bytes(4, "little") + b"movi" + body
    data = data[: start - 4] + movi + b"idx1" + len(table).to_bytes(4, "little") + table
    path.write_bytes(data[:4] + (len(data) - 8).to_bytes(4, "little") + data[8:])
    return path


@pytest.mark.parametrize("codec", ["mjpeg", "mpeg4", "libx264", "ffv1"])
@pytest.mark.parametrize("dropped", [{5, 6, 7}, {11}, {10, 11}, {3, 8, 11}])
def test_dropped_frames_repeat_the_picture_before(tmp_path: Path, codec: str, dropped: set[int]) -> None:
    path = without_chunks(write_video(tmp_path / "a.avi", 12, codec=codec, gop=1), dropped)
    expected = [max(n for n in range(number + 1) if n not in dropped) for number in range(12)]
    index = verify_index(path, build_index(path))
    assert numbers(path, index) == expected
    assert [note for note in index.notes if "dropped" in note] != []
    assert index.video_seconds.tolist() == pytest.approx([number / 25 for number in range(12)])


@pytest.mark.parametrize("starts", [(0, 0, 0), (0, 10, 30)])
@pytest.mark.parametrize("codec", ["libx264", "mpeg2video"])
def test_joined_transport_streams_lose_no_frame(tmp_path: Path, codec: str, starts: tuple[int, ...]) -> None:
    parts = []
    for number, start in enumerate(starts):
        part = write_video(tmp_path / f"{number}.ts", 15, codec=codec, b_frames=2, gop=6)
        parts.append(remux(part, tmp_path / f"late {number}.ts", shift_seconds=start) if start else part)
    path = tmp_path / "joined.ts"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    assert numbers(path, verify_index(path, build_index(path))) == [*range(15)] * 3


def test_a_size_that_changes_is_said(tmp_path: Path) -> None:
    parts = [write_video(tmp_path / f"{side}.ts", 12, height=side, width=side) for side in (64, 96)]
    path = tmp_path / "both.ts"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    notes = verify_index(path, build_index(path)).notes
    assert any("64 x 64, 96 x 96" in note for note in notes)


@pytest.mark.parametrize("table", ["basic", "extended", "none"])
@pytest.mark.parametrize("pieces", [1, 2])
def test_dicom_pictures_beyond_the_announced_number(tmp_path: Path, table: str, pieces: int) -> None:
    import cv2

    if (table, pieces) == ("extended", 2):
        pytest.skip("the extended table is for one fragment a frame")
    coded = [cv2.imencode(".jpg", picture[..., ::-1])[1].tobytes() for picture in numbered_frames(8)]
    path = encoded_file(tmp_path / "a.dcm", coded, JPEG_BASELINE, table=table, pieces=pieces, NumberOfFrames=6)
    index = build_index(path)
    assert numbers(path, index) == [*range(8)]
    assert any("announces 6 frames; the file holds 8" in note for note in index.notes)
    assert np.allclose(np.diff(index.video_seconds), 0.5)


def test_raw_dicom_pictures_beyond_the_announced_number(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "a.dcm", numbered_frames(8), NumberOfFrames=6)
    assert numbers(path) == [*range(8)]
    assert len(build_index(path, numbering=None)) == 6


def test_dicom_pixels_are_made_square(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "a.dcm", numbered_frames(4), PixelAspectRatio=["4", "3"])
    with open_source(path) as source:
        assert (source.height_px, source.width_px) == (85, 64)
        assert source.read(1).shape == first_picture(path).shape == (85, 64, 3)
    path = raw_file(tmp_path / "b.dcm", numbered_frames(4), PixelSpacing=["0.1", "0.2"])
    assert first_picture(path).shape == (64, 128, 3)
