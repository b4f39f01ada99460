"""Where packets are lost without the demuxer saying so."""

import numpy as np
from numpy.typing import NDArray

from training.video.packet_scan import PacketScan
from training.video.packet_table import NO_VALUE

_OVERHEAD = 0.12  # what containers add to packets, at most
_SLACK_BYTES = 752
_PROGRAM_SLACK_BYTES = 2048  # of one packet of a program stream: what fills it up may belong to nobody
_CELL_BYTES, _CELL_HEAD_BYTES, _PACKET_HEAD_BYTES = 188, 4, 22  # of a transport stream, whose last cell is filled up
_TABLE_BYTES_PER_SECOND, _CLOCK_PER_SECOND, _LONGEST_PAUSE_SECONDS = 6_000, 90_000, 60  # its tables go on in a pause
_NEAR_FRAMES = 8  # decode order and presentation order differ by less


def lost_before(scan: PacketScan, announced: int, container: str) -> NDArray[np.bool_]:
    """(P,) whether packets are lost right before each one.

    After a damaged stretch some demuxers go on in silence, and so do decoders, with pictures of the wrong frame. Two
    things give the loss away: bytes that belong to no packet, and, at the same place, a gap in time, or, in containers
    that number what they find, fewer packets than the header announces. Neither alone would do: recordings pause, and
    files hold other things than frames.

    Args:
        scan: the packets.
        announced: the number of frames that the header gives, 0 if it gives none.
        container: ffmpeg's name of its format; packets of "avi" carry no time stamps of their own.
    """
    lost = np.zeros(len(scan.size), bool)
    unclaimed = _unclaimed_bytes(scan, container)
    slack = _PROGRAM_SLACK_BYTES if container == "mpeg" else _SLACK_BYTES
    suspect = np.flatnonzero(unclaimed > max(float(np.median(scan.size)) / 2, slack))
    if container != "avi":
        suspect = suspect[_is_near_gap(scan)[suspect]]
    elif announced <= len(scan.size):
        return lost
    lost[suspect] = True
    return lost


def _unclaimed_bytes(scan: PacketScan, container: str) -> NDArray[np.float64]:
    """(P,) bytes before each packet that belong to none, since the last packet whose place is known."""
    unclaimed = np.zeros(len(scan.size))
    known = np.flatnonzero(scan.pos != NO_VALUE)
    if len(known) < 2:
        return unclaimed
    claimed = _with_overhead(np.add.reduceat(scan.size, known)[:-1], container)
    steps = np.diff(scan.pos[known])
    between = steps - claimed - _claimed_by_others(scan, known, container)
    if container == "mpegts":
        between -= _bytes_of_tables(scan.dts[known])
    # The loss lies anywhere between two packets with known places: every packet after the first may follow it.
    for first, last, count in zip(known[:-1].tolist(), known[1:].tolist(), between.tolist(), strict=True):
        if count > _SLACK_BYTES:
            unclaimed[first + 1 : last + 1] = count
    return unclaimed


def _with_overhead(sizes: NDArray[np.int64], container: str) -> NDArray[np.float64]:
    """What packets of these sizes take in the file."""
    if container == "mpegts":
        cells = -(-(sizes + _PACKET_HEAD_BYTES) // (_CELL_BYTES - _CELL_HEAD_BYTES))
        return (cells * _CELL_BYTES).astype(np.float64)
    return sizes.astype(np.float64) * (1 + _OVERHEAD)


def _claimed_by_others(scan: PacketScan, known: NDArray[np.int64], container: str) -> NDArray[np.float64]:
    """(K-1,) bytes of other streams between each of the `known` (K,) packets and the next."""
    places, group = np.unique(scan.others[:, 0], return_inverse=True)
    sizes = np.bincount(group, scan.others[:, 1], len(places)).astype(np.int64)
    before = np.concatenate([[0.0], np.cumsum(_with_overhead(sizes, container))])
    return np.maximum(np.diff(before[np.searchsorted(places, scan.pos[known])]), 0)


def _bytes_of_tables(dts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(K-1,) bytes of a transport stream's own tables between packets that are decoded at (K,) `dts`."""
    seconds = np.diff(dts / _CLOCK_PER_SECOND)
    return np.clip(seconds, 0, _LONGEST_PAUSE_SECONDS) * _TABLE_BYTES_PER_SECOND


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
