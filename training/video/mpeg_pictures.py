"""The order in which MPEG-1 and MPEG-2 frames are shown, from the kinds of their pictures.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame is then shown before the frames that lead it. The kinds do not
err: B pictures are shown at once, any other one when the next of its sort is decoded (ISO/IEC 13818-2, 6.1.1.11).
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

    Packet = AnyPacket[VideoStream]
    Ints = NDArray[np.int64]

MPEG_CODECS = ("mpeg1video", "mpeg2video")
_PICTURE_START = b"\x00\x00\x01\x00"
_B_PICTURE = 3


def is_b_picture(packet: "Packet") -> bool | None:
    """Whether an MPEG packet holds a B picture; None where damage hides it."""
    data = bytes(packet)
    at = data.find(_PICTURE_START)
    return data[at + 5] >> 3 & 7 == _B_PICTURE if 0 <= at < len(data) - 5 else None


def is_order_in_pictures(codec: str, container: str, is_whole: bool) -> bool:
    """Whether the kinds of pictures tell the order better than times do, by ffmpeg's names of codec and container.

    In transport streams most frames have times of their own; where some are lost, these say better where.
    """
    return codec in MPEG_CODECS and (container == "mpeg" or (container == "mpegts" and is_whole))


def rank_by_picture(is_b: "NDArray[np.bool_]", lost_before: "NDArray[np.bool_]") -> "Ints":
    """(P,) place of each packet in presentation order; a permutation of 0..P-1.

    Args:
        is_b: (P,) whether each packet, in decode order, holds a B picture.
        lost_before: (P,) whether packets are lost right before it: B pictures may then belong to a frame that is lost.
    """
    rows = np.arange(len(is_b))
    ends = np.append(np.flatnonzero(~is_b | lost_before), len(is_b))
    anchors = np.flatnonzero(~is_b)
    shown_at = rows.astype(np.float64)
    shown_at[anchors] = ends[np.searchsorted(ends, anchors, side="right")] - 0.5
    rank = np.empty(len(is_b), np.int64)
    rank[np.argsort(shown_at, kind="stable")] = rows
    return rank
