"""Exact nearest rows: a quick float32 distance to all of them, with its error bound; float64 decides among the rest.

The quick pass is one matrix product, read block by block from float16 so that no float32 copy of the embeddings is
ever made. Whatever could belong to the answer within the rounding error is then calculated again in float64, so the
result is that of a plain float64 loop, ties included.

numpy converts halves one by one, which costs many times the product. NumKong multiplies them where they lie.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numkong
import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import Chosen, NeighbourRows

GATHERED_ROWS = 2048
FEW = 8
"""Of a study of which less than 1 in so many rows matter only these are read."""
UNIT = 2.0**-24
"""Unit roundoff of float32."""


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
        living = np.flatnonzero(allowed & self.is_valid)
        lower, upper = self._bounds(query, metric, living, check)
        chosen = Chosen(self.rows, k, min_seconds_among)
        wanted = k if min_seconds_among == 0 else 4 * k
        while len(living):
            check()
            sure, keys = self._sure(query, metric, living, lower, upper, wanted)
            chosen.take(sure, keys)
            if chosen.is_full:
                break
            left = ~np.isin(living, sure) & ~chosen.too_near(living)
            living, lower, upper = living[left], lower[left], upper[left]
            wanted *= 2
        return chosen.distances(metric)

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
        error = 1.01 * (self.rows.size + 5) * UNIT * lengths
        if metric == "euclidean":
            keys, slack = squares + own - 2.0 * products, 2.0 * error
        else:
            safe = np.where(lengths > 0, lengths, 1.0)
            keys, slack = 1.0 - products / safe, error / safe
        slack = slack + 1e-12 * (np.abs(keys) + 1.0)
        return keys - slack, keys + slack

    def _products(
        self, query: NDArray[np.float32], living: NDArray[np.int64], check: Callable[[], None]
    ) -> NDArray[np.float64]:
        """(L,) float32 inner products; of a study with few living rows only those are read."""
        products = [np.empty(0, dtype=np.float32)]
        for number, part in enumerate(self.rows.parts):
            start, stop = self.rows.starts[number : number + 2].tolist()
            first, last = np.searchsorted(living, (start, stop)).tolist()
            mine = living[first:last] - start
            if len(mine) * FEW >= len(part):
                products.append(inner_products(part.embeddings, query, check=check)[mine])
            elif len(mine):
                products.append(inner_products(part.embeddings[mine], query, check=check))
        return np.concatenate(products).astype(np.float64)

    def _sure(
        self,
        query: NDArray[np.floating],
        metric: Metric,
        living: NDArray[np.int64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        wanted: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At least `wanted` nearest living rows (all, where there are fewer) with their exact keys, in order."""
        limit = np.inf
        if len(living) > wanted:
            limit = _at_least(upper, wanted)
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


def _at_least(values: NDArray[np.float64], k: int) -> float:
    """No less than the k-th smallest of more than k values, and mostly little more: that of the least of each column.

    Finding the k-th smallest of all takes much longer than reading them. Neighbours in time lie in different columns.
    """
    columns = min(len(values), max(16 * k, len(values) // 64))
    least = values[: len(values) // columns * columns].reshape(-1, columns).min(axis=0)
    return float(np.partition(least, k - 1)[k - 1])


def _squares(embeddings: NDArray[np.floating], check: Callable[[], None]) -> NDArray[np.float64]:
    squares = np.empty(len(embeddings))
    for start in range(0, len(embeddings), GATHERED_ROWS):
        check()
        block = np.asarray(embeddings[start : start + GATHERED_ROWS], dtype=np.float64)
        squares[start : start + GATHERED_ROWS] = np.einsum("ij,ij->i", block, block)
    return squares


BLOCK_BYTES = 1 << 20
"""A block stays in the core's own cache until it is multiplied."""
SPAN_ROWS = 2048
"""Rows that a thread takes at a time: so few that no thread waits long for another one's last rows."""


def inner_products(
    embeddings: NDArray[np.floating],
    query: NDArray[np.float32],
    *,
    threads: int | None = None,
    check: Callable[[], None] = lambda: None,
) -> NDArray[np.float32]:
    """(N,) float32: each row times the query; anything where a row is not finite.

    Args:
        embeddings: (N, D) float16 or float32.
        query: (D,) finite.
        threads: the caller's included; None: one for each core, four at most.
        check: called often; may raise to give up.
    """
    are_halves = embeddings.dtype == np.dtype("=f2") and embeddings.flags.c_contiguous
    parts, scale = halves_of(query) if are_halves else (query[None], np.float32(1.0))
    multiply = _multiply_halves if are_halves else _multiply
    products = np.empty((len(parts), len(embeddings)), dtype=np.float32)
    starts = iter(range(0, len(embeddings), SPAN_ROWS))

    def work(check: Callable[[], None] = lambda: None) -> None:
        for start in starts:  # whoever is free takes the next span
            check()
            span = slice(start, start + SPAN_ROWS)
            for part, result in zip(parts, products[:, span], strict=True):
                multiply(embeddings[span], part, result)

    check()
    helpers = min(threads or min(4, os.cpu_count() or 1), -(-len(embeddings) // SPAN_ROWS)) - 1
    with ThreadPoolExecutor(max(1, helpers), "inner-products") as pool:  # a thread starts when it is given something
        futures = [pool.submit(work) for _ in range(helpers)]
        try:
            work(check)
        finally:
            for _ in starts:  # given up: nothing is left for the others
                pass
        for future in futures:
            future.result()
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        return np.asarray(products.sum(axis=0) * scale)


def halves_of(query: NDArray[np.float32]) -> tuple[NDArray[np.float16], np.float32]:
    """(P, D) float16 whose sum times a scale is the query: one row for an embedding from a file, three at most.

    Scaled so that its largest number is about 2^14: what is below float16's range is then below 2^-38 of that.
    """
    largest = float(np.abs(query).max(initial=0.0))
    scale = np.float32(2.0 ** (np.frexp(largest)[1] - 14)) if largest else np.float32(1.0)
    left: NDArray[np.float32] = query / scale
    parts: list[NDArray[np.float16]] = []
    while not parts or (left.any() and len(parts) < 3):
        parts.append(left.astype(np.float16))
        left = left - parts[-1].astype(np.float32)
    return np.stack(parts), scale


def _multiply_halves(rows: NDArray[np.floating], query: NDArray[np.floating], products: NDArray[np.float32]) -> None:
    # `dot` of pairs of rows reads at the speed of memory; `cdist` takes 1.5 times as long.
    numkong.dot(rows, np.broadcast_to(query, rows.shape), out=products, out_dtype="float32")


def _multiply(rows: NDArray[np.floating], query: NDArray[np.floating], products: NDArray[np.float32]) -> None:
    step = max(1, BLOCK_BYTES // (4 * rows.shape[1]))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            np.matmul(rows[start : start + step].astype(np.float32), query, out=products[start : start + step])
