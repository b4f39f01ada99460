"""Inner products of one vector with float16 rows on disk, without a float32 copy of them and quicker than converting.

A half's bits, shifted right by 3 with the sign kept in place, are those of the float32 that is 2^-112 times as large:
the exponent's field is 3 bits wider, and its bias 112 larger. Two halves lie in one 32-bit word, so a row is taken
apart into its even and its odd numbers by integer shifts, which numpy does many at a time; its own conversion goes one
by one. The factor moves into the query. All of it is exact; only products and sums round, as in any float32 product.
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 256 << 10
"""What is converted stays in the core's own cache until it is multiplied."""
SPAN_ROWS = 4096
"""Rows that a thread takes at a time; `check` is called as often."""
KEPT_BITS = np.array(0x8FFFE000, dtype=np.uint32).view(np.int32)
"""Sign, exponent and ten bits of mantissa of a shifted half."""
SMALLEST_NORMAL = float(np.finfo(np.float16).smallest_normal)
LARGE = 2.0**20
"""A query with larger numbers could overflow on the way; no model gives such a one."""
MOST_TINY = 0.005
"""Above this share of subnormal numbers the processor's handling of them costs more than the shifts save (measured)."""


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
    multiply = _shifted if _can_be_shifted(embeddings) and np.abs(query).max() < LARGE else _converted
    products = np.empty(len(embeddings), dtype=np.float32)
    starts = range(0, len(embeddings), SPAN_ROWS)

    def work(start: int) -> None:
        span = slice(start, start + SPAN_ROWS)
        multiply(embeddings[span], query, products[span])

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


def _can_be_shifted(embeddings: NDArray[np.floating]) -> bool:
    """Whether the bits are halves, in pairs, hardly any of them subnormal (a thousand rows are looked at)."""
    if embeddings.dtype != np.dtype("<f2") or sys.byteorder != "little" or embeddings.shape[1] % 2:
        return False
    if not embeddings.flags.c_contiguous or not len(embeddings):
        return False
    bits = embeddings[:: max(1, len(embeddings) // 1000)].view(np.uint16) & 0x7FFF
    return float(((bits > 0) & (bits < 0x0400)).mean()) <= MOST_TINY


def _shifted(rows: NDArray[np.floating], query: NDArray[np.float32], products: NDArray[np.float32]) -> None:
    words = rows.view(np.int32)
    # 2^112 would overflow; 2^100 now and 2^12 afterwards are exact, too.
    even, odd = (np.ascontiguousarray(query[first::2]) * np.float32(2.0**100) for first in (0, 1))
    step = max(1, BLOCK_BYTES // (4 * words.shape[1]))
    buffers = [np.empty((step, words.shape[1]), dtype=np.int32) for _ in range(2)]
    with np.errstate(all="ignore"):  # rows that are not finite give anything
        for start in range(0, len(words), step):
            block = words[start : start + step]
            upper, lower = (buffer[: len(block)] for buffer in buffers)
            np.right_shift(block, 3, out=upper)
            np.bitwise_and(upper, KEPT_BITS, out=upper)
            np.left_shift(block, 16, out=lower)
            np.right_shift(lower, 3, out=lower)
            np.bitwise_and(lower, KEPT_BITS, out=lower)
            sums = upper.view(np.float32) @ odd + lower.view(np.float32) @ even
            products[start : start + step] = sums * np.float32(2.0**12)


def _converted(rows: NDArray[np.floating], query: NDArray[np.float32], products: NDArray[np.float32]) -> None:
    step = max(1, BLOCK_BYTES // (4 * rows.shape[1]))
    buffer = np.empty((step, rows.shape[1]), dtype=np.float32)
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            block = buffer[: min(step, len(rows) - start)]
            block[...] = rows[start : start + step]
            products[start : start + step] = block @ query
