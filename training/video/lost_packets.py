"""Where packets are lost without the demuxer saying so."""

import numpy as np
from numpy.typing import NDArray

from training.video.packet_scan import PacketScan
from training.video.packet_table import NO_VALUE

_OVERHEAD = 0.12  # what containers add to packets, at most (transport streams: 4 bytes in 188, and their tables)
_SLACK_BYTES = 752
_NEAR_FRAMES = 8  # decode order and presentation order differ by less


def lost_before(scan: PacketScan, announced: int, keeps_time: bool) -> NDArray[np.bool_]:
    """(P,) whether packets are lost right before each one.

    After a damaged stretch some demuxers go on in silence, and so do decoders, with pictures of the wrong frame. Two
    things give the loss away: bytes that belong to no packet, and, at the same place, a gap in time, or, in containers
    that number what they find, fewer packets than the header announces. Neither alone would do: recordings pause, and
    files hold other things than frames.

    Args:
        scan: the packets.
        announced: the number of frames that the header gives, 0 if it gives none.
        keeps_time: packets carry time stamps of their own.
    """
    lost = np.zeros(len(scan.size), bool)
    unclaimed = _unclaimed_bytes(scan)
    suspect = np.flatnonzero(unclaimed > max(float(np.median(scan.size)) / 2, _SLACK_BYTES))
    if keeps_time:
        suspect = suspect[_is_near_gap(scan)[suspect]]
    elif announced <= len(scan.size):
        return lost
    lost[suspect] = True
    return lost


def _unclaimed_bytes(scan: PacketScan) -> NDArray[np.float64]:
    """(P,) bytes before each packet that belong to none, since the last packet whose place is known."""
    unclaimed = np.zeros(len(scan.size))
    known = np.flatnonzero(scan.pos != NO_VALUE)
    if len(known) < 2:
        return unclaimed
    claimed = np.add.reduceat(scan.size, known)[:-1] * (1 + _OVERHEAD)
    steps = np.diff(scan.pos[known])
    between = steps - claimed
    # The loss lies anywhere between two packets with known places: every packet after the first may follow it.
    for first, last, count in zip(known[:-1].tolist(), known[1:].tolist(), between.tolist(), strict=True):
        if count > _SLACK_BYTES:
            unclaimed[first + 1 : last + 1] = count
    return unclaimed


def _is_near_gap(scan: PacketScan) -> NDArray[np.bool_]:
    """(P,) whether within a few frames of each packet's time a longer gap than usual lies between two frames."""
    stamps = np.where(scan.pts == NO_VALUE, scan.dts, scan.pts)
    order = np.argsort(stamps, kind="stable")
    steps = np.diff(stamps[order])
    usual = float(np.median(steps)) if len(steps) else 0.0
    near = np.zeros(len(stamps), bool)
    for place in np.flatnonzero(steps > 1.5 * usual).tolist():
        near[order[max(place - _NEAR_FRAMES, 0) : place + 2 + _NEAR_FRAMES]] = True
    return near
