"""Exact nearest rows: a quick float32 distance to all of them, with its error bound; float64 decides among the rest.

The quick pass is one matrix product, read block by block from float16 so that no float32 copy of the embeddings is
ever made. Whatever could belong to the answer within the rounding error is then calculated again in float64, so the
result is that of a plain float64 loop, ties included.

Rows that are asked often get a sketch (`training.embeddings.sketch`), by which the quick pass is over few of them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from training.embeddings.inner_products import inner_products
from training.embeddings.mapped_rows import MappedRows
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import Chosen, NeighbourRows
from training.embeddings.sketch import UNIT, Sketch

GATHERED_ROWS = 2048
BLOCK_ROWS = 8192
FEW = 8
"""Of a study of which less than 1 in so many rows matter only these are read."""
LIKELY = 4
"""So many times as many rows as are wanted are compared for a first limit."""
HANDFUL = 64
"""Of so few rows the keys are calculated as soon as bounds of them."""
OFTEN, SKETCHED_ROWS = 100, 8192
"""After so many queries a sketch of so many rows or more saves the time that making it takes."""


class ExactSearch:
    """Nearest rows of `NeighbourRows` by Euclidean or cosine distance.

    Args:
        rows: opened.
        squares: (T,) squared norms where they are known; else they are calculated, which reads everything once.
        check: called between blocks meanwhile; may raise to give up.
    """

    def __init__(
        self,
        rows: NeighbourRows,
        squares: NDArray[np.float64] | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.rows = rows
        if squares is None:
            squares = np.concatenate([_squares(part.embeddings, check) for part in rows.parts])
        self.squares = squares
        """(T,) float64: squared norms; NaN where the frame does not decode."""
        self.is_valid = np.isfinite(squares)
        """(T,)"""
        self._asked = 0
        self._mean_length = 0.0
        self._sketch: Sketch | None = None

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
        chosen = Chosen(self.rows, k, min_seconds_among)
        wanted = k if min_seconds_among == 0 else 4 * k
        limit = 0.0
        while not chosen.is_full and limit < np.inf:
            near, limit = self._near(query, metric, alive, wanted, check)
            self._choose(chosen, query, metric, near, wanted, limit, check)
            wanted *= 8
        return chosen.distances(metric)

    def farthest_of_nearest(
        self,
        queries: NDArray[np.float64],
        k: int,
        metric: Metric,
        allowed: Sequence[NDArray[np.bool_]],
        check: Callable[[], None],
    ) -> NDArray[np.float64]:
        """(Q,) the distance of the k-th nearest row to each of (Q, D) queries, infinite where there are fewer.

        All rows are read once, whatever the number of queries. `allowed`: (T,) for each query.
        """
        points, kept = queries.astype(np.float32), [list[tuple[float, int]]() for _ in queries]
        own = np.einsum("ij,ij->i", points, points)
        for part, start in zip(self.rows.parts, self.rows.starts.tolist(), strict=False):
            for first in range(0, len(part), BLOCK_ROWS):
                check()
                block = np.asarray(part.embeddings[first : first + BLOCK_ROWS], np.float32)
                rows = slice(start + first, start + first + len(block))
                with np.errstate(all="ignore"):  # rows that are not finite give anything
                    products = block @ points.T
                    squares = self.squares[rows, None].astype(np.float32)
                    lengths = np.sqrt(squares * own)
                    keys = squares + own - 2 * products if metric == "euclidean" else 1 - products / lengths
                for query, (mask, column) in enumerate(zip(allowed, keys.T, strict=True)):
                    # Twice as many, since float32 may put them in another order.
                    column = np.where(mask[rows] & self.is_valid[rows], column, np.inf)
                    few = np.argpartition(column, 2 * k)[: 2 * k] if len(column) > 2 * k else np.arange(len(column))
                    near = zip(column[few].tolist(), (few + rows.start).tolist(), strict=True)
                    kept[query] = sorted([*kept[query], *(each for each in near if each[0] < np.inf)])[: 2 * k]
            part.embeddings.let_go()
        result = np.full(len(queries), np.inf)
        for number, candidates in enumerate(kept):
            if len(candidates) >= k:
                keys = self.exact_keys(queries[number], metric, np.array([row for _, row in candidates]))
                farthest = max(float(np.partition(keys, k - 1)[k - 1]), 0.0)
                result[number] = np.sqrt(farthest) if metric == "euclidean" else farthest
        return result

    def _near(
        self,
        query: NDArray[np.floating],
        metric: Metric,
        alive: NDArray[np.bool_],
        wanted: int,
        check: Callable[[], None],
    ) -> tuple[NDArray[np.int64], float]:
        """Living rows whose key may be within a limit, which at least `wanted` rows keep; all and inf without a sketch.

        `alive` (T,): which rows live.
        """
        self._asked += 1
        if self._asked <= OFTEN or np.count_nonzero(alive) < max(SKETCHED_ROWS, 64 * wanted):
            return np.flatnonzero(alive), np.inf
        self._sketch = self._sketch or Sketch(self.rows, self.is_valid, check)
        least = np.where(alive, self._sketch.least(query, metric), np.float32(np.inf))
        reach = _at_least(least, LIKELY * wanted)
        if reach == np.inf:  # living rows lie where few columns see them
            return np.flatnonzero(alive), np.inf
        likely = np.flatnonzero(least <= reach)
        _, upper = self._bounds(query, metric, likely, check)
        limit = float(np.partition(upper, wanted - 1)[wanted - 1])
        return np.flatnonzero(least <= limit), limit

    def _choose(
        self,
        chosen: Chosen,
        query: NDArray[np.floating],
        metric: Metric,
        living: NDArray[np.int64],
        wanted: int,
        limit: float,
        check: Callable[[], None],
    ) -> None:
        """Take the nearest of some rows whose key is within the limit, until there are enough."""
        if chosen.rows:
            living = living[~np.isin(living, chosen.rows) & ~chosen.too_near(living)]
        if len(living) > HANDFUL:
            lower, upper = self._bounds(query, metric, living, check)
        else:
            lower, upper = np.full(len(living), -np.inf), np.full(len(living), np.inf)
        while len(living):
            check()
            sure, keys = self._sure(query, metric, living, lower, upper, wanted, limit)
            chosen.take(sure, keys)
            if chosen.is_full or not len(sure):
                break
            left = ~np.isin(living, sure) & ~chosen.too_near(living)
            living, lower, upper = living[left], lower[left], upper[left]
            wanted *= 2

    def _bounds(
        self, query: NDArray[np.floating], metric: Metric, living: NDArray[np.int64], check: Callable[[], None]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(L,) each: the key (squared distance, or 1 - cosine) of each living row lies between them."""
        products = self._products(query.astype(np.float32), living, check)
        squares = self.squares[living]
        own = float(query.astype(np.float64) @ query.astype(np.float64))
        lengths = np.sqrt(squares * own)
        # D roundings of products and sums, in any order, one of the query itself (Higham, section 3.1), and three where
        # its parts are added.
        # What is added to coordinates on components, as to their lengths, is no longer than twice the mean.
        error = 1.01 * (self.rows.size + 5) * UNIT * (lengths + 2.0 * self._mean_length * np.sqrt(own))
        if metric == "euclidean":
            keys, slack = squares + own - 2.0 * products.astype(np.float64), 2.0 * error
        else:
            safe = np.where(lengths > 0, lengths, 1.0)
            keys, slack = 1.0 - products / safe, error / safe
        slack = slack + 1e-12 * (np.abs(keys) + 1.0)
        return keys - slack, keys + slack

    def _products(
        self, query: NDArray[np.float32], living: NDArray[np.int64], check: Callable[[], None]
    ) -> NDArray[np.float32]:
        """(L,) inner products; of a study with few living rows only those are read."""
        products = [np.empty(0, dtype=np.float32)]
        for number, part in enumerate(self.rows.parts):
            start, stop = self.rows.starts[number : number + 2].tolist()
            first, last = np.searchsorted(living, (start, stop)).tolist()
            mine = living[first:last] - start
            if len(mine) * FEW >= len(part):
                products.append(inner_products(part.embeddings, query, check=check)[mine])
            elif len(mine):
                products.append(inner_products(part.embeddings, query, mine, check=check))
            self._mean_length = max(self._mean_length, part.embeddings.mean_length)
        return np.concatenate(products)

    def _sure(
        self,
        query: NDArray[np.floating],
        metric: Metric,
        living: NDArray[np.int64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        wanted: int,
        limit: float,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At least `wanted` nearest living rows (all, where there are fewer) with their exact keys, in order.

        Only those whose key is within the limit.
        """
        if len(living) > wanted:
            limit = min(limit, _at_least(upper, wanted))
        candidates = living[lower <= limit]
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


def _at_least(values: NDArray[np.floating], k: int) -> float:
    """No less than the k-th smallest of more than k values, and mostly little more: that of the least of each column.

    Finding the k-th smallest of all takes much longer than reading them. Neighbours in time lie in different columns.
    """
    columns = min(len(values), max(16 * k, len(values) // 64))
    least = values[: len(values) // columns * columns].reshape(-1, columns).min(axis=0)
    return float(np.partition(least, k - 1)[k - 1])


def _squares(embeddings: MappedRows, check: Callable[[], None]) -> NDArray[np.float64]:
    squares = np.empty(len(embeddings))
    for start in range(0, len(embeddings), GATHERED_ROWS):
        check()
        block = np.asarray(embeddings[start : start + GATHERED_ROWS], dtype=np.float64)
        squares[start : start + GATHERED_ROWS] = np.einsum("ij,ij->i", block, block)
    return squares
