"""Joining tracklets that show the same finding, from their pairwise distances.

The paper (Intrator et al. 2023, section 3.1) joins tracklets whose distance lies below a threshold, and does not say
how decisions on pairs become groups: the rule is a setting here. What a reader joined or split overrides distances.
"""

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Rule = Literal["average", "single", "complete"]
Pairs = Iterable[tuple[int, int]]
_NEVER = 1e9
"""Distance of tracklets that must stay apart: their mean with any others lies above every limit."""


def merge(
    distances: NDArray[np.floating],
    limit: float,
    *,
    rule: Rule = "average",
    same: Pairs = (),
    different: Pairs = (),
) -> NDArray[np.int64]:
    """Group tracklets by agglomerative clustering; the most similar groups are joined first.

    Args:
        distances: (T, T) symmetric, at least 0; infinite for tracklets that are never joined, such as of two classes.
        limit: groups are joined up to this distance.
        rule: distance of two groups: the mean of all pairs ("average"), of the nearest pair ("single": any chain of
            near pairs is one group) or of the furthest ("complete"). Ours: the paper states none.
        same: pairs that belong together, whatever their distance.
        different: pairs that do not; one that `same` joins, perhaps by way of others, is ignored. With "single" they
            are kept apart from each other only, not from a chain by way of others.

    Returns:
        (T,) the group of each tracklet, numbered from 0 in the order of their first tracklets.

    Raises:
        ValueError: for distances of another shape.
    """
    count = len(distances)
    if distances.shape != (count, count):
        raise ValueError(f"distances need shape (T, T), not {distances.shape}")
    if count < 2:
        return np.zeros(count, np.int64)
    held = np.minimum(distances.astype(np.float64), _NEVER)
    for first, second in different:
        held[first, second] = held[second, first] = _NEVER
    for members in _joined(count, same):
        held[np.ix_(members, members)] = 0.0
    np.fill_diagonal(held, 0.0)
    return _in_order(_clustered(held, limit, rule))


def _clustered(distances: NDArray[np.float64], limit: float, rule: Rule) -> NDArray[np.int64]:
    """The groups, numbered anyhow.

    Groups that are joined have a pair within the limit, so tracklets that no chain of such pairs joins are clustered
    apart from each other: less work, and less time in which other threads of Python wait.
    """
    from scipy.cluster.hierarchy import fcluster, linkage  # scipy takes time, and the window starts without it
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import squareform

    count, part = connected_components(csr_array(distances <= limit), directed=False)
    groups: NDArray[np.int64] = part.astype(np.int64)
    for number in np.flatnonzero(np.bincount(part, minlength=count) > 1).tolist():
        rows = np.flatnonzero(part == number)
        tree = linkage(squareform(distances[np.ix_(rows, rows)], checks=False), rule)
        groups[rows] = len(distances) * (number + 1) + fcluster(tree, limit, "distance")
    return groups


def _joined(count: int, same: Pairs) -> list[list[int]]:
    """The groups that the pairs make, also by way of others."""
    group = list(range(count))
    for first, second in same:
        one, other = group[first], group[second]
        group = [one if number == other else number for number in group]
    members: dict[int, list[int]] = {}
    for at, number in enumerate(group):
        members.setdefault(number, []).append(at)
    return [held for held in members.values() if len(held) > 1]


def _in_order(groups: NDArray[np.integer]) -> NDArray[np.int64]:
    """The same groups, numbered from 0 in the order of their first members."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int64)[inverse]
