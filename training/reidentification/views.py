"""What a batch is made of: two views of each tracklet, and one tracklet of each procedure (Intrator et al. 2023).

Tracklets of different procedures always show different findings, so all others of a batch are negatives.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.texts import Text

LONGER = "Leave short tracklets out (training.reidentification.filtering)."


class PseudoPair(NamedTuple):
    """The first and the last part of one tracklet, V views of each."""

    frames: NDArray[np.int64]
    """(2, V) places in the tracklet, from 0, in order; where `mask` is False the part's last view stands again."""
    mask: NDArray[np.bool_]
    """(2, V) whether there is a view."""


def two_views(frame_count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Two different frames of a tracklet as a positive pair of the single-frame encoder (section 2.1).

    Args:
        frame_count: frames of the tracklet.
        rng: draws uniformly; the paper does not say how the two are sampled.

    Returns:
        (2,) places in the tracklet, from 0.

    Raises:
        UserError: the tracklet has one frame only, or none.
    """
    if frame_count < 2:
        raise UserError(Text("A tracklet of {frame_count} frames has no two views.", frame_count), LONGER)
    return rng.choice(frame_count, 2, replace=False)


def pseudo_pair(frame_count: int, views: int, rng: np.random.Generator) -> PseudoPair:
    """A positive pair of the multi-view encoder: views of a tracklet's first and of its last third (section 2.2).

    The paper cuts a tracklet in three disjoint parts and discards the middle one, without giving their lengths. Ours:
    thirds, the middle one longer by what is left over. Views are drawn without repetition; a part of fewer frames gives
    all of them, since a repeated view would only count twice in the attention.

    Args:
        frame_count: frames of the tracklet.
        views: V, how many of each part; 8 in the paper.
        rng: draws uniformly within each part.

    Raises:
        UserError: the tracklet has fewer than three frames.
    """
    if views < 1:
        raise ValueError(f"a part needs a view, not {views}")
    if frame_count < 3:
        raise UserError(Text("A tracklet of {frame_count} frames cannot be cut in three.", frame_count), LONGER)
    length = frame_count // 3
    taken = min(views, length)
    chosen = np.stack(
        [start + np.sort(rng.choice(length, taken, replace=False)) for start in (0, frame_count - length)]
    )
    frames = np.pad(chosen, ((0, 0), (0, views - taken)), mode="edge").astype(np.int64)
    return PseudoPair(frames, np.broadcast_to(np.arange(views) < taken, (2, views)).copy())


def spread_views(frame_count: int, views: int) -> NDArray[np.int64]:
    """At most V frames of a tracklet, spread over its length, for its vector after training.

    Ours: the paper does not say which frames, and how many, are taken then.

    Returns:
        (min(V, frame_count),) places in the tracklet, from 0, in order.
    """
    if min(frame_count, views) < 1:
        raise ValueError(f"there are no {views} views of {frame_count} frames")
    return np.linspace(0, frame_count - 1, min(views, frame_count)).round().astype(np.int64)


class ProcedureBatches:
    """Batches of N different procedures, and one tracklet of each (section 2.1).

    Ours: each batch is drawn by itself, so a run that goes on needs no batches of before.

    Args:
        procedures: (T,) the procedure of each tracklet.
        batch: N, at least 2.

    Raises:
        UserError: there is one procedure only (then nothing is a negative), or there are fewer than N.
    """

    def __init__(self, procedures: Sequence[str], batch: int) -> None:
        if batch < 2:
            raise ValueError(f"a batch needs two tracklets, not {batch}")
        _, inverse = np.unique(np.asarray(procedures), return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        self._tracklets = np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1) if len(order) else []
        self._batch = batch
        if len(self._tracklets) < 2:
            raise UserError(
                "Re-identification cannot be trained on tracklets of one procedure.",
                "Add procedures of other patients: their tracklets are the negatives.",
            )
        if len(self._tracklets) < batch:
            raise UserError(
                "A batch of {batch} procedures cannot be drawn from {count}.",
                "Ask for batches of at most {count}.",
                batch,
                len(self._tracklets),
            )

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """(N,) numbers of tracklets: procedures and then a tracklet of each are drawn uniformly."""
        chosen = rng.choice(len(self._tracklets), self._batch, replace=False)
        return np.array([rng.choice(self._tracklets[number]) for number in chosen], np.int64)
