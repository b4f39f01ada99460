"""Where packets are lost without the demuxer saying so, and rows for them, so that later frames keep their numbers."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.video.packets.mpeg_pictures import MPEG_CODECS
from training.video.packets.presentation import Ints
from training.video.packets.scan import PacketScan
from training.video.packets.table import LOST, NO_VALUE

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

_OVERHEAD = 0.12  # what containers add to packets, at most
_SLACK_BYTES = 752
_BLOCK_HEAD_BYTES = 32  # of Matroska
_MATROSKA_SLACK_BYTES = 64  # the heads of clusters
_PROGRAM_SLACK_BYTES = 2048  # of one packet of a program stream: what fills it up may belong to nobody
_CELL_BYTES, _CELL_HEAD_BYTES, _PACKET_HEAD_BYTES = 188, 4, 22  # of a transport stream, whose last cell is filled up
_TABLE_BYTES_PER_SECOND, _CLOCK_PER_SECOND, _LONGEST_PAUSE_SECONDS = 6_000, 90_000, 60  # its tables continue in a pause
_LARGEST_OTHER = 1.5  # times what nine of ten packets of its stream keep to: one that claims more has a damaged length
_MICROSECONDS = 1_000_000
_NEAR_FRAMES = 8  # decode order and presentation order differ by less

TRANSPORT, PROGRAM, AVI, MATROSKA = "mpegts", "mpeg", "avi", "matroska,webm"
TOLD_BY_TABLES = "mov,mp4,m4a,3gp,3g2,mj2"
"""ffmpeg's name of the containers whose tables say where every packet is: none is lost in silence."""


def lost_before(scan: PacketScan, announced: int, container: str) -> NDArray[np.bool_]:
    """(P,) whether packets are lost right before each one.

    After a damaged stretch some demuxers continue in silence, and so do decoders, with pictures of the wrong frame. Two
    things give the loss away: bytes that belong to no packet (or, in transport streams, which count their cells, a
    packet of any stream that the demuxer calls damaged), and, at the same place, a gap in time, or, in containers that
    number what they find, fewer packets than the header announces. Neither alone would do: recordings pause, and files
    hold other things than frames.

    Args:
        announced: the number of frames that the header gives, 0 if it gives none.
        container: ffmpeg's name of its format; packets of "avi" carry no time stamps of their own.
    """
    if container == TOLD_BY_TABLES or (container == AVI and announced <= len(scan.size)):
        return np.zeros(len(scan.size), bool)
    unclaimed = after_unclaimed(scan, container) & ~scan.begins_part
    if container == AVI:
        return unclaimed
    lost = unclaimed & _is_near_gap(scan)
    return lost | (_near_damage(scan) & _is_after_gap(scan)) if container == TRANSPORT else lost


def _near_damage(scan: PacketScan) -> NDArray[np.bool_]:
    """(P,) whether within a few packets of each one the demuxer calls a packet damaged, of whatever stream."""
    places = np.where(scan.pos == NO_VALUE, -1, scan.pos)
    damaged_others = scan.others[scan.others[:, 3] > 0, 0]
    rows = np.searchsorted(np.maximum.accumulate(places), damaged_others) if len(places) else damaged_others
    near = np.zeros(len(places), bool)
    for row in np.flatnonzero(scan.is_damaged).tolist():
        near[row : row + 3] = True
    for row in rows.tolist():
        near[max(row - _NEAR_FRAMES, 0) : row + 1 + _NEAR_FRAMES] = True
    return near


def ends_early(
    scan: PacketScan, container: "InputContainer", stream: "VideoStream", *, keeps_rate: bool = True
) -> bool:
    """Whether the file is cut short: its last packets are lost, and B pictures with them that come before its end.

    `keeps_rate`: where a codec has a constant rate by definition (MPEG-1 and 2), time stamps do, too.
    """
    if scan.is_damaged[-1] or stream.frames > len(scan.size):
        return True
    if stream.codec_context.name in MPEG_CODECS and keeps_rate:
        return True  # a gap before the last picture is a loss
    stamps = scan.pts[scan.pts != NO_VALUE]
    if len(stamps) < 2 or not container.duration or not stream.time_base:
        return False
    seen_seconds = float((stamps.max() - stamps.min()) * stream.time_base)
    usual_seconds = float(np.median(np.diff(np.sort(stamps))) * stream.time_base)
    return container.duration / _MICROSECONDS > seen_seconds + 2.5 * usual_seconds


