"""Inner products of one vector with float16 rows on disk, block by block: no float32 copy of all of them is ever made.

numpy converts halves one by one, which costs many times what the product does. OpenCV, from version 5, adds halves into
floats many at a time; halves are floats, so adding zero converts them exactly. Older ones refuse, and numpy continues.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 512 << 10
"""What is converted stays in the core's own cache until it is multiplied."""
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
    convert = _by_opencv if _opencv_converts(embeddings) else _by_numpy
    products = np.empty(len(embeddings), dtype=np.float32)
    starts = range(0, len(embeddings), SPAN_ROWS)

    def work(start: int) -> None:
        span = slice(start, start + SPAN_ROWS)
        _multiply(embeddings[span], query, products[span], convert)

    if len(starts) < 2:
        check()
        for start in starts:
            work(start)
        return products
    with ThreadPoolExecutor(threads or min(4, os.cpu_count() or 1), "inner-products") as pool:
        futures = [pool.submit(work, start) for start in starts]
        try:
            for future in futures:
                check()
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return products


def _multiply(
    rows: NDArray[np.floating],
    query: NDArray[np.float32],
    products: NDArray[np.float32],
    convert: Callable[[NDArray[np.floating], NDArray[np.float32]], None],
) -> None:
    step = max(1, BLOCK_BYTES // (4 * rows.shape[1]))
    buffer = np.empty((step, rows.shape[1]), dtype=np.float32)
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        for start in range(0, len(rows), step):
            block = buffer[: min(step, len(rows) - start)]
            convert(rows[start : start + step], block)
            np.matmul(block, query, out=products[start : start + step])


def _by_numpy(rows: NDArray[np.floating], out: NDArray[np.float32]) -> None:
    out[...] = rows


def _by_opencv(rows: NDArray[np.floating], out: NDArray[np.float32]) -> None:
    import cv2

    halves = np.asarray(rows)
    cv2.add(halves, np.zeros_like(halves), dst=out, dtype=cv2.CV_32F)


def _opencv_converts(embeddings: NDArray[np.floating]) -> bool:
    """Whether the rows are halves as they lie in memory, and this OpenCV adds them into floats."""
    if embeddings.dtype != np.dtype("=f2") or not embeddings.flags.c_contiguous or not embeddings.size:
        return False
    return _is_opencv_able()


@cache
def _is_opencv_able() -> bool:
    import cv2

    bits = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(64, -1)
    found = np.zeros(bits.shape, np.float32)
    try:
        _by_opencv(bits, found)
    except cv2.error:
        return False
    return np.array_equal(found, bits.astype(np.float32), equal_nan=True)
