"""Sums over the blocks of a matrix, every core busy: one thread a block, and BLAS with one thread inside it.

Measured on two cores beside other work: BLAS's own threads wait for each other by spinning, and a pass over 15,000 x
2,048 took up to four times the CPU time that it takes so.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.projection.matrix import Matrix
from training.runs.reporter import Reporter

R = TypeVar("R")


def over_blocks(
    rows: Matrix, work: Callable[[NDArray[np.float32]], R], threads: int, reporter: Reporter
) -> Iterator[R]:
    """`work` of each block, in order, so that sums come out the same whatever the threads do; may be cancelled."""
    with _one_thread_each():
        for result in in_lanes(rows.blocks(), work, threads):
            reporter.check()
            yield result


@contextmanager
def _one_thread_each() -> Iterator[None]:
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1, "blas"):
        yield
