"""Which frames of a pool to label next: the window's rule, draws at random, and published rules beside it.

A strategy takes the pool, the labelled rows, the scores of the frames by the classifier fitted to these labels, and
returns rows that are not labelled yet. Without scores, before both classes are labelled, rules that need them draw at
random by group.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings.what_to_label import COVERED_LABELS, MOST_CANDIDATES, foremost, pick_to_label, undecided

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]
TYPICAL_OF = 20
"""Neighbours that say how typical a frame is, as in the paper of TypiClust."""


@dataclass(frozen=True)
class Pool:
    """N frames, some of them labelled."""

    points: NDArray[np.float32]
    """(N, D) embeddings."""
    groups: NDArray[np.str_]
    """(N,) patient or sequence of each frame."""
    labelled: Rows
    """(L,) rows."""
    scores: Scores | None
    """(N, C) of the classifier, in [0, 1]; None where fewer than two classes are labelled."""

    @property
    def open(self) -> Rows:
        """Rows without a label, ascending."""
        return np.setdiff1d(np.arange(len(self.points)), self.labelled)

    @property
    def directions(self) -> NDArray[np.float32]:
        """(N, D) embeddings of length 1."""
        lengths = np.linalg.norm(self.points, axis=1, keepdims=True)
        return np.asarray(self.points / np.maximum(lengths, 1e-12), np.float32)


Strategy = Callable[[Pool, int, np.random.Generator], Rows]


def random_frames(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """Every frame is as likely."""
    return rng.permutation(pool.open)[:count]


def random_by_group(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """The groups in turn, in a random order, of each a random frame; groups with fewer labels first."""
    shuffled = rng.permutation(pool.open)
    names, group = np.unique(pool.groups, return_inverse=True)
    turn = np.bincount(group[pool.labelled], minlength=len(names))
    turns = np.zeros(len(shuffled), np.int64)
    for place, row in enumerate(shuffled.tolist()):
        turns[place] = turn[group[row]]
        turn[group[row]] += 1
    order = np.lexsort((rng.permutation(len(names))[group[shuffled]], turns))
    return np.asarray(shuffled[order][:count], np.int64)


def window_rule(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """*What to label next* of the window: far from labelled frames, from 40 labels on also undecided."""
    return _window(pool, count, by_doubt=pool.scores is not None and len(pool.labelled) >= COVERED_LABELS)


def doubt_and_distance(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """The window's rule without its first phase: undecided and far from labelled frames from the first score on."""
    return random_by_group(pool, count, rng) if pool.scores is None else _window(pool, count, by_doubt=True)


def _window(pool: Pool, count: int, *, by_doubt: bool) -> Rows:
    doubt = np.ones(len(pool.points), np.float32) if pool.scores is None else undecided(pool.scores)
    rows = pool.open[np.argsort(-doubt[pool.open], kind="stable")]
    rows = foremost(rows, MOST_CANDIDATES, by_doubt=by_doubt)
    known = pool.points[pool.labelled]
    picks = pick_to_label(pool.points[rows], doubt[rows], known, count=count, by_doubt=by_doubt)
    return rows[[pick.row for pick in picks]]


def margin(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """The smallest margin of the two best classes (Scheffer et al. 2001)."""
    if pool.scores is None:
        return random_by_group(pool, count, rng)
    rows = pool.open
    return rows[np.argsort(-undecided(pool.scores)[rows], kind="stable")][:count]


def k_centre(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """The frame farthest from all labelled ones, again and again (Sener and Savarese 2018)."""
    chosen = pool.labelled.tolist() or [int(rng.integers(len(pool.points)))]
    first = len(pool.labelled)
    distance = np.min([_squares(pool.points, row) for row in chosen], axis=0)
    while len(chosen) < first + count:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, _squares(pool.points, chosen[-1]))
    return np.array(chosen[first:], np.int64)


def _squares(points: NDArray[np.float32], row: int) -> NDArray[np.float32]:
    return np.asarray(np.square(points - points[row]).sum(1), np.float32)


def typical(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """TypiClust: the most typical frame of the largest clusters without a label (Hacohen et al. 2022)."""
    from sklearn.cluster import KMeans

    points, clusters = pool.directions, min(len(pool.labelled) + count, len(pool.open))
    seed = int(rng.integers(2**31))
    cluster = KMeans(clusters, n_init=1, random_state=seed).fit(points).labels_
    size, labels = (np.bincount(cluster[rows], minlength=clusters) for rows in (pool.open, pool.labelled))
    order = [name for name in np.lexsort((-size, labels)).tolist() if size[name]]
    return np.array([_most_typical(points, pool.open[cluster[pool.open] == name]) for name in order[:count]], np.int64)


def _most_typical(points: NDArray[np.float32], rows: Rows) -> int:
    """The row with the smallest mean distance to its nearest neighbours in the cluster."""
    mine = points[rows]
    squares = np.maximum(2 - 2 * mine @ mine.T, 0)
    nearest = np.sort(np.sqrt(squares), axis=1)[:, : TYPICAL_OF + 1]
    return int(rows[nearest.mean(1).argmin()])


def typical_then_margin(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """TypiClust for the first labels, then the margin (Doucet et al. 2024)."""
    return (typical if len(pool.labelled) < COVERED_LABELS else margin)(pool, count, rng)


def badge(pool: Pool, count: int, rng: np.random.Generator) -> Rows:
    """BADGE: k-means++ of the gradients of the last layer, as if the best class were the label (Ash et al. 2020)."""
    if pool.scores is None:
        return random_by_group(pool, count, rng)
    rows = pool.open
    slope = pool.scores[rows] / pool.scores[rows].sum(1, keepdims=True)
    slope[np.arange(len(rows)), slope.argmax(1)] -= 1
    return rows[_plus_plus(slope, pool.points[rows], count, rng)]


def _plus_plus(
    slope: NDArray[np.float32], points: NDArray[np.float32], count: int, rng: np.random.Generator
) -> list[int]:
    """k-means++ of the outer products of slopes (N, C) and points (N, D), without making them."""
    lengths = np.square(slope).sum(1) * np.square(points).sum(1)
    chosen = [int(lengths.argmax())]
    distance = np.full(len(points), np.inf)
    while len(chosen) < min(count, len(points)):
        last = chosen[-1]
        inner = (slope @ slope[last]) * (points @ points[last])
        distance = np.minimum(distance, np.maximum(lengths + lengths[last] - 2 * inner, 0))
        distance[chosen] = 0
        total = distance.sum()
        chosen.append(int(rng.choice(len(points), p=distance / total)) if total else int(np.argmax(distance == 0)))
    return chosen


STRATEGIES: Mapping[str, Strategy] = {
    "random-by-group": random_by_group,
    "random": random_frames,
    "window": window_rule,
    "doubt-distance": doubt_and_distance,
    "margin": margin,
    "k-centre": k_centre,
    "typiclust": typical,
    "typiclust-margin": typical_then_margin,
    "badge": badge,
}
