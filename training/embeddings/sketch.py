"""Coordinates of all rows on their strongest directions: little to read, and enough to rule nearly all rows out.

A row x is C y + e and a query q is C z + f, with the D x d matrix C of the strongest directions of a sample. Their
inner product is y z + e f up to rounding, so it is at most y z + |e| |f| (Cauchy-Schwarz). Rows that are near enough by
this bound are compared by all their numbers: no neighbour is missed, however well the directions suit the rows.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows

DIRECTIONS = 32
SAMPLED = 4096
BLOCK_ROWS = 2048
TILE_ROWS = 256
"""So few that BLAS multiplies a tile on one thread: several would wait for each other longer than they work."""
UNIT = 2.0**-24
"""Unit roundoff of float32."""


class Sketch:
    """Reads all rows once.

    Args:
        rows: T of them.
        is_valid: (T,) which of them are finite; at least one is.
        check: called between blocks; may raise to give up.
    """

    def __init__(self, rows: NeighbourRows, is_valid: NDArray[np.bool_], check: Callable[[], None]) -> None:
        valid = np.flatnonzero(is_valid)
        sample = np.random.default_rng(0).choice(valid, min(SAMPLED, len(valid)), replace=False)
        vectors = rows.gather(np.sort(sample))
        _, strongest_last = np.linalg.eigh(vectors.T @ vectors)
        self.directions = np.ascontiguousarray(strongest_last[:, -DIRECTIONS:])
        """(D, d) float64, orthonormal columns: C."""
        self._count, columns = len(rows), self.directions.shape[1] + 3
        self.table = np.zeros((-(-len(rows) // TILE_ROWS), columns, TILE_ROWS), dtype=np.float32)
        """(tiles, d + 3, rows): y, |e|, |x| and |x|^2 of each row, rounded up but y; zeros where it is not finite."""
        for start in range(0, len(valid), BLOCK_ROWS):
            check()
            block = valid[start : start + BLOCK_ROWS]
            self.table[block // TILE_ROWS, :, block % TILE_ROWS] = self._parts(rows.gather(block))

    def least(self, query: NDArray[np.floating], metric: Metric) -> NDArray[np.float32]:
        """(T,): the key of each row (squared distance to a query (D,), or 1 - cosine) is not less."""
        *point, rest, length, square = self._parts(query[None].astype(np.float64))[0].tolist()
        slack = 1.1 * (len(point) + 12) * UNIT  # roundings of the parts, of their products, and of the sums
        most = np.array([*point, rest, slack * length, 0.0])
        if metric == "euclidean":
            weights = -2.0 * most
            weights[-1] = 1.0 - 2.0 * slack
            return self._times(weights) + np.float32((1.0 - 2.0 * slack) * square)
        lengths = self.table[:, -2].ravel()[: self._count] * np.float32(length)
        np.copyto(lengths, 1.0, where=lengths == 0.0)
        return np.asarray(np.float32(1.0 - 2.0 * slack) - self._times(most) / lengths)

    def _times(self, weights: NDArray[np.float64]) -> NDArray[np.float32]:
        return np.asarray(weights.astype(np.float32) @ self.table).ravel()[: self._count]

    def _parts(self, vectors: NDArray[np.float64]) -> NDArray[np.float32]:
        """(M, d + 3) as in the table."""
        exact = vectors @ self.directions
        rounded = exact.astype(np.float32)
        squares = np.einsum("ij,ij->i", vectors, vectors)
        left = squares - np.einsum("ij,ij->i", rounded, 2.0 * exact - rounded)
        rest = np.sqrt(np.maximum(left, 0.0) + 1e-12 * squares)
        upwards = np.stack((rest, np.sqrt(squares), squares), axis=1) * (1 + 2 * UNIT)
        return np.concatenate((rounded, upwards.astype(np.float32)), axis=1)
