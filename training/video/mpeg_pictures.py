"""The kinds of MPEG-1 and MPEG-2 pictures.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame would then be shown before the frames that lead it, and next to a
loss times are guesses. The kinds do not err: B pictures are shown before the picture that they follow in decode order
(ISO/IEC 13818-2, 6.1.1.11).
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
