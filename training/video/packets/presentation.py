"""From packets in decode order to frames in presentation order, with their times; for MPEG by the kinds of pictures.

The presentation order of a file that does not store it, learnt by decoding the file once.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text
from training.video.packets.container import open_container
from training.video.packets.scan import packets_of
from training.video.packets.table import NO_VALUE

Ints = NDArray[np.int64]


def segments(dts: Ints, is_key: NDArray[np.bool_]) -> Ints:
    """(P,) which stretch of one running clock each packet belongs to.

    Where recordings were joined end to end, the clock starts again: at a key packet whose decoding time lies before one
    that was there already.
    """
    begins = np.zeros(len(dts), np.int64)
    keys = np.flatnonzero(is_key & (dts != NO_VALUE))
    if len(keys):
        highest = np.maximum.reduceat(dts, keys).tolist()  # of each key packet and those up to the next
        running = highest[0]
        for row, key_dts, block in zip(keys.tolist(), dts[keys].tolist(), highest, strict=True):
            begins[row] = key_dts < running and row > keys[0]
            running = block if begins[row] else max(running, block)
    return np.cumsum(begins)


def presentation_rank(segment: Ints, pts: Ints) -> Ints:
    """(P,) place of each packet in presentation order: by segment, then time stamp, then decode order."""
    order = np.lexsort((np.arange(len(pts)), pts, segment))
    rank = np.empty(len(pts), np.int64)
    rank[order] = np.arange(len(pts))
    return rank


_MOST_HELD = 16  # pictures: no decoder holds more back
_USUALLY = 0.95


def exceeds_decoder(rank: Ints, segment: Ints, pts: Ints, dts: Ints, *, reorders: bool) -> bool:
    """Whether no decoder gives pictures out in the order of their time stamps, so that these are broken.

    All (P,) in decode order; a decoder that `reorders` holds pictures back.
    """
    rows = np.arange(len(rank))
    if not reorders:
        return bool((rank != rows).any())
    order = np.argsort(rank)
    is_repeated = ((np.diff(pts[order]) == 0) & (np.diff(segment[order]) == 0)).any()
    return bool(is_repeated or (rows - rank > _MOST_HELD).any() or (pts < dts).any())


def keeps_cadence(rank: Ints, pts: Ints, dts: Ints) -> bool:
    """Whether pictures are shown in the rhythm in which they are decoded, as encoders and muxers have it."""
    late = (pts[np.argsort(rank)] - dts)[dts != NO_VALUE]
    if len(late) < 2:
        return True
    step = float(np.median(np.diff(np.sort(pts))))
    return bool((np.abs(late - np.median(late)) <= step / 2).mean() >= _USUALLY)


def seconds_from(pts: Ints, segment: Ints, time_base: Fraction) -> NDArray[np.float64]:
    """(N,) seconds since the first frame, for frames in presentation order; a restarted clock continues."""
    if not len(pts):
        return np.zeros(0)
    steps = np.diff(pts)
    joins = np.flatnonzero(np.diff(segment))
    usual = int(np.median(steps)) if len(steps) else 0
    if len(joins):
        steps = steps.copy()
        steps[joins] = max(usual, 0)
    units = np.concatenate([[0], np.cumsum(steps)])
    return units.astype(np.float64) * time_base.numerator / time_base.denominator


_NEAR_ROWS = 16
_LONGEST_GROUP = 1000  # pictures; their numbers begin again at 1024
_FEWEST_SOUND_GROUPS = 2
_MOST_GUESSES = 8  # more times that lie back belong to another recording, joined on


def rank_by_kinds(
    is_b: NDArray[np.bool_], is_lost: NDArray[np.bool_], lost_before: NDArray[np.bool_]
) -> tuple[Ints, NDArray[np.bool_]]:
    """(P,) place of each packet in presentation order, as a decoder of MPEG-1, 2 or 4 gives pictures out.

    A decoder holds each picture that is no B picture until the next such one. Before a loss, of packets with a row
    (`is_lost`) or without one (`lost_before`), it is given out at once, since it is unknown what would have come before
    it: (P,) whether a packet's place is in doubt comes second.
    """
    rank = np.empty(len(is_b), np.int64)
    in_doubt = np.zeros(len(is_b), bool)
    has_b = bool((is_b & ~is_lost).any())
    held, place = -1, 0
    for row, (b_picture, lost, after) in enumerate(
        zip(is_b.tolist(), is_lost.tolist(), lost_before.tolist(), strict=True)
    ):
        if held >= 0 and (not b_picture or lost or after):
            rank[held], place = place, place + 1
            in_doubt[held] = has_b and (lost or after)
            held = -1
        if b_picture or lost:
            rank[row], place = place, place + 1
        else:
            held = row
    if held >= 0:
        rank[held] = place
    return rank, in_doubt


def against_their_group(rank: Ints, number_in_group: Ints, opens_group: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(P,) pictures that are not where their number in the group of pictures says, so that others are lost before them.

    Those that differ from most of their group; all of a group without a majority. None where groups differ throughout,
    as where fields are coded as pictures of their own. Numbers are `temporal_reference`, or `NO_VALUE`.
    """
    doubt = np.zeros(len(rank), bool)
    known = number_in_group != NO_VALUE
    starts = np.union1d([0], np.flatnonzero(opens_group))
    if not known.any() or np.diff(np.append(starts, len(rank))).max() > _LONGEST_GROUP:
        return doubt
    first = np.where(known, rank - number_in_group, 0)
    lowest = np.minimum.reduceat(np.where(known, first, np.iinfo(np.int64).max), starts)
    highest = np.maximum.reduceat(np.where(known, first, np.iinfo(np.int64).min), starts)
    differing = np.flatnonzero(lowest < highest)
    if len(differing) > max(_FEWEST_SOUND_GROUPS, len(starts) // 2):
        return doubt
    ends = np.append(starts[1:], len(rank))
    for group in differing.tolist():
        rows = np.arange(starts[group], ends[group])[known[starts[group] : ends[group]]]
        values, counts = np.unique(first[rows], return_counts=True)
        usual = values[counts.argmax()] if counts.max() * 2 > len(rows) else None
        doubt[rows] = True if usual is None else first[rows] != usual
    return doubt


def groups_are_whole(number_in_group: Ints, opens_group: NDArray[np.bool_]) -> bool:
    """Whether the numbers of pictures in each group (see `against_their_group`) leave none out: none is lost."""
    group = np.cumsum(opens_group)
    order = np.lexsort((number_in_group, group))
    starts = np.searchsorted(group, group)
    return bool((number_in_group[order] == np.arange(len(group)) - starts).all())


def even_decoding_times(dts: Ints) -> Ints:
    """(P,) decoding times of pictures of one rate, where one before the picture that it follows is its guess.

    After a loss ffmpeg guesses the decoding time of the first picture from one before the loss.
    """
    even = dts.copy()
    steps = np.diff(dts)
    usual = int(np.median(steps)) if len(steps) else 0
    for row in (np.flatnonzero(steps <= 0) + 1).tolist():
        guessed = [later for later in range(row, min(row + _MOST_GUESSES, len(dts))) if dts[later] <= even[row - 1]]
        after = row + len(guessed)
        expected = even[row - 1] + usual * np.arange(1, len(guessed) + 1)
        if guessed and guessed[-1] == after - 1 and after < len(dts) and dts[after] > expected[-1]:
            even[row:after] = expected
    return even


_OF_STEPS_AT_RATE = 0.75
_ALMOST = 0.05  # of a step


def keeps_rate(dts: Ints, rate: Fraction | None, time_base: Fraction | None) -> bool:
    """Whether pictures are decoded at the rate that their header gives, but for some gaps; else stamps are broken."""
    if not rate or not time_base or len(dts) < 2 or (dts == NO_VALUE).any():
        return False
    steps = np.diff(dts) * float(time_base * rate)
    return bool((np.abs(steps - 1) < _ALMOST).mean() >= _OF_STEPS_AT_RATE)


def contradicts(pts: Ints, times: Ints) -> NDArray[np.bool_]:
    """(N,) whether frames in presentation order have a time stamp of another frame; `times` are where they stand."""
    step = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    return np.asarray(np.abs(pts - times) > step / 2, bool)


def near_lost(is_lost: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(P,) packets a few rows from a lost one."""
    near = np.zeros(len(is_lost), bool)
    for row in np.flatnonzero(is_lost).tolist():
        near[max(row - _NEAR_ROWS, 0) : row + 1 + _NEAR_ROWS] = True
    return near


_PACKETS_BETWEEN_REPORTS = 256
_PACKETS_LOOKED_AT = 64


def decoder_output_order(
    path: Path, stream: int, is_lost: NDArray[np.bool_], reporter: Reporter, *, is_cut_short: bool = False
) -> tuple[Ints, NDArray[np.bool_]]:
    """The order in which the decoder gives the frames of the file's packets out.

    A packet that gives no frame is put right behind the packet that came before it.

    Args:
        is_cut_short: the end of the file is lost.

    Returns:
        (P,) rank of each packet, and (P,) whether it is in doubt: lost frames may come before it.
    """
    order = _decoded(path, stream, is_lost, reporter, is_careful=bool(is_lost.any()) or is_cut_short)
    is_damaged = bool(order.failed.any() or is_lost.any())
    if order.failed.any():  # with several frames in work at once it is unknown which one failed
        order = _decoded(path, stream, is_lost, reporter, is_careful=True)
    count = len(is_lost)
    failed = ~np.isin(np.arange(count), order.given) & is_damaged
    return _rank_from(order.given, count), _in_doubt(order, is_lost | failed, is_cut_short)


def follows(path: Path, stream: int, rank: Ints) -> bool:
    """Whether the first pictures that the decoder gives out come in the order of `rank` (P,); all rows are in the file.

    A look at some groups of pictures, for files whose time stamps say that nothing is reordered.
    """
    is_lost = np.zeros(min(len(rank), _PACKETS_LOOKED_AT), bool)
    given = _decoded(path, stream, is_lost, SilentReporter(), is_careful=True).given
    return bool((np.diff(rank[given]) > 0).all())


@dataclass(frozen=True)
class _Decoded:
    given: list[int]
    """Rows of packets in the order in which their frames came out."""
    given_before: Ints
    """(P + 1,) how many frames had come out when each packet was handed over, and at the end."""
    failed: NDArray[np.bool_]
    """(P,) the decoder refused the packet."""


def _decoded(path: Path, number: int, is_lost: NDArray[np.bool_], reporter: Reporter, *, is_careful: bool) -> _Decoded:
    import av

    count = len(is_lost)
    given: list[int] = []
    failed = np.zeros(count, bool)
    given_before = np.zeros(count + 1, np.int64)
    container, stream = open_container(path, number)
    with container:
        context = stream.codec_context
        context.thread_type = "AUTO"
        if is_careful:
            context.thread_type, context.thread_count = "SLICE", 1  # several frames in work at once come out late
        packets = (packet for packet, _ in packets_of(container, stream))
        rows = zip(np.flatnonzero(~is_lost).tolist(), packets, strict=False)
        for row, packet in chain(rows, [(count, None)]):
            if row % _PACKETS_BETWEEN_REPORTS == 0:
                reporter.check()
                reporter.progress(row, count, "frames", Text("ordering {name}", path.name))
            given_before[row] = len(given)
            if is_careful and packet is not None and packet.is_keyframe and row and is_lost[:row].any():
                # As `FrameDecoder` does: with what is lost in mind, decoders throw away good frames.
                given.extend(frame.pts for frame in context.decode(None) if frame.pts is not None)
                context.flush_buffers()
            if packet is not None:
                packet.pts, packet.dts = row, row  # the row rides through the decoder as a time stamp
            try:
                given.extend(frame.pts for frame in context.decode(packet) if frame.pts is not None)
            except av.error.FFmpegError:
                failed[row : row + 1] = True
    return _Decoded(given, given_before, failed)


def _rank_from(given: list[int], packets: int) -> Ints:
    place = np.full(packets, -1.0)
    place[given] = np.arange(len(given))
    for row in np.flatnonzero(place < 0).tolist():
        place[row] = place[row - 1] + 1 / packets if row else -0.5
    rank = np.empty(packets, np.int64)
    rank[np.lexsort((np.arange(packets), place))] = np.arange(packets)
    return rank


def _in_doubt(order: _Decoded, is_lost: NDArray[np.bool_], is_cut_short: bool) -> NDArray[np.bool_]:
    """(P,) packets before one that gives no frame, lost or damaged, whose frames came out only after it."""
    doubt = np.zeros(len(is_lost), bool)
    given = np.array(order.given, np.int64)
    after_loss = np.flatnonzero(~is_lost & np.concatenate([[False], is_lost[:-1]]))
    for row in [*after_loss.tolist(), *([len(is_lost)] if is_cut_short or is_lost[-1:].any() else [])]:
        late = given[order.given_before[row] :]
        doubt[late[late < row]] = True
    return doubt
