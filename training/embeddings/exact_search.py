"""Exact nearest rows: a quick float32 distance to all of them, with its error bound; float64 decides among the rest.

The quick pass is one matrix product, read block by block from float16 so that no float32 copy of the embeddings is
ever made. Whatever could belong to the answer within the rounding error is then calculated again in float64, so the
result is that of a plain float64 loop, ties included.

numpy converts halves one by one, which costs many times the product. FAISS' scalar quantizer multiplies halves
as they are: each span is copied into a small index, which is asked for all its rows. Without faiss numpy does it.
"""

import importlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes
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
        while len(living) and not chosen.is_full:
            check()
            sure, keys = self._sure(query, metric, living, lower, upper, wanted)
            chosen.take(sure, keys)
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
        # D roundings of products and sums, in any order, and one of the query itself (Higham, section 3.1).
        error = 1.01 * (self.rows.size + 2) * UNIT * lengths
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
            limit = float(np.partition(upper, wanted - 1)[wanted - 1])
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


def _squares(embeddings: NDArray[np.floating], check: Callable[[], None]) -> NDArray[np.float64]:
    squares = np.empty(len(embeddings))
    for start in range(0, len(embeddings), GATHERED_ROWS):
        check()
        block = np.asarray(embeddings[start : start + GATHERED_ROWS], dtype=np.float64)
        squares[start : start + GATHERED_ROWS] = np.einsum("ij,ij->i", block, block)
    return squares


BLOCK_BYTES = 1 << 20
"""A block stays in the core's own cache until it is multiplied."""
SPAN_ROWS = 4096
"""Rows that a thread takes at a time; `check` is called as often."""


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
        threads: None: one for each core, four at most.
        check: called often; may raise to give up.
    """
    # FAISS multiplies halves as they lie in memory.
    are_halves = embeddings.dtype == np.dtype("=f2") and embeddings.flags.c_contiguous and embeddings.size > 0
    multiply = _by_faiss if are_halves and disk_codes.is_there() else _by_numpy
    products = np.empty(len(embeddings), dtype=np.float32)

    def work(start: int) -> None:
        span = slice(start, start + SPAN_ROWS)
        multiply(embeddings[span], query, products[span])

    check()
    with ThreadPoolExecutor(threads or min(4, os.cpu_count() or 1), "inner-products") as pool:
        futures = [pool.submit(work, start) for start in range(0, len(embeddings), SPAN_ROWS)]
        try:
            for future in futures:
                check()
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return products


def _by_numpy(rows: NDArray[np.floating], query: NDArray[np.float32], products: NDArray[np.float32]) -> None:
    step = max(1, BLOCK_BYTES // (4 * rows.shape[1]))
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        for start in range(0, len(rows), step):
            np.matmul(rows[start : start + step].astype(np.float32), query, out=products[start : start + step])


def _by_faiss(rows: NDArray[np.floating], query: NDArray[np.float32], products: NDArray[np.float32]) -> None:
    """In a thread of its own: FAISS' number of threads is one here, and it belongs to the calling thread."""
    faiss: Any = importlib.import_module("faiss")
    faiss.omp_set_num_threads(1)
    index = faiss.IndexScalarQuantizer(rows.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    index.is_trained = True  # halves need no training
    step = max(1, BLOCK_BYTES // (2 * rows.shape[1]))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        index.reset()
        index.add_sa_codes(block.view(np.uint8))
        result, places = index.search(query[None], len(block))
        is_found = places[0] >= 0  # a row that is not a number is left out
        products[start : start + step][places[0][is_found]] = result[0][is_found]
