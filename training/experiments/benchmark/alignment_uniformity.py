"""Two properties of an embedding on the sphere: alignment of what belongs together, uniformity of everything.

Wang and Isola 2020 (Understanding contrastive representation learning through alignment and uniformity on the
hypersphere), with their exponents 2 and 2: alignment is the mean squared distance of positive pairs, uniformity the
logarithm of the mean of exp(-2 d^2) over all pairs; of both less is better. Vats et al. 2022, Fig. 4a, take frames of
one category as positive pairs; pairs of views of a frame are given separately here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn import normalised

MOST_FRAMES = 4096
"""Frames whose pairs count towards uniformity; of more a seeded sample (ours)."""


def pair_alignment(first: NDArray[np.floating], second: NDArray[np.floating]) -> float | None:
    """Mean squared distance of given pairs, in [0, 4].

    Args:
        first: (N, D) embeddings of one view of each frame.
        second: (N, D) of the other view.

    Returns:
        None where there is no pair.
    """
    if not len(first):
        return None
    return float(((normalised(first) - normalised(second)) ** 2).sum(axis=1).mean())


def category_alignment(
    embeddings: NDArray[np.floating], labels: NDArray[np.int64], groups: NDArray[Any] | None = None
) -> dict[int, float]:
    """Mean squared distance over all pairs of frames of one category, for each category that has a pair.

    Exact without forming the pairs: the mean of |x - y|^2 over pairs of unit vectors is 2 - 2 times the mean of their
    inner products, and those sum up to |sum x|^2.

    Args:
        embeddings: (N, D)
        labels: (N,) categories.
        groups: (N,) patients; pairs of one patient, near-duplicates often, are then left out (ours). None: all pairs.

    Returns:
        Category -> alignment in [0, 4].
    """
    points = normalised(embeddings)
    found: dict[int, float] = {}
    for label in np.unique(labels).tolist():
        mine = labels == label
        products, pairs = _products(points[mine])
        if groups is not None:
            for group in np.unique(groups[mine]).tolist():
                inside = _products(points[mine & (groups == group)])
                products, pairs = products - inside[0], pairs - inside[1]
        if pairs:
            found[int(label)] = max(0.0, 2.0 - 2.0 * products / pairs)
    return found


def uniformity(embeddings: NDArray[np.floating], seed: int = 0, exponent: float = 2.0) -> float | None:
    """Logarithm of the mean of exp(-exponent * |x - y|^2) over all pairs of different frames, in [-4 * exponent, 0].

    None where there is no pair.
    """
    points = normalised(embeddings)
    if len(points) > MOST_FRAMES:
        points = points[np.random.default_rng([seed, 11]).choice(len(points), MOST_FRAMES, replace=False)]
    if len(points) < 2:
        return None
    above = np.triu_indices(len(points), 1)
    squared = np.maximum(2.0 - 2.0 * (points @ points.T)[above], 0.0)
    return float(np.log(np.exp(-exponent * squared).mean()))


def _products(points: NDArray[np.float64]) -> tuple[float, int]:
    """Sum of the inner products of all ordered pairs of different rows, and how many there are."""
    own = float((points**2).sum())  # 1 for each row, 0 for a row of zeros
    return float((points.sum(axis=0) ** 2).sum()) - own, len(points) * (len(points) - 1)
