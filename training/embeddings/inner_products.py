"""Inner products of many rows, float16 as a rule, with one query, at the speed at which memory is read.

numpy converts halves one by one, which costs many times the product. NumKong multiplies them where they lie.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numkong
import numpy as np
from numpy.typing import NDArray

from training.embeddings.mapped_rows import MappedRows

BLOCK_BYTES = 1 << 20
"""A block stays in the core's own cache until it is multiplied."""
SPAN_ROWS = 2048
"""Rows that a thread takes at a time: so few that no thread waits long for another one's last rows."""
THREADS = min(4, os.cpu_count() or 1)


def inner_products(
    embeddings: NDArray[np.floating] | MappedRows,
    query: NDArray[np.float32],
    rows: NDArray[np.int64] | None = None,
    *,
    threads: int | None = None,
    check: Callable[[], None] = lambda: None,
) -> NDArray[np.float32]:
    """(N,) float32: each row times the query; anything where a row is not finite.

    Args:
        embeddings: (N, D) all of a study.
        query: (D,) finite.
        rows: (N,) those that are multiplied; None: all.
        threads: the caller's included; None: as many as there are cores, four at most.
        check: called often; may raise to give up.
    """
    read: Callable[[Any], NDArray[np.floating]] = embeddings.__getitem__
    constant = np.float32(0)
    if isinstance(embeddings, MappedRows):
        read, query, constant = embeddings.factored(query)
    if rows is not None:
        read = read(rows).__getitem__
    count = len(embeddings) if rows is None else len(rows)
    are_halves = read(slice(1)).dtype == np.dtype("=f2") and read(slice(1)).flags.c_contiguous
    parts, scale = halves_of(query) if are_halves else (query[None], np.float32(1.0))
    multiply = _multiply_halves if are_halves else _multiply
    products = np.empty((len(parts), count), dtype=np.float32)
    starts = iter(range(0, count, SPAN_ROWS))

    def work(check: Callable[[], None] = lambda: None) -> None:
        for start in starts:  # whoever is free takes the next span
            check()
            span = slice(start, start + SPAN_ROWS)
            for part, result in zip(parts, products[:, span], strict=True):
                multiply(read(span), part, result)

    check()
    helpers = min(threads or THREADS, -(-count // SPAN_ROWS)) - 1
    with ThreadPoolExecutor(helpers, "inner-products") if helpers else nullcontext() as pool:
        futures = [pool.submit(work) for _ in range(helpers)] if pool else []
        try:
            work(check)
        finally:
            for _ in starts:  # given up: nothing is left for the others
                pass
        for future in futures:
            future.result()
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        return np.asarray(products.sum(axis=0) * scale + constant)


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
