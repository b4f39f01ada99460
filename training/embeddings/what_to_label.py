"""Which frames are most useful to label: far from labelled frames, undecided by score, one per neighbourhood.

The first labels go by distance alone, so that every kind of frame is labelled once: before that the scores are wrong
where they are certain. Then uncertainty alone picks the same doubtful fold a hundred times, and distance alone picks
bubbles and test patterns; the product of both, with at most one pick in a neighbourhood, is ours, and so is the change
(docs/results/labels.md, "What to label next"). Uncertainty by the margin of the two best classes is
Scheffer et al. 2001 ("Active hidden Markov models for information extraction"); choosing what is farthest from the
labelled set is the greedy k-centre of Sener and Savarese 2018 ("Active learning for convolutional neural networks: a
core-set approach").
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COVERED_LABELS = 40
"""Below so many labels, distance alone decides; labelled frames of one stretch of time are one label (ours)."""
APART_SECONDS = 2.0
"""Length of a stretch, whose frames look alike."""
MOST_CANDIDATES = 2000
"""Frames that are compared with each other."""
NEIGHBOURHOOD_RANK = 5
"""A neighbourhood reaches as far as the fifth nearest candidate of a typical candidate (ours)."""

ROUNDING = 1e-4
"""Part of the radius: the radius is itself the distance of two candidates, which float32 gives with an error."""
TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Pick:
    """One frame to be labelled.

    Attributes:
        row: which candidate.
        undecided: in [0, 1], see `undecided`.
        distance: Euclidean, to the nearest labelled or earlier picked frame; infinite where there is none yet.
        far: `distance` against that of the other candidates, in [0, 1]: 0.5 is typical, 1 where nothing is labelled.
        nearest: row of the nearest labelled frame in `known`, or -1 where none is labelled.
    """

    row: int
    undecided: float
    distance: float
    far: float
    nearest: int


def undecided(scores: NDArray[np.floating]) -> NDArray[np.float32]:
    """(N,) float32 in [0, 1]: 1 less the margin between the two best classes; 1 is a draw, NaN a missing frame.

    Args:
        scores: (N, C) in [0, 1] or NaN. Of a single class the distance from 0.5 counts: 1 - |2 p - 1|.
    """
    values = np.asarray(scores, np.float32)
    if values.shape[1] == 1:
        return np.asarray(1.0 - np.abs(2.0 * values[:, 0] - 1.0), np.float32)
    best = np.partition(values, values.shape[1] - 2, axis=1)[:, -2:]
    doubt = 1.0 - np.abs(best[:, 1] - best[:, 0])
    return np.asarray(np.where(np.isnan(values).any(1), np.nan, doubt), np.float32)


def candidates(
    doubt: NDArray[np.floating],
    video_seconds: NDArray[np.floating],
    is_open: NDArray[np.bool_],
    *,
    most: int = 1000,
    apart_seconds: float = APART_SECONDS,
    by_doubt: bool = True,
) -> NDArray[np.int64]:
    """Rows of one study worth looking at: of each stretch of time the most undecided frame, `most` of them.

    Args:
        doubt: (N,) from `undecided`; rows of NaN are never chosen.
        video_seconds: (N,) increasing.
        is_open: (N,) True where a frame may be asked for: not labelled yet.
        most: how many rows at most.
        apart_seconds: length of a stretch.
        by_doubt: whether of too many stretches the most undecided are kept, or stretches over the whole study.

    Returns:
        (K,) rows, the most undecided first, K <= most.
    """
    rows = np.flatnonzero(is_open & np.isfinite(doubt))
    rows = rows[np.argsort(-doubt[rows], kind="stable")]
    stretch = np.floor(video_seconds[rows] / apart_seconds) if apart_seconds > 0 else rows
    _, first = np.unique(stretch, return_index=True)
    return foremost(rows[np.sort(first)], most, by_doubt=by_doubt)


def foremost(rows: NDArray[np.int64], most: int, *, by_doubt: bool) -> NDArray[np.int64]:
    """(K,) the first `most` of rows (R,), the most undecided first, or as many spread over all of them."""
    if by_doubt or len(rows) <= most:
        return np.asarray(rows[:most], np.int64)
    kept = np.sort(rows)[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
    return np.asarray(rows[np.isin(rows, kept)], np.int64)


def label_count(video_seconds: NDArray[np.floating], is_labelled: NDArray[np.bool_]) -> int:
    """Labels of a study (N,) in the sense of `COVERED_LABELS`."""
    return len(np.unique(np.floor(video_seconds[is_labelled] / APART_SECONDS)))


def pick_to_label(
    points: NDArray[np.floating],
    doubt: NDArray[np.floating],
    known: NDArray[np.floating],
    *,
    count: int,
    by_doubt: bool = True,
) -> list[Pick]:
    """The `count` most useful candidates, best first; fewer where neighbourhoods run out.

    Args:
        points: (K, D) embeddings of the candidates; rows with NaN are left out.
        doubt: (K,) in [0, 1] from `undecided`.
        known: (M, D) embeddings of labelled frames, M may be 0; rows with NaN are left out.
        count: how many.
        by_doubt: whether doubt counts beside distance; False below `COVERED_LABELS` labels.
    """
    points, known = np.asarray(points, np.float32), np.asarray(known, np.float32)
    usable = np.isfinite(points).all(1) & np.isfinite(doubt)
    if not usable.any():
        return []
    distance, nearest = _to_nearest(points, known)
    radius, typical = _radius(points[usable]), _typical(distance[usable])
    weight = doubt if by_doubt else np.ones_like(doubt)
    picks: list[Pick] = []
    while usable.any() and len(picks) < count:
        with np.errstate(invalid="ignore"):  # in [0, 1]: the distance against the typical one
            far = np.where(np.isfinite(distance), distance / (distance + max(typical, TINY)), np.float32(1))
        row = int(np.argmax(np.where(usable, weight * far, -1.0)))
        picks.append(Pick(row, float(doubt[row]), float(distance[row]), float(far[row]), int(nearest[row])))
        to_pick = np.sqrt(np.square(points - points[row]).sum(1))
        usable &= to_pick > radius * (1 + ROUNDING)
        distance = np.fmin(distance, to_pick)
        typical = typical or _typical(distance[usable])
    return picks


def _to_nearest(
    points: NDArray[np.float32], known: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """(K,) distance to the nearest labelled frame, and (K,) its row in `known`."""
    rows = np.flatnonzero(np.isfinite(known).all(1)) if known.size else np.zeros(0, np.int64)
    if not rows.size:
        return np.full(len(points), np.inf, np.float32), np.full(len(points), -1, np.int64)
    squares = _squared_distances(points, known[rows])
    at = squares.argmin(1)
    return np.sqrt(np.take_along_axis(squares, at[:, None], 1)[:, 0]), rows[at]


def _squared_distances(points: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """(K, M), of centred points, so that large common offsets do not eat the digits; NaN rows give infinity."""
    middle = others.mean(0, dtype=np.float64).astype(np.float32)
    left, right = points - middle, others - middle
    squares = np.square(left).sum(1)[:, None] + np.square(right).sum(1) - 2.0 * left @ right.T
    return np.asarray(np.where(np.isnan(squares), np.inf, np.maximum(squares, 0.0)), np.float32)


def _radius(points: NDArray[np.float32]) -> float:
    """How far a neighbourhood reaches; 0 joins duplicates only, where there are too few candidates for more."""
    rank = NEIGHBOURHOOD_RANK
    if len(points) <= 4 * rank:
        return 0.0
    squares = np.partition(_squared_distances(points, points), rank, axis=1)[:, rank]  # rank 0 is the point itself
    return float(np.sqrt(np.median(squares)))


def _typical(distance: NDArray[np.float32]) -> float:
    finite = distance[np.isfinite(distance)]
    return float(np.median(finite)) if finite.size else 0.0
