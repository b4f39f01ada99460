"""Exact nearest rows: a quick float32 distance to all of them, with its error bound; float64 decides among the rest.

The quick pass is one matrix product, read block by block from float16 so that no float32 copy of the embeddings is
ever made. Whatever could belong to the answer within the rounding error is then calculated again in float64, so the
result is that of a plain float64 loop, ties included.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.inner_products import inner_products
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows

GATHERED_ROWS = 2048
UNIT = 2.0**-24
"""Unit roundoff of float32."""


class ExactSearch:
    """Nearest rows of `NeighbourRows` by Euclidean or cosine distance.

    Args:
        rows: opened.
        check: called between blocks while norms are calculated; may raise to give up.
    """

    def __init__(self, rows: NeighbourRows, check: Callable[[], None] = lambda: None) -> None:
        self.rows = rows
        self.squares = np.concatenate([_squares(part.embeddings, check) for part in rows.parts])
        """(T,) float64: squared norms; NaN where the frame does not decode."""
        self.is_valid = np.isfinite(self.squares)
        """(T,)"""

    def nearest(
        self,
        query: NDArray[np.floating],
        k: int,
        metric: Metric,
        allowed: NDArray[np.bool_],
        min_seconds_among: float = 0.0,
        check: Callable[[], None] = lambda: None,
    ) -> list[tuple[int, float]]:
        """The k nearest allowed rows and their distances, nearest first; fewer where there are no more.

        Args:
            query: (D,) finite.
            k: >= 1.
            metric: which distance.
            allowed: (T,)
            min_seconds_among: results of one study are at least so far apart; nearer ones to the query come first.
            check: called between blocks; may raise to give up.
        """
        alive = allowed & self.is_valid
        lower, upper = self._bounds(query, metric, alive, check)
        found: list[tuple[int, float]] = []
        wanted = k if min_seconds_among == 0 else 4 * k
        while len(found) < k and alive.any():
            check()
            order, keys = self._sure(query, metric, lower, upper, alive, wanted)
            alive[order] = False
            taken: set[int] = set()
            for row, key in zip(order.tolist(), keys.tolist(), strict=True):
                if len(found) == k:
                    break
                if row not in taken:
                    found.append((row, _distance(key, metric)))
                    near = self._near_in_time(row, min_seconds_among)
                    alive[near] = False
                    taken.update(near.tolist())
            wanted *= 2
        return found

    def _bounds(
        self, query: NDArray[np.floating], metric: Metric, alive: NDArray[np.bool_], check: Callable[[], None]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(T,) each: the key (squared distance, or 1 - cosine) lies between them."""
        products = np.zeros(len(self.rows))
        for number, part in enumerate(self.rows.parts):
            span = slice(int(self.rows.starts[number]), int(self.rows.starts[number + 1]))
            if alive[span].any():
                products[span] = inner_products(part.embeddings, query.astype(np.float32), check=check)
        own = float(query.astype(np.float64) @ query.astype(np.float64))
        lengths = np.sqrt(np.where(self.is_valid, self.squares, 0.0) * own)
        # D roundings of products and sums, in any order, and one of the query itself (Higham, section 3.1).
        error = 1.01 * (self.rows.size + 2) * UNIT * lengths
        if metric == "euclidean":
            keys, slack = self.squares + own - 2.0 * products, 2.0 * error
        else:
            safe = np.where(lengths > 0, lengths, 1.0)
            keys, slack = 1.0 - products / safe, error / safe
        slack = slack + 1e-12 * (np.abs(keys) + 1.0)
        return keys - slack, keys + slack

    def _sure(
        self,
        query: NDArray[np.floating],
        metric: Metric,
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        alive: NDArray[np.bool_],
        wanted: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At least `wanted` nearest living rows (all, where there are fewer) with their exact keys, in order."""
        living = np.flatnonzero(alive)
        limit = np.inf
        if len(living) > wanted:
            limit = float(np.partition(upper[living], wanted - 1)[wanted - 1])
        candidates = living[lower[living] <= limit]
        keys = self.exact_keys(query, metric, candidates)
        # Of those behind the limit others, not calculated here, could be nearer.
        candidates, keys = candidates[keys <= limit], keys[keys <= limit]
        order = np.lexsort((candidates, keys))
        return candidates[order], keys[order]

    def exact_keys(self, query: NDArray[np.floating], metric: Metric, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(M,) squared distances, or 1 - cosine, of some rows in float64."""
        point = query.astype(np.float64)
        keys = np.empty(len(rows))
        for start in range(0, len(rows), GATHERED_ROWS):
            part = slice(start, start + GATHERED_ROWS)
            vectors = self.rows.gather(rows[part])
            if metric == "euclidean":
                vectors -= point
                keys[part] = np.einsum("ij,ij->i", vectors, vectors)
            else:
                lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors) * (point @ point))
                cosines = (vectors @ point) / np.where(lengths > 0, lengths, 1.0)
                keys[part] = 1.0 - cosines
        return keys

    def _near_in_time(self, row: int, seconds: float) -> NDArray[np.int64]:
        """Rows of the same study that are too near in time, the row itself among them."""
        if seconds == 0:
            return np.array([row])
        number = int(np.searchsorted(self.rows.starts, row, side="right")) - 1
        start = int(self.rows.starts[number])
        times = self.rows.parts[number].video_seconds
        return start + np.flatnonzero(np.abs(times - times[row - start]) < seconds)


def _distance(key: float, metric: Metric) -> float:
    return float(np.sqrt(max(key, 0.0))) if metric == "euclidean" else min(max(key, 0.0), 2.0)


def _squares(embeddings: NDArray[np.floating], check: Callable[[], None]) -> NDArray[np.float64]:
    squares = np.empty(len(embeddings))
    for start in range(0, len(embeddings), GATHERED_ROWS):
        check()
        block = np.asarray(embeddings[start : start + GATHERED_ROWS], dtype=np.float64)
        squares[start : start + GATHERED_ROWS] = np.einsum("ij,ij->i", block, block)
    return squares
