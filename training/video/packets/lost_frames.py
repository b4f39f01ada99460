"""Rows for packets that are lost, so that the frames after them keep their numbers."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.video.packets.presentation import Ints
from training.video.packets.scan import PacketScan
from training.video.packets.table import LOST, NO_VALUE

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
        pts: (P,) time stamps of packets in decode order.
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

    Args:
        pts: (P,) time stamps.
        reorders: whether the codec shows packets in another order than it decodes them.
    """
    order = np.argsort(pts, kind="stable")
    rank = np.empty(len(pts), np.int64)
    rank[order] = np.arange(len(pts))
    away = np.abs(rank - np.arange(len(pts))) > (_NEAR_ROWS if reorders else 1)
    return away if away.sum() <= max(_MOST_STRAYED, len(pts) // 1000) else np.zeros(len(pts), bool)
