"""Packed B-frames, as DivX and Xvid write them: ffmpeg reads such files but cannot write them."""

from fractions import Fraction
from pathlib import Path

import av
from av.video.stream import VideoStream

_START = b"\x00\x00\x01\xb6"
_I, _B = 0, 2
_USER_DATA = b"\x00\x00\x01\xb2"
_DIVX = b"DivX503b1393p"  # the "p" at the end says that the stream is packed; as long as what ffmpeg writes
_NOT_CODED = _START + b"\x50\x7f"  # a P picture of no content at a time of 0


def pack_b_frames(source: Path, target: Path) -> Path:
    """Copy an MPEG-4 video; each anchor picture shares a packet with the B picture after it, a placeholder follows."""
    with av.open(str(source)) as read:
        video = read.streams.video[0]
        rate = Fraction(video.average_rate or 25)
        pictures = [bytes(packet) for packet in read.demux(video) if packet.size]
        size = video.height, video.width
    with av.open(str(target), "w") as out:
        stream = out.add_stream("mpeg4", rate=rate)
        assert isinstance(stream, VideoStream)
        (stream.height, stream.width), stream.pix_fmt = size, "yuv420p"
        stream.codec_context.codec_tag = "XVID"
        out.start_encoding()
        for number, data in enumerate(_packed(pictures)):
            packet = av.Packet(_with_divx_mark(data))
            packet.pts = packet.dts = number
            packet.time_base = 1 / rate
            packet.is_keyframe = picture_kind(data) == _I
            packet.stream = stream
            out.mux(packet)
    return target


def picture_kind(data: bytes) -> int:
    """0 for an I picture, 1 for P, 2 for B: of the first one in a packet."""
    return data[data.index(_START) + 4] >> 6


def _packed(pictures: list[bytes]) -> list[bytes]:
    packets: list[bytes] = []
    at = 0
    while at < len(pictures):
        after = at + 1
        while after < len(pictures) and picture_kind(pictures[after]) == _B:
            after += 1
        anchor, b_pictures = pictures[at], pictures[at + 1 : after]
        packets += [anchor + b_pictures[0], *b_pictures[1:], _NOT_CODED] if b_pictures else [anchor]
        at = after
    return packets


def _with_divx_mark(data: bytes) -> bytes:
    at = data.find(_USER_DATA)
    if at < 0:
        return data
    begin = at + len(_USER_DATA)
    end = data.index(b"\x00\x00\x01", begin)
    return data[:begin] + _DIVX + data[end:]