def after_unclaimed(scan: PacketScan, container: str) -> NDArray[np.bool_]:
    """(P,) whether bytes before each packet belong to none, since the last packet whose place is known."""
    after = np.zeros(len(scan.size), bool)
    known = np.flatnonzero(scan.pos != NO_VALUE)
    if len(known) < 2:
        return after
    claimed = _with_overhead(np.add.reduceat(scan.size, known)[:-1].astype(np.float64), container)
    unclaimed = np.diff(scan.pos[known]) - claimed - _claimed_by_others(scan, known, container)
    if container == TRANSPORT:
        unclaimed = unclaimed - _filling(unclaimed, scan.dts[known])
    is_bare = container == MATROSKA and not len(scan.others)  # one stream of blocks: no byte is left over
    slack: float = {PROGRAM: _PROGRAM_SLACK_BYTES, MATROSKA: _MATROSKA_SLACK_BYTES if is_bare else _SLACK_BYTES}.get(
        container, _SLACK_BYTES
    )
    if not is_bare:
        slack = max(float(np.median(scan.size)) / 2, slack)
    # The loss lies anywhere between two packets with known places: every packet after the first may follow it.
    for place in np.flatnonzero(unclaimed > slack).tolist():
        after[known[place] + 1 : known[place + 1] + 1] = True
    return after


def _with_overhead(sizes: NDArray[np.float64], container: str) -> NDArray[np.float64]:
    """What packets of these sizes take in the file."""
    if container == TRANSPORT:
        return np.ceil((sizes + _PACKET_HEAD_BYTES) / (_CELL_BYTES - _CELL_HEAD_BYTES)) * _CELL_BYTES
    return sizes + _BLOCK_HEAD_BYTES * (sizes > 0) if container == MATROSKA else sizes * (1 + _OVERHEAD)


