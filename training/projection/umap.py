"""UMAP (McInnes, Healy and Melville 2018) by umap-learn, which is an extra and imported only where a map needs it."""

import importlib.util
import warnings

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError

PLACED_BY = 5
"""Nearest frames of the map that say where a new one lies."""


def need_umap() -> None:
    """Raise `UserError` where umap-learn is not installed, before any work is done."""
    if importlib.util.find_spec("umap") is None:
        raise UserError(
            "UMAP needs the package umap-learn, which is not installed here.",
            'Install it (pip install "wce-desktop[umap]"), or choose t-SNE.',
        )


def fit_umap(reduced: NDArray[np.float32], neighbours: int, min_distance: float, seed: int) -> NDArray[np.float32]:
    """(N, K) principal coordinates -> (N, 2); the same seed gives the same map, for which one thread optimises.

    Args:
        reduced: at least three frames.
        neighbours: fewer where there are fewer other frames.
        min_distance: least distance of two frames on the map.
        seed: of the optimisation.
    """
    from umap import UMAP

    count = min(neighbours, len(reduced) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a seed means one thread
        fitted = UMAP(n_neighbors=count, min_dist=min_distance, random_state=seed).fit_transform(reduced)
    return np.asarray(fitted, np.float32)


def place_points(
    map_coordinates: NDArray[np.floating], map_reduced: NDArray[np.float32], reduced: NDArray[np.float32]
) -> NDArray[np.float32]:
    """(M, 2) of new frames: the mean of their nearest frames on the map, nearer ones weigh more.

    UMAP itself begins there when it places new points. By principal coordinates (N, K) and (M, K).
    """
    from sklearn.neighbors import NearestNeighbors

    count = min(PLACED_BY, len(map_reduced))
    distances, nearest = NearestNeighbors(n_neighbors=count, algorithm="brute").fit(map_reduced).kneighbors(reduced)
    weights = 1.0 / np.maximum(distances, 1e-12)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((np.asarray(map_coordinates)[nearest] * weights[:, :, None]).sum(axis=1), np.float32)
