"""The kinds of MPEG pictures: of MPEG-1 and MPEG-2, and of MPEG-4 part 2 in packets that hold two of them too.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame would then be shown before the frames that lead it, and next to a
loss times are guesses. The kinds do not err: B pictures are shown before the picture that they follow in decode order
(ISO/IEC 13818-2, 6.1.1.11).

AVI cannot store that a picture is shown later than it is decoded. DivX and Xvid therefore pack a B picture into the
packet of the picture that it follows in decode order, and put a placeholder without content where it would have been.
A decoder takes one picture from each packet: the packed one when it gets the next packet. ffmpeg's time stamps take no
notice of it.

What key packets say of the size of their pictures, as bytes that change when the size does.

Nothing is interpreted: where the bytes change, a picture is decoded to see.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

MPEG_CODECS = ("mpeg1video", "mpeg2video")
_PICTURE_START = b"\x00\x00\x01\x00"
_GROUP_START = b"\x00\x00\x01\xb8"
_B_PICTURE = 3
MPEG4_CODEC = "mpeg4"
_VISUAL_OBJECT_SEQUENCE = b"\x00\x00\x01\xb0"
_PICTURE = b"\x00\x00\x01\xb6"
_DIVX_MARK = b"\x00\x00\x01\xb2DivX"
_MARK_BYTES = 40  # more than the mark with its version and build takes
_HEADER_BYTES = 16
_B = 2
_P_BIT = 0x40


@dataclass(frozen=True)
class MpegHeader:
    """What the header of a picture says; ISO/IEC 13818-2, 6.2.3."""

    is_b: bool
    number_in_group: int
    """`temporal_reference`: its place among the pictures of its group in the order in which they are shown."""
    opens_group: bool
    """A group's header stands before it."""


def read_header(packet: "Packet") -> MpegHeader | None:
    """The header of the picture of an MPEG packet; None where damage hides it."""
    data = bytes(packet)
    at = data.find(_PICTURE_START)
    if not 0 <= at < len(data) - 5:
        return None
    number = data[at + 4] << 2 | data[at + 5] >> 6
    return MpegHeader(data[at + 5] >> 3 & 7 == _B_PICTURE, number, data.find(_GROUP_START, 0, at) >= 0)


class Mpeg4Pictures:
    """Follows the packets of one stream in decode order, as a decoder does."""

    def __init__(self, extradata: bytes | None) -> None:
        self.is_packed = _says_packed(extradata or b"")
        """The stream calls itself packed."""
        self._tick_bits = _tick_bits(extradata or b"")
        self._waiting = b""

    def next(self, data: bytes) -> bytes:
        """Take a packet; return the picture that comes out with it, its own one or the one packed with the last.

        ffmpeg's decoder unpacks by itself, yet loses its place where a packed picture depends on what is not there.
        """
        first = data.find(_PICTURE)
        header = data[: max(first, 0)]
        self.is_packed = self.is_packed or _says_packed(header)
        self._tick_bits = _tick_bits(header) or self._tick_bits
        waiting, self._waiting = self._waiting, b""
        if not self.is_packed:
            return data
        if waiting and _VISUAL_OBJECT_SEQUENCE not in header:  # a decoder starts again at such a one
            self._waiting = data[first:] if _is_packed_picture(data, first) else b""
            return waiting
        second = data.find(_PICTURE, first + len(_PICTURE)) if first >= 0 else -1
        if not _is_packed_picture(data, second):
            return data
        self._waiting = data[second:]
        return data[:second]

    def restart(self) -> None:
        """Forget the packed picture: the packet after it is lost, or another part of the file follows."""
        self._waiting = b""

    def kind(self, picture: bytes) -> tuple[bool | None, bool]:
        """Whether it is a B picture, None where damage hides it; and whether anything of it is to be seen.

        One without content ("not coded") is no frame. In a packed stream it counts nevertheless: the picture that it
        stands for may be hidden by damage.
        """
        at = picture.find(_PICTURE) + len(_PICTURE)
        if not len(_PICTURE) <= at < len(picture):
            return None, True
        return picture[at] >> 6 == _B, self.is_packed or not self._is_empty(picture[at : at + _HEADER_BYTES])

    def _is_empty(self, header: bytes) -> bool:
        """Whether `vop_coded` is 0 (ISO/IEC 14496-2, 6.2.5)."""
        if not self._tick_bits:
            return False
        bits = _Bits(header)
        bits.skip(2)
        while bits.take(1) and not bits.is_at_end:
            pass
        bits.skip(1 + self._tick_bits + 1)
        return not bits.is_at_end and not bits.take(1)


class _Bits:
    """Reads bits from the first one on; zeros beyond the end."""

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "big")
        self._left = len(data) * 8

    @property
    def is_at_end(self) -> bool:
        return self._left <= 0

    def take(self, count: int) -> int:
        self._left -= count
        return self._value >> self._left & (1 << count) - 1 if self._left >= 0 else 0

    def skip(self, count: int) -> None:
        self._left -= count


def _says_packed(header: bytes) -> bool:
    at = header.find(_DIVX_MARK)
    mark = header[at + 4 : at + 4 + _MARK_BYTES].split(b"\x00")[0]
    return at >= 0 and mark.endswith(b"p")


def _is_packed_picture(data: bytes, at: int) -> bool:
    """Whether at `at` begins an I or B picture, which a decoder keeps for the next packet."""
    return 0 <= at < len(data) - len(_PICTURE) and not data[at + 4] & _P_BIT


def _tick_bits(header: bytes) -> int:
    """The bits that a picture's time takes, as the video object layer of `header` says; 0 where there is none."""
    at = header.find(b"\x00\x00\x01\x20")
    if at < 0:
        return 0
    bits = _Bits(header[at + 4 : at + 40])
    bits.skip(9)
    if bits.take(1):  # is_object_layer_identifier
        bits.skip(7)
    if bits.take(4) == 15:  # extended aspect ratio
        bits.skip(16)
    if bits.take(1):  # vol_control_parameters
        bits.skip(3)
        if bits.take(1):  # vbv_parameters
            bits.skip(79)
    bits.skip(3)
    resolution = bits.take(16)
    return max((resolution - 1).bit_length(), 1)


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
    result = b""
    for unit in _units(head, length_bytes):
        kind = unit[0] >> 1 & 63 if is_hevc else unit[0] & 31
        if kind in pictures:
            break
        result += unit if kind == wanted else b""
    return result


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