def _filling(unclaimed: NDArray[np.float64], dts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(K-1,) bytes of tables between packets decoded at (K,) `dts`; all where empty cells keep the rate constant."""
    seconds = np.clip(np.diff(dts / _CLOCK_PER_SECOND), 0, _LONGEST_PAUSE_SECONDS)
    if np.median(unclaimed - seconds * _TABLE_BYTES_PER_SECOND) > 0:
        return unclaimed
    return seconds * _TABLE_BYTES_PER_SECOND


def _claimed_by_others(scan: PacketScan, known: NDArray[np.int64], container: str) -> NDArray[np.float64]:
    """(K-1,) bytes of other streams between each of the `known` (K,) packets and the next."""
    places, sizes, streams, _ = scan.others.T
    sizes = sizes.astype(np.float64)
    for stream in np.unique(streams):
        of_stream = streams == stream
        sizes[of_stream] = np.minimum(sizes[of_stream], _LARGEST_OTHER * np.quantile(sizes[of_stream], 0.9))
    at, group = np.unique(places, return_inverse=True)
    taken = _with_overhead(np.bincount(group, sizes, len(at)).astype(np.float64), container)
    before = np.concatenate([[0.0], np.cumsum(taken)])
    claimed: NDArray[np.float64] = np.diff(before[np.searchsorted(at, scan.pos[known])])
    return np.maximum(claimed, 0)


def _is_after_gap(scan: PacketScan) -> NDArray[np.bool_]:
    """(P,) whether more time than usual has passed in the decoder since the packet before."""
    steps = np.diff(scan.dts, prepend=scan.dts[:1])
    usual = float(np.median(steps[1:])) if len(steps) > 1 else 0.0
    return np.asarray((steps > 1.5 * usual) & (scan.dts != NO_VALUE), bool)


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


_EVEN = 0.1  # of a step: containers round times to milliseconds
_EXACT = 0.02
_LONGEST_GAP = 100_000  # frames: a longer gap is a damaged time stamp rather than a loss
_MOST_STRAYED = 3
_NEAR_END_ROWS = 5
_NEAR_ROWS = 16  # decode order and presentation order differ by no more


def with_rows(scan: PacketScan, before: Ints, **columns: Ints) -> PacketScan:
    """The scan with a row for a lost packet before each of these rows; `columns` give their `pts` or `dts`."""
    filling = {"pts": NO_VALUE, "dts": NO_VALUE, "pos": NO_VALUE, "size": LOST, "number_in_group": NO_VALUE}
    filling["is_shown"] = True
    new: dict[str, Any] = {}
    for field in fields(PacketScan):
        column = getattr(scan, field.name)
        if field.name not in ("is_packed", "has_late_stream", "others"):
            values = columns.get(field.name, np.full(len(before), filling.get(field.name, 0), column.dtype))
            new[field.name] = np.insert(column, before, values)
    return replace(scan, **new)


def frames_lost_in_gaps(
    pts: Ints,
    lost_before: NDArray[np.bool_],
    is_shown: NDArray[np.bool_],
    *,
    is_exact: bool = False,
    begins_part: NDArray[np.bool_] | None = None,
) -> tuple[Ints, Ints]:
    """Where the frames of a file of constant rate are lost: before which rows, and at which times.

    Empty unless all frames but those beside a loss follow each other at one rate: a recording may pause.

    Args:
        lost_before: (P + 1,) whether packets are lost before each one, and at last before the end.
        is_shown: (P,) whether each packet announces a frame; others leave gaps or fill none.
        is_exact: the clock is so fine that a whole number of frames fits into each gap to a fiftieth of one. Where a
            bit of a time stamp is flipped, none does.
        begins_part: (P,) before which packets a file was joined; no frame is lost between two parts.
    """
    none = np.zeros(0, np.int64), np.zeros(0, np.int64)
    part = np.zeros(len(pts), np.int64) if begins_part is None else np.cumsum(begins_part)
    order = np.lexsort((pts, part))
    order = order[is_shown[order]]
    stamps = pts[order]
    is_joint = np.diff(part[order]) > 0
    steps = np.diff(stamps)
    if not lost_before.any() or (~is_joint).sum() < 2:
        return none
    usual = float(np.median(steps[~is_joint]))
    slack = _EVEN * usual
    even = (np.abs(steps - usual) <= slack) & ~is_joint
    gaps = np.flatnonzero(~even & ~is_joint)
    if usual <= 0 or not len(gaps) or (steps[gaps] < 1.5 * usual).any():
        return none
    step = float(steps[even].mean())
    counts = np.rint(steps[gaps] / step).astype(np.int64) - 1
    off = np.abs(steps[gaps] - (counts + 1) * step)
    rows = _rows_of_loss(order, gaps, lost_before)
    most_off = _EXACT * step if is_exact else slack + 0.01 * counts * step
    if (off > most_off).any() or (rows < 0).any() or (counts > _LONGEST_GAP).any():
        return none
    if begins_part is not None and counts.max() > len(order):
        return none  # more than all that is there: rather two recordings whose joint is damaged
    times = [stamps[gap] + np.rint(step * np.arange(1, count + 1)) for gap, count in zip(gaps, counts, strict=True)]
    return np.repeat(rows, counts), np.concatenate(times).astype(np.int64)


def _rows_of_loss(order: Ints, gaps: Ints, lost_before: NDArray[np.bool_]) -> Ints:
    """(G,) for each gap after `order[gap]` the row nearby before which packets are lost, -1 where there is none."""
    flagged = np.flatnonzero(lost_before)
    after = order[gaps + 1]
    nearest = flagged[np.abs(flagged[None, :] - after[:, None]).argmin(axis=1)]
    reach = np.where(nearest == len(lost_before) - 1, _NEAR_END_ROWS, _NEAR_ROWS)
    return np.where(np.abs(nearest - after) <= reach, nearest, -1)


def strayed(pts: Ints, reorders: bool) -> NDArray[np.bool_]:
    """(P,) packets in decode order whose time stamp is damaged: it moves one further than reordering can.

    Only single ones: where many stray, the clock is odd rather than damaged.
    """
    order = np.argsort(pts, kind="stable")
    rank = np.empty(len(pts), np.int64)
    rank[order] = np.arange(len(pts))
    away = np.abs(rank - np.arange(len(pts))) > (_NEAR_ROWS if reorders else 1)
    return away if away.sum() <= max(_MOST_STRAYED, len(pts) // 1000) else np.zeros(len(pts), bool)
