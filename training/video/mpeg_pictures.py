"""The kinds of MPEG-1 and MPEG-2 pictures.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame would then be shown before the frames that lead it, and next to a
loss times are guesses. The kinds do not err: B pictures are shown before the picture that they follow in decode order
(ISO/IEC 13818-2, 6.1.1.11).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

MPEG_CODECS = ("mpeg1video", "mpeg2video")
_PICTURE_START = b"\x00\x00\x01\x00"
_B_PICTURE = 3


def is_b_picture(packet: "Packet") -> bool | None:
    """Whether an MPEG packet holds a B picture; None where damage hides it."""
    data = bytes(packet)
    at = data.find(_PICTURE_START)
    return data[at + 5] >> 3 & 7 == _B_PICTURE if 0 <= at < len(data) - 5 else None
