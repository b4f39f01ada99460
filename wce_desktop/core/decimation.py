"""From half a million frames to the columns of a screen, without losing a peak that is one frame wide."""

import math

import numpy as np
from numpy.typing import NDArray

Frames = NDArray[np.int64]


def column_frames(start: float, stop: float, columns: int) -> tuple[Frames, Frames]:
    """Which frames each screen column stands for: (columns,) first frames and (columns,) ends, exclusive.

    `start` and `stop` are positions in frames; they may be fractional and may lie outside the study. Every frame that
    touches `[start, stop)` belongs to at least one column. Where there are more columns than frames, neighbouring
    columns share a frame.

    Raises:
        ValueError: `stop` is not greater than `start`, or `columns` is negative.
    """
    if not stop > start:
        raise ValueError(f"columns need stop > start, got start={start}, stop={stop}")
    if columns < 0:
        raise ValueError(f"columns must not be negative, got {columns}")
    edges = np.floor(start + np.arange(columns + 1) * (stop - start) / max(columns, 1)).astype(np.int64)
    first, end = edges[:-1].copy(), edges[1:].copy()
    if columns:
        end[-1] = math.ceil(stop)
    return first, np.maximum(end, first + 1)


class MinMaxPyramid:
    """Exact minima and maxima over any stretch of a score track, in time that grows with its logarithm only.

    Level `l` holds the extremes of aligned blocks of 2**l frames; a stretch is put together from at most two blocks of
    each level. NaN (a frame without a score) never counts; a stretch of nothing but NaN has NaN as its extremes.
    """

    def __init__(self, values: NDArray[np.floating]) -> None:
        """Build from `values` (N,), any N >= 0. Raises ValueError for another number of dimensions."""
        if values.ndim != 1:
            raise ValueError(f"a score track has the shape (N,), got {values.shape}")
        low = high = np.ascontiguousarray(values, dtype=np.float32)
        self._levels = [(low, high)]
        while len(low) > 1:
            even = len(low) // 2 * 2
            low = np.fmin(low[0:even:2], low[1:even:2])
            high = np.fmax(high[0:even:2], high[1:even:2])
            self._levels.append((low, high))

    def __len__(self) -> int:
        return len(self._levels[0][0])

    @property
    def values(self) -> NDArray[np.float32]:
        """The track itself, (N,) float32."""
        return self._levels[0][0]

    def columns(self, start: float, stop: float, columns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Minimum and maximum, each (columns,) float32, of the frames of each column (see `column_frames`)."""
        first, end = column_frames(start, stop, columns)
        return self.extremes(np.clip(first, 0, len(self)), np.clip(end, 0, len(self)))

    def extremes(self, first: Frames, end: Frames) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Minimum and maximum, (K,) float32 each, over the stretches `[first[k], end[k])`; NaN over an empty one."""
        first, end = first.copy(), end.copy()
        minimum = np.full(len(first), np.nan, dtype=np.float32)
        maximum = minimum.copy()
        for low, high in self._levels:
            # A block that is not the first half of its parent is taken now, and so is one that ends without its twin.
            left = np.flatnonzero((first < end) & (first & 1 == 1))
            minimum[left] = np.fmin(minimum[left], low[first[left]])
            maximum[left] = np.fmax(maximum[left], high[first[left]])
            first[left] += 1
            right = np.flatnonzero((first < end) & (end & 1 == 1))
            end[right] -= 1
            minimum[right] = np.fmin(minimum[right], low[end[right]])
            maximum[right] = np.fmax(maximum[right], high[end[right]])
            if not np.any(first < end):
                break
            first >>= 1
            end >>= 1
        return minimum, maximum


class MeanColors:
    """Mean colours of any stretch of a row of colours, such as the tissue colour along a study."""

    def __init__(self, colors: NDArray[np.uint8]) -> None:
        """Build from `colors` (M, 3) uint8 RGB, M >= 1. Raises ValueError for another shape."""
        if colors.ndim != 2 or colors.shape[1] != 3 or not len(colors):
            raise ValueError(f"colours have the shape (M, 3) with M >= 1, got {colors.shape}")
        self._sums = np.zeros((len(colors) + 1, 3), dtype=np.int64)
        np.cumsum(colors, axis=0, dtype=np.int64, out=self._sums[1:])

    def __len__(self) -> int:
        return len(self._sums) - 1

    def columns(self, start: float, stop: float, columns: int) -> NDArray[np.uint8]:
        """Mean colours (columns, 3) uint8; positions count in rows of `colors`, outside the ends the end's colour."""
        first, end = column_frames(start, stop, columns)
        first = np.clip(first, 0, len(self) - 1)
        end = np.clip(end, first + 1, len(self))
        means = (self._sums[end] - self._sums[first]) / (end - first)[:, None]
        return np.rint(means).astype(np.uint8)


def covered_columns(starts: Frames, stops: Frames, start: float, stop: float, columns: int) -> NDArray[np.bool_]:
    """Which columns hold a frame of any of the spans `[starts[k], stops[k])`: (columns,) bool.

    The spans may come in any order and may overlap; an empty one covers nothing.
    """
    first, end = column_frames(start, stop, columns)
    real = stops > starts
    begin = np.searchsorted(end, starts[real], side="right")
    finish = np.searchsorted(first, stops[real], side="left")
    change = np.bincount(begin, minlength=columns + 1) - np.bincount(np.maximum(begin, finish), minlength=columns + 1)
    return np.asarray(np.cumsum(change)[:columns] > 0)


def runs(mask: NDArray[np.bool_]) -> tuple[Frames, Frames]:
    """Starts and ends (exclusive) of the stretches of True in `mask` (K,)."""
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0)).astype(np.int64)
    return edges[0::2], edges[1::2]
