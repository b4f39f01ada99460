"""Inner products of one vector with float16 rows on disk, span by span: no float32 copy of all of them is ever made.

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
