"""Packets that decoders would draw from damage without an error are found; sound ones are let through."""

import io
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.stream import VideoStream

from training.video.frame_decoder import CHECKED, is_drawable

CASES = [
    ("mjpeg", "avi", "yuvj420p", {}),
    ("qtrle", "mov", "rgb24", {}),
    ("ffv1", "mkv", "yuv420p", {"level": "3", "slices": "4", "slicecrc": "1"}),
    ("ffv1", "mkv", "yuv420p", {"level": "3", "slices": "4", "slicecrc": "0"}),
    ("ffv1", "mkv", "yuv420p", {"level": "1"}),
]


def packets(codec: str, container: str, pixels: str, options: dict[str, str]) -> tuple[bool, list[bytes]]:
    """Whether the stream has extradata, and its packets."""
    made = io.BytesIO()
    rng = np.random.default_rng(0)
    with av.open(made, "w", format={"mkv": "matroska"}.get(container, container)) as out:
        stream = out.add_stream(codec, rate=25, options=options)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = 96, 80, pixels
        for _ in range(6):
            picture = rng.integers(0, 256, (10, 12, 3), np.uint8).repeat(8, 0).repeat(8, 1)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        out.mux(stream.encode(None))
    made.seek(0)
    with av.open(made, "r") as read:
        data = [bytes(packet) for packet in read.demux(video=0) if packet.size]
        return bool(read.streams.video[0].codec_context.extradata), data


@pytest.mark.parametrize(("codec", "container", "pixels", "options"), CASES)
def test_sound_packets_pass(codec: str, container: str, pixels: str, options: dict[str, str]) -> None:
    has_extradata, data = packets(codec, container, pixels, options)
    assert len(data) == 6
    assert codec in CHECKED
    assert all(is_drawable(codec, each, has_extradata=has_extradata) for each in data)


@pytest.mark.parametrize(("codec", "container", "pixels", "options"), CASES[:3])
def test_packets_of_zeros_do_not_pass(codec: str, container: str, pixels: str, options: dict[str, str]) -> None:
    has_extradata, data = packets(codec, container, pixels, options)
    assert not is_drawable(codec, bytes(len(data[0])), has_extradata=has_extradata)
    assert not is_drawable(codec, bytes(40) + data[0][40:], has_extradata=has_extradata)


def test_every_flipped_bit_of_a_slice_with_a_checksum_is_found() -> None:
    has_extradata, data = packets(*CASES[2])
    for at in range(0, len(data[0]), 7):
        changed = bytearray(data[0])
        changed[at] ^= 1 << at % 8
        assert not is_drawable("ffv1", bytes(changed), has_extradata=has_extradata)


def test_other_codecs_are_left_to_their_decoders(tmp_path: Path) -> None:
    assert is_drawable("h264", bytes(100), has_extradata=True)
