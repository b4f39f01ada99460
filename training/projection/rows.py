"""The chosen rows of all studies as one (N, D) matrix that is read in blocks and never wholly in memory."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from training.projection.matrix import BLOCK_ROWS
from training.projection.sources import Source

KEEP_BYTES = 512 << 20
"""A matrix of at most this size (float32) is read once and kept."""


class Rows:
    """Rows of several studies, one study after the other, ascending within each.

    Args:
        sources: all of the same D.
        rows: for each source (n,) ascending row numbers.
    """

    def __init__(self, sources: Sequence[Source], rows: Sequence[NDArray[np.int64]]) -> None:
        self._parts = [(source.embeddings, chosen) for source, chosen in zip(sources, rows, strict=True)]
        self.study = np.repeat(np.arange(len(sources), dtype=np.int32), [len(chosen) for chosen in rows])
        """(N,) position of the source."""
        self.frame_index = np.concatenate([s.frame_index[r] for s, r in zip(sources, rows, strict=True)])
        """(N,)"""
        self.video_seconds = np.concatenate([s.video_seconds[r] for s, r in zip(sources, rows, strict=True)])
        """(N,)"""
        self._size = sources[0].embeddings.shape[1]
        self._kept: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.study)

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""
        return len(self.study), self._size

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Blocks (n, D) float32 in order; not to be written to."""
        if self._kept is not None:
            yield from (self._kept[start : start + BLOCK_ROWS] for start in range(0, len(self._kept), BLOCK_ROWS))
            return
        for embeddings, chosen in self._parts:
            for start in range(0, len(chosen), BLOCK_ROWS):
                wanted = chosen[start : start + BLOCK_ROWS]
                if wanted[-1] - wanted[0] + 1 == len(wanted):  # a slice is read in one go
                    yield np.asarray(embeddings[wanted[0] : wanted[-1] + 1], np.float32)
                else:
                    yield np.asarray(embeddings[wanted], np.float32)

    def keep(self) -> None:
        """Hold the matrix in memory where it is small: every pass but the first then costs no reading."""
        if self._kept is None and 4 * self.shape[0] * self.shape[1] <= KEEP_BYTES:
            kept, done = np.empty(self.shape, np.float32), 0
            for block in self.blocks():
                kept[done : done + len(block)] = block
                done += len(block)
            self._kept = kept

    def some(self, count: int) -> NDArray[np.float32]:
        """Some `count` rows (or all there are) in even steps, (n, D)."""
        every, seen, found = max(1, len(self) // count), 0, []
        for block in self.blocks():
            found.append(block[-seen % every :: every].copy())  # a view would keep the whole block
            seen += len(block)
        return np.concatenate(found)

    def finite(self) -> NDArray[np.bool_]:
        """(N,) rows that are numbers throughout: a frame that does not decode is NaN."""
        checked = [np.isfinite(block.sum(axis=1, dtype=np.float64)) for block in self.blocks()]
        return np.concatenate(checked) if checked else np.zeros(0, bool)
