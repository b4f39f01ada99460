"""What key packets say of the size of their pictures, as bytes that change when the size does.

Nothing is interpreted: where the bytes change, a picture is decoded to see.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

_HEAD_BYTES = 1024
_MOST_HEADERS = 32
"""A file with more of them changes something else than its size."""
_EVERY_OF_INTRA = 8
"""Where each picture is a key frame, only some are looked at: a look takes as long as reading on."""
_START = b"\x00\x00\x01"
_H264_SET, _HEVC_SET, _AV1_SEQUENCE = 7, 33, 1
_H264_PICTURES, _HEVC_PICTURES = range(1, 6), range(32)
_FRAMES_OF_JPEG = (b"\xff\xc0", b"\xff\xc2", b"\xff\xc1")


class PictureHeaders:
    """Follows the packets of one stream, in any order."""

    def __init__(self, stream: "VideoStream") -> None:
        self._read = _reader(stream.codec_context.name, stream.codec_context.extradata or b"")
        self._known: set[bytes] = set()
        self._last = b""
        self._seen = 0
        self._every = _EVERY_OF_INTRA if stream.codec_context.codec.intra_only else 1

    def is_new(self, packet: "Packet") -> bool:
        """Whether a key packet has a header, or brings one along, that none before it had."""
        self._seen += 1
        if self._seen % self._every:
            return False
        if packet.has_sidedata("new_extradata"):
            header = bytes(packet.get_sidedata("new_extradata"))
        elif self._read is not None:
            header = self._read(bytes(memoryview(packet)[:_HEAD_BYTES]))
        else:
            return False
        if header == self._last or not header or header in self._known or len(self._known) >= _MOST_HEADERS:
            return False
        self._last = header
        self._known.add(header)
        return True


def _reader(codec: str, extradata: bytes) -> Callable[[bytes], bytes] | None:
    if codec in ("h264", "hevc"):
        is_hevc = codec == "hevc"
        length_at = 21 if is_hevc else 4
        is_prefixed = len(extradata) > length_at and extradata[0] == 1
        length_bytes = (extradata[length_at] & 3) + 1 if is_prefixed else 0
        return lambda head: _parameter_sets(head, length_bytes, is_hevc=is_hevc)
    return _READERS.get(codec)


def _parameter_sets(head: bytes, length_bytes: int, *, is_hevc: bool) -> bytes:
    """The sequence parameter sets before the first slice (ITU-T H.264, 7.3.1; H.265, 7.3.1)."""
    wanted, pictures = (_HEVC_SET, _HEVC_PICTURES) if is_hevc else (_H264_SET, _H264_PICTURES)
    found = b""
    for unit in _units(head, length_bytes):
        kind = unit[0] >> 1 & 63 if is_hevc else unit[0] & 31
        if kind in pictures:
            break
        found += unit if kind == wanted else b""
    return found


def _units(head: bytes, length_bytes: int) -> list[bytes]:
    """The units, each after its length, or where that takes no bytes, after a start code."""
    if not length_bytes:
        return [unit for unit in head.split(_START)[1:] if unit]
    units, at = [], 0
    while at + length_bytes < len(head):
        size = int.from_bytes(head[at : at + length_bytes], "big")
        at += length_bytes
        if not size:
            break
        units.append(head[at : at + size])
        at += size
    return units


def _after(start: bytes, length: int | None) -> Callable[[bytes], bytes]:
    """Reads `length` bytes after a start code; None: up to the next one."""

    def read(head: bytes) -> bytes:
        at = head.find(start)
        if at < 0:
            return b""
        at += len(start)
        return head[at : at + length] if length else head[at:].split(_START)[0]

    return read


def _jpeg_frame(head: bytes) -> bytes:
    for marker in _FRAMES_OF_JPEG:
        at = head.find(marker)
        if at >= 0:
            return head[at + 5 : at + 9]
    return b""


def _av1_sequence(head: bytes) -> bytes:
    """The sequence header (AV1, 5.5); frames may override its size, which is not looked for."""
    at = 0
    while at + 2 < len(head):
        kind, has_extension, has_size = head[at] >> 3 & 15, head[at] >> 2 & 1, head[at] >> 1 & 1
        at += 1 + has_extension
        size = shift = 0
        while has_size and at < len(head):
            size |= (head[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if not head[at - 1] & 128:
                break
        if kind == _AV1_SEQUENCE or not has_size:
            return head[at : at + size] if kind == _AV1_SEQUENCE else b""
        at += size
    return b""


_READERS: dict[str, Callable[[bytes], bytes]] = {
    "mpeg1video": _after(b"\x00\x00\x01\xb3", 3),
    "mpeg2video": _after(b"\x00\x00\x01\xb3", 3),
    "mpeg4": _after(b"\x00\x00\x01\x20", None),
    "mjpeg": _jpeg_frame,
    "vp8": lambda head: head[6:10],
    "libvpx": lambda head: head[6:10],
    "vp9": lambda head: head[4:8],
    "libvpx-vp9": lambda head: head[4:8],
    "av1": _av1_sequence,
    "libdav1d": _av1_sequence,
    "libaom-av1": _av1_sequence,
    "png": lambda head: head[16:24],
    "prores": lambda head: head[16:20],
}
"""By ffmpeg's names of decoders; the size stands at these places, or within them."""
