"""What principal components are found of: rows that come in blocks."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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
