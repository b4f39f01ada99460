"""From packets in decode order to frames in presentation order, with their times."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from training.video.packet_table import NO_VALUE

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


def seconds_from(pts: Ints, segment: Ints, time_base: Fraction) -> NDArray[np.float64]:
    """(N,) seconds since the first frame, for frames in presentation order; a restarted clock goes on where it was."""
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
