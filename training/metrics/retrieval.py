"""R@k and mAP of retrieval (Xiang et al. 2023, section V-A), and what a random order of the gallery would reach.

Ties: items of the same similarity have no order, so a figure is its expected value over all their orders, each equally
likely (McSherry and Najork 2008). With all items tied this is chance, in closed form.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import Interval

RANKS = (1, 5, 10)
"""k of R@k in the paper."""
LEVEL = 0.95
"""Share of the draws inside an interval."""


@dataclass(frozen=True)
class QueryFigures:
    """Figures of n queries, each with its own gallery.

    Args:
        hits: (n, K) in [0, 1]: whether a relevant clip is among the first k, for each of `ranks`; a fraction by ties.
        average_precision: (n,) in [0, 1].
        queries: (n,) numbers of the queries; those without a relevant clip are left out.
        gallery: (n,) clips in the gallery.
        relevant: (n,) relevant ones among them, at least 1.
        left_out: queries without a relevant clip.
        ranks: K values of k.
    """

    hits: NDArray[np.float64]
    average_precision: NDArray[np.float64]
    queries: NDArray[np.int64]
    gallery: NDArray[np.int64]
    relevant: NDArray[np.int64]
    left_out: int
    ranks: tuple[int, ...] = RANKS

    def values(self) -> dict[str, NDArray[np.float64]]:
        """ "R@1" ... and "mAP" -> (n,) of each query, in [0, 1]; their means are the figures."""
        at = {f"R@{k}": self.hits[:, place] for place, k in enumerate(self.ranks)}
        return {**at, "mAP": self.average_precision}


def query_figures(
    similarity: NDArray[np.floating], relevant: NDArray[np.bool_], ranks: Sequence[int] = RANKS
) -> QueryFigures:
    """Figures of queries against one gallery.

    R@k is 1 where any relevant item is among the first k. Average precision is the mean, over the relevant items, of
    the precision at the rank of each.

    Raises:
        ValueError: a similarity that is not finite.
    """
    if not np.isfinite(similarity).all():
        raise ValueError("similarities must be finite")
    kept = np.flatnonzero(relevant.any(axis=1)).astype(np.int64)
    groups = [_groups(similarity[query], relevant[query]) for query in kept]
    hits = [[_hit(each, k) for k in ranks] for each in groups]
    return QueryFigures(
        np.array(hits, np.float64).reshape(len(kept), len(ranks)),
        np.array([_average_precision(each) for each in groups], np.float64),
        kept,
        np.full(len(kept), similarity.shape[1], np.int64),
        relevant[kept].sum(axis=1).astype(np.int64),
        len(similarity) - len(kept),
        tuple(ranks),
    )


def chance_figures(figures: QueryFigures) -> QueryFigures:
    """What random orders of the same galleries reach on average, for each query by its numbers of clips."""
    sizes = np.stack([figures.gallery, figures.relevant], axis=1)
    pairs, inverse = np.unique(sizes, axis=0, return_inverse=True)
    groups = [[(n, r)] for n, r in pairs.tolist()]
    hits = np.array([[_hit(each, k) for k in figures.ranks] for each in groups], np.float64)
    precision = np.array([_average_precision(each) for each in groups], np.float64)
    inverse = inverse.reshape(-1)
    hits = hits.reshape(-1, len(figures.ranks))
    return replace(figures, hits=hits[inverse], average_precision=precision[inverse])


def joined_figures(parts: Sequence[QueryFigures]) -> QueryFigures:
    """The queries of several galleries together; `queries` stay the numbers within each part."""
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("hits", "average_precision", "queries", "gallery", "relevant")
    }
    return replace(parts[0], **columns, left_out=sum(part.left_out for part in parts))


def mean_interval(
    values: NDArray[np.float64], patients: NDArray[Any], draws: int = 1000, level: float = LEVEL
) -> Interval:
    """The mean over queries (n,), with a percentile interval from drawing whole patients, with all their queries.

    Values may be differences of two systems on the same queries. The mean is None without queries; the ends are None
    for fewer than two patients.
    """
    if not len(values):
        return Interval(None, None, None)
    names, whose = np.unique(patients, return_inverse=True)
    mean = float(values.mean())
    if len(names) < 2:
        return Interval(mean, None, None)
    sums, counts = np.bincount(whose, values), np.bincount(whose)
    drawn = np.random.default_rng(0).integers(len(names), size=(draws, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, ((1 - level) / 2, (1 + level) / 2))
    return Interval(mean, float(low), float(high))


Groups: TypeAlias = Sequence[tuple[int, int]]
"""Of the items of one gallery in groups of equal similarity, the most alike first: items and relevant ones of each."""


def _groups(similarity: NDArray[np.floating], relevant: NDArray[np.bool_]) -> Groups:
    _, inverse = np.unique(-similarity, return_inverse=True)
    sizes = np.bincount(inverse)
    counts = np.bincount(inverse, relevant, len(sizes)).astype(np.int64)
    return list(zip(sizes.tolist(), counts.tolist(), strict=True))


def _hit(groups: Groups, k: int) -> float:
    """Probability that a relevant item is among the first k: certain from a whole group, hypergeometric from a part."""
    before = 0
    for size, relevant in groups:
        room = k - before
        if room <= 0:
            break
        if relevant:
            missed = 1.0
            for place in range(min(room, size)):
                missed *= max(size - relevant - place, 0) / (size - place)
            return 1.0 - missed  # a group that lies within the first k whole is hit for certain
        before += size
    return 0.0


def _average_precision(groups: Groups) -> float:
    """Expected average precision.

    At place j of a group of n items, r of them relevant, after c items with R relevant ones: the item is relevant with
    probability r / n, and then (j - 1) (r - 1) / (n - 1) of those before it in the group are, on average.
    """
    total, before, result = 0.0, 0, 0
    for size, relevant in groups:
        if relevant:
            place = np.arange(1, size + 1)
            ahead = (place - 1) * ((relevant - 1) / (size - 1)) if size > 1 else np.zeros(1)
            total += relevant / size * float(((result + ahead + 1) / (before + place)).sum())
        before, result = before + size, result + relevant
    return total / result
