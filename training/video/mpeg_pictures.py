"""Times of MPEG-1 and MPEG-2 frames that belong to another frame, told by the kinds of their pictures.

Program and transport streams give a time only to the first frame that begins in each of their packets, and ffmpeg
now and then gives it to the frame before; a key frame would then be shown before the frames that lead it. The kinds do
not err: B pictures are shown before the picture that they follow in decode order (ISO/IEC 13818-2, 6.1.1.11).
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


def mended_pts(pts: "Ints", is_b: "NDArray[np.bool_]", lost_before: "NDArray[np.bool_]") -> "Ints":
    """(P,) time stamps, in which no B picture comes after the picture that it follows.

    Args:
        pts: (P,) time stamps in decode order, none missing.
        is_b: (P,) whether each packet holds a B picture.
        lost_before: (P,) whether packets are lost right before it: B pictures may then belong to one that is lost.
    """
    mended = pts.copy()
    steps = np.diff(np.unique(pts))
    usual = int(np.median(steps)) if len(steps) else 1
    anchors = np.flatnonzero(~is_b)
    ends = np.append(np.flatnonzero(~is_b | lost_before), len(is_b))
    stops = ends[np.searchsorted(ends, anchors, side="right")]
    leads = stops > anchors + 1
    for row, stop in zip(anchors[leads].tolist(), stops[leads].tolist(), strict=True):
        if (last := pts[row + 1 : stop].max()) >= pts[row]:
            mended[row] = last + usual
    return mended
