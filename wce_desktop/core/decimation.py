"""Reduces half a million frames to screen columns without losing peaks one frame wide."""

import math

import numpy as np
from numpy.typing import NDArray

Frames = NDArray[np.int64]
Floats = NDArray[np.float32]


def column_frames(start: float, stop: float, columns: int) -> tuple[Frames, Frames]:
    """The frames that each screen column represents: (columns,) first frames and (columns,) ends, exclusive.

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
    """Exact minima and maxima over any stretch of score tracks, in time that grows with its logarithm only.

    Level `l` holds the extremes of aligned blocks of 2**l frames; a stretch is put together from at most two blocks of
    each level. NaN (a frame without a score) never counts; a stretch with only NaN has NaN as its extremes.
    """

    def __init__(self, values: NDArray[np.floating]) -> None:
        """Build from one track (N,) or several (N, C), any N >= 0. Raises ValueError for other shapes."""
        if values.ndim not in (1, 2):
            raise ValueError(f"score tracks have the shape (N,) or (N, C), got {values.shape}")
        self._tracks = values.shape[1:]
        rows = values.reshape(len(values), math.prod(self._tracks)).astype(np.float32)
        # The maxima are kept as minima of the negated tracks, so that each step is one gathering and one comparison.
        level = np.concatenate((rows, -rows), axis=1)
        self._levels = [level]
        while len(level) > 1:
            even = len(level) // 2 * 2
            level = np.fmin(level[0:even:2], level[1:even:2])
            self._levels.append(level)
        self._last: tuple[Frames, Frames, tuple[Floats, Floats]] | None = None

    def __len__(self) -> int:
        return len(self._levels[0])

    def columns(self, start: float, stop: float, columns: int) -> tuple[Floats, Floats]:
        """Minima and maxima, each (columns,) or (columns, C) float32, of each column's frames (see `column_frames`)."""
        return self.extremes(*column_frames(start, stop, columns))

    def extremes(self, first: Frames, end: Frames) -> tuple[Floats, Floats]:
        """Minima and maxima, (K,) or (K, C) float32 each, over the stretches `[first[k], end[k])`; not to be changed.

        NaN over a stretch that is empty or lies outside the study. The last answer is kept: the same stretches are
        asked for again while the threshold is dragged.
        """
        last = self._last
        if last is None or not (np.array_equal(first, last[0]) and np.array_equal(end, last[1])):
            self._last = last = (first.copy(), end.copy(), self._extremes(first, end))
        return last[2]

    def _extremes(self, first: Frames, end: Frames) -> tuple[Floats, Floats]:
        first, end = np.clip(first, 0, len(self)), np.clip(end, 0, len(self))
        lowest = np.full((len(first), self._levels[0].shape[1]), np.nan, dtype=np.float32)
        for level in self._levels:
            # A block that is not the first half of its parent is taken now, and so is one that ends without its twin.
            left = np.flatnonzero((first < end) & (first & 1 == 1))
            lowest[left] = np.fmin(lowest[left], level[first[left]])
            first[left] += 1
            right = np.flatnonzero((first < end) & (end & 1 == 1))
            end[right] -= 1
            lowest[right] = np.fmin(lowest[right], level[end[right]])
            if not np.any(first < end):
                break
            first >>= 1
            end >>= 1
        low, high = np.split(lowest, 2, axis=1)
        shape = (len(first), *self._tracks)
        return low.reshape(shape), -high.reshape(shape)


class MeanColors:
    """Mean colours of any stretch of a row of colours, such as the tissue colour along a study."""

    def __init__(self, colors: NDArray[np.uint8]) -> None:
        """Build from `colors` (M, 3) uint8 RGB, M >= 1. Raises ValueError for another shape."""
        if colors.ndim != 2 or colors.shape[1] != 3 or not len(colors):
            raise ValueError(f"colours have the shape (M, 3) with M >= 1, got {colors.shape}")
        self._sums = np.zeros((len(colors) + 1, 3), dtype=np.uint32)  # enough for 16 million rows
        np.cumsum(colors, axis=0, dtype=np.uint32, out=self._sums[1:])

    def __len__(self) -> int:
        return len(self._sums) - 1

    def columns(self, start: float, stop: float, columns: int) -> NDArray[np.uint8]:
        """Mean colours (columns, 3) uint8; positions count in rows of `colors`, outside the ends the end's colour."""
        first, end = column_frames(start, stop, columns)
        first = np.clip(first, 0, len(self) - 1)
        end = np.clip(end, first + 1, len(self))
        means = (self._sums[end] - self._sums[first]) / (end - first)[:, None]
        return np.rint(means).astype(np.uint8)


def covered_columns(starts: Frames, reach: Frames, start: float, stop: float, columns: int) -> NDArray[np.bool_]:
    """Which columns hold a frame of any of K spans: (columns,) bool, in time that hardly depends on K.

    Args:
        starts: (K,) first frames, sorted. The spans may overlap; none is empty.
        reach: (K,) the furthest end (exclusive) of any span so far, `np.maximum.accumulate(stops)`.
    """
    first, end = column_frames(start, stop, columns)
    # A column is covered when, of the spans that begin before its end, the one that reaches furthest reaches into it.
    started = np.searchsorted(starts, end, side="left")
    furthest = np.concatenate((np.array([np.iinfo(np.int64).min]), reach))[started]
    return np.asarray(furthest > first)


def runs(mask: NDArray[np.bool_]) -> tuple[Frames, Frames]:
    """Starts and ends (exclusive) of the stretches of True in `mask` (K,)."""
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0)).astype(np.int64)
    return edges[0::2], edges[1::2]
