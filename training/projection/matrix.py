"""What principal components are found of: rows that come in blocks, and sums over them with every core busy.

Each thread takes a block, and BLAS has one thread inside it. Measured on two cores beside other work: BLAS's own
threads wait for each other by spinning, and a pass over 15,000 x 2,048 took up to four times the CPU time that it
takes so.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.compute.plan import one_blas_thread
from training.runs.reporter import Reporter

BLOCK_ROWS = 1024
"""Few enough that a block of 2,048 numbers a row stays below what the allocator hands back to the system each time."""


class Matrix(Protocol):
    """(N, D), read a block at a time, as often as asked."""

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Blocks (n, D) float32 in order; not to be written to."""


class ArrayMatrix:
    """A matrix that is in memory already."""

    def __init__(self, array: NDArray[np.float32]) -> None:
        self._array = array

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""
        return self._array.shape[0], self._array.shape[1]

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Its rows, some thousand at a time."""
        yield from (self._array[start : start + BLOCK_ROWS] for start in range(0, len(self._array), BLOCK_ROWS))


R = TypeVar("R")


def over_blocks(
    rows: Matrix, work: Callable[[NDArray[np.float32]], R], threads: int, reporter: Reporter
) -> Iterator[R]:
    """`work` of each block, in order, so that sums come out the same whatever the threads do; may be cancelled."""
    with one_blas_thread():
        for result in in_lanes(rows.blocks(), work, threads):
            reporter.check()
            yield result
