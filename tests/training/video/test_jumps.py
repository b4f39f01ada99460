"""A read far from the last one decodes on two cores, and gives what reading in order gives."""

from pathlib import Path

import numpy as np
import pytest

from tests.videos import number_of, write_video
from training.video import FrameMissing, build_index, group_decoder, open_source
from training.video.frame_decoder import FrameDecoder

FRAMES = 60
KINDS = {
    "pyramid.mp4": "bframes=3:b-pyramid=normal",
    "open.ts": "bframes=3:open-gop=1",
    "slices.mkv": "bframes=2:slices=4",
    "no B pictures.avi": "bframes=0:ref=3",
    "no arithmetic coding.mp4": "bframes=3:cabac=0",
}


def written(path: Path) -> Path:
    parameters = f"keyint=12:min-keyint=12:scenecut=0:threads=1:b-adapt=0:{KINDS[path.name]}"
    return write_video(path, FRAMES, height=96, width=96, noise=12, codec="libx264", b_frames=3, options={"x264-params": parameters})  # fmt: skip  # noqa: E501


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_decoder, "_cores", lambda: 2)


@pytest.mark.parametrize("name", KINDS)
def test_a_jump_gives_the_frames_of_its_group_as_reading_in_order_does(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / name)
    table = build_index(path).packets
    assert table is not None
    decoder = FrameDecoder(path, table)
    in_order = dict(decoder.frames_from(0))
    for number in np.random.default_rng(0).permutation(FRAMES).tolist():
        frames = decoder.group_until(int(table.packet_of_frame[number]))
        assert frames is not None
        assert number in frames
        for other, frame in frames.items():
            expected = in_order[other]
            assert expected is not None
            np.testing.assert_array_equal(frame.to_ndarray(), expected.to_ndarray())
    decoder.close()


def test_a_frame_is_read_though_the_cache_holds_less_than_its_group(tmp_path: Path) -> None:
    with open_source(written(tmp_path / "pyramid.mp4"), cache_bytes=1) as source:
        assert [number_of(source.read(number)) for number in (41, 5, 30, 59)] == [41, 5, 30, 59]


def test_damage_leaves_no_traces_in_the_next_read(tmp_path: Path) -> None:
    """Decoders add what is left of a picture that broke off to the next one that they draw."""
    path = written(tmp_path / "no arithmetic coding.mp4")
    with open_source(path) as source:
        whole = [frame for _, frame in source.iterate()]
    packets = build_index(path).packets
    assert packets is not None
    intact = path.read_bytes()
    for row in range(24, 36):
        data = bytearray(intact)
        start = int(packets.pos[row] + packets.size[row] // 3)
        data[start : start + 40] = np.random.default_rng(row).integers(0, 256, 40, dtype=np.uint8).tobytes()
        path.write_bytes(data)
        with open_source(path) as source:
            for number in (35, 0, 34, 50, 30, 12):
                try:
                    frame = source.read(number)
                except FrameMissing:
                    assert 24 <= number < 36
                else:
                    assert 24 <= number < 36 or np.array_equal(frame, whole[number])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "length_bytes", "expected"),
    [
        (b"\0\0\0\1\x09\xf0\0\0\1\x01abc", 0, True),
        (b"\0\0\0\1\x09\xf0\0\0\1\x41abc", 0, False),
        (b"\0\0\1\x01abc\0\0\1\x41abc", 0, False),
        (b"\0\0\0\3\x01ab\0\0\0\2\x06a", 4, True),
        (b"\0\0\0\3\x01ab\0\0\0\2\x68a", 4, False),
        (b"\0\3\x01ab\0\xff\x41", 2, False),
        (b"\0\0\1\x65abc", 0, False),
        (b"\0\0\1\x06abc", 0, False),
        (b"", 4, False),
    ],
)
def test_pictures_that_no_other_depends_on(data: bytes, length_bytes: int, expected: bool) -> None:
    assert group_decoder.is_spare(data, length_bytes) is expected
