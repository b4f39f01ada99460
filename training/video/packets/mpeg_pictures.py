"""The kinds of MPEG pictures: of MPEG-1 and MPEG-2, and of MPEG-4 part 2 in packets that hold two of them too.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame would then be shown before the frames that lead it, and next to a
loss times are guesses. The kinds do not err: B pictures are shown before the picture that they follow in decode order
(ISO/IEC 13818-2, 6.1.1.11).

AVI cannot store that a picture is shown later than it is decoded. DivX and Xvid therefore pack a B picture into the
packet of the picture that it follows in decode order, and put a placeholder without content where it would have been.
A decoder takes one picture from each packet: the packed one when it gets the next packet. ffmpeg's time stamps take no
notice of it.
"""

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
