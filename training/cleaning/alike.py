"""Frames that are too much alike, and frames that are like no other: both by Euclidean distances of embeddings."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 512
"""Frames compared at once."""
SAMPLED_PAIRS = 20_000
"""Pairs drawn for the usual distance."""
NEIGHBOURS = 10
"""The distance to this neighbour says how far a frame is from all others."""
DUPLICATE_SHARE = 0.15
"""Of the usual distance; see docs/guide/cleaning.md for what it finds."""

Progress = Callable[[int, int], object]


def _no_progress(done: int, total: int) -> None:
    pass


class Pair(NamedTuple):
    """Two frames of different groups that look the same."""

    first: int
    """Row of one of them."""
    second: int
    """Row of the other one, above `first`."""
    distance: float
    """As a share of the usual distance of two frames of different groups; 0 for equal embeddings."""


def near_duplicates(
    embeddings: NDArray[np.floating],
    groups: NDArray[np.generic],
    *,
    share: float = DUPLICATE_SHARE,
    progress: Progress = _no_progress,
) -> list[Pair]:
    """Frames whose nearest frame of another group is much nearer than usual, the nearest pair first.

    Args:
        embeddings: (N, D), finite.
        groups: (N,) study or patient of each frame; frames of one group are not compared.
        share: pairs up to this share of the usual distance are listed, which is the median over pairs of frames of
            different groups; > 0.
        progress: called with the frames done and N; may raise to give up.

    Returns:
        For each frame at most the pair with its nearest frame of another group; each pair once.

    Raises:
        ValueError: the arrays do not fit, or a number is not finite.
    """
    points = _points(embeddings)
    group = _numbers(groups, len(points))
    usual = _usual_distance(points, group)
    pairs: set[tuple[int, int]] = set()
    for rows, squares in _blocks(points, progress):
        squares[group[rows][:, None] == group] = np.inf
        nearest = squares.argmin(axis=1)
        is_near = np.isfinite(np.take_along_axis(squares, nearest[:, None], axis=1)[:, 0])
        for row, other in zip(rows[is_near].tolist(), nearest[is_near].tolist(), strict=True):
            pairs.add((min(row, other), max(row, other)))
    if not pairs:
        return []
    both = np.array(sorted(pairs))
    shares = _exact_distances(points, both) / max(usual, 1e-30)
    order = [at for at in np.argsort(shares, kind="stable").tolist() if shares[at] <= share]
    return [Pair(int(both[at, 0]), int(both[at, 1]), float(shares[at])) for at in order]


def outlier_scores(
    embeddings: NDArray[np.floating],
    groups: NDArray[np.generic] | None = None,
    seconds: NDArray[np.floating] | None = None,
    *,
    min_seconds: float = 60.0,
    neighbours: int = NEIGHBOURS,
    progress: Progress = _no_progress,
) -> NDArray[np.float64]:
    """How far each frame is from all others: the distance to its k-th neighbour (Ramaswamy et al. 2000).

    Args:
        embeddings: (N, D), finite.
        groups: (N,) study of each frame; None: all are of one study.
        seconds: (N,) time of each frame in its study; None: unknown, so that all other frames are neighbours.
        min_seconds: frames of the same study nearer in time than this are no neighbours, since a capsule sees one thing
            in many frames.
        neighbours: k; fewer where there are fewer other frames.
        progress: called with the frames done and N; may raise to give up.

    Returns:
        (N,) as multiples of the median frame's; 0 where no frame is a neighbour.

    Raises:
        ValueError: the arrays do not fit, or a number is not finite.
    """
    points = _points(embeddings)
    group = np.zeros(len(points), np.int64) if groups is None else _numbers(groups, len(points))
    if seconds is not None and seconds.shape != (len(points),):
        raise ValueError(f"seconds must be ({len(points)},), not {seconds.shape}")
    far = np.zeros(len(points))
    for rows, squares in _blocks(points, progress):
        if seconds is None:
            squares[np.arange(len(rows)), rows] = np.inf
        else:
            near = np.abs(seconds[rows][:, None] - seconds) < min_seconds
            squares[near & (group[rows][:, None] == group)] = np.inf
            squares[np.arange(len(rows)), rows] = np.inf
        others = np.isfinite(squares).sum(axis=1)
        at = np.minimum(neighbours, others) - 1
        ranked = np.partition(squares, np.unique(np.maximum(at, 0)), axis=1)
        kth = np.take_along_axis(ranked, np.maximum(at, 0)[:, None], axis=1)[:, 0]
        far[rows] = np.where(others > 0, np.sqrt(np.where(others > 0, kth, 0.0)), 0.0)
    usual = float(np.median(far[far > 0])) if (far > 0).any() else 1.0
    return far / usual


def _points(embeddings: NDArray[np.floating]) -> NDArray[np.float32]:
    """(N, D), centred, so that a common offset does not eat the digits."""
    if embeddings.ndim != 2:
        raise ValueError(f"embeddings must be (N, D), not {embeddings.shape}")
    points = np.asarray(embeddings, np.float32)
    if not np.isfinite(points).all():
        raise ValueError("embeddings must be finite")
    return points - points.mean(axis=0, dtype=np.float64).astype(np.float32) if len(points) else points


def _numbers(groups: NDArray[np.generic], count: int) -> NDArray[np.int64]:
    if np.shape(groups) != (count,):
        raise ValueError(f"groups must be ({count},), not {np.shape(groups)}")
    return np.asarray(np.unique(groups, return_inverse=True)[1], np.int64)


def _blocks(points: NDArray[np.float32], progress: Progress) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """Rows (B,) and their squared distances (B, N) from all frames, which may be overwritten."""
    squares = np.einsum("ij,ij->i", points, points)
    for start in range(0, len(points), BLOCK):
        progress(start, len(points))
        rows = np.arange(start, min(start + BLOCK, len(points)))
        products = points[rows] @ points.T
        yield rows, np.maximum(squares[rows][:, None] + squares - 2.0 * products, 0.0)
    progress(len(points), len(points))


def _exact_distances(points: NDArray[np.float32], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """(P,) distances of pairs (P, 2) in float64: products lose the digits of small ones."""
    parts = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
    steps = (points[part[:, 0]].astype(np.float64) - points[part[:, 1]] for part in parts)
    return np.concatenate([np.linalg.norm(step, axis=1) for step in steps])


def _usual_distance(points: NDArray[np.float32], group: NDArray[np.int64]) -> float:
    """The median distance of pairs of frames of different groups, of a fixed draw; 0 without any."""
    if not len(points):
        return 0.0
    drawn = np.random.default_rng(0).integers(0, len(points), (SAMPLED_PAIRS, 2))
    drawn = drawn[group[drawn[:, 0]] != group[drawn[:, 1]]]
    return float(np.median(_exact_distances(points, drawn))) if len(drawn) else 0.0
