"""Inner products of one vector with float16 rows on disk, span by span: no float32 copy of all of them is ever made.

numpy converts halves one by one, which costs many times the product. NumKong multiplies them where they lie.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numkong
import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 1 << 20
"""A block of float32 stays in the core's own cache until it is multiplied."""
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
    products = np.empty(len(embeddings), dtype=np.float32)
    are_halves = embeddings.dtype == np.dtype("=f2") and embeddings.flags.c_contiguous
    parts, scale = halves_of(query)

    def work(start: int) -> None:
        span = slice(start, start + SPAN_ROWS)
        if are_halves:
            _multiply_halves(embeddings[span], parts, scale, products[span])
        else:
            _multiply(embeddings[span], query, products[span])

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


def halves_of(query: NDArray[np.float32]) -> tuple[NDArray[np.float16], np.float32]:
    """(P, D) float16 whose sum times a scale is the query: one row for an embedding from a file, three at most.

    Scaled so that its largest number is about 2^14: what is below float16's range is then below 2^-38 of that.
    """
    largest = float(np.abs(query).max(initial=0.0))
    scale = np.float32(2.0 ** (np.frexp(largest)[1] - 14)) if largest else np.float32(1.0)
    left, parts = query / scale, []
    while not parts or (left.any() and len(parts) < 3):
        parts.append(left.astype(np.float16))
        left = left - parts[-1].astype(np.float32)
    return np.stack(parts), scale


def _multiply_halves(
    rows: NDArray[np.floating], parts: NDArray[np.float16], scale: np.float32, products: NDArray[np.float32]
) -> None:
    result = np.empty((len(rows), len(parts)), dtype=np.float32)
    numkong.cdist(rows, parts, metric="dot", out=result, out_dtype="float32")
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        np.multiply(result.sum(axis=1), scale, out=products)


def _multiply(rows: NDArray[np.floating], query: NDArray[np.float32], products: NDArray[np.float32]) -> None:
    step = max(1, BLOCK_BYTES // (4 * rows.shape[1]))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            np.matmul(rows[start : start + step].astype(np.float32), query, out=products[start : start + step])
