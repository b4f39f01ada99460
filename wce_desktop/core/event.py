"""Events: maximal spans of flagged frames, small gaps closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from training.metrics.events import event_bounds, flagged_frames
from wce_desktop.core.span import Span

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Event:
    """One stretch that a model flags; `peak_frame` is the first frame with the highest score."""

    span: Span
    name: str
    peak_score: float
    peak_frame: int


@dataclass(frozen=True, eq=False, slots=True)
class Events(Sequence[Event]):
    """The E events of one class in order of time, held as arrays so that the threshold can be dragged smoothly.

    Args:
        starts, stops: (E,) int64, half-open.
        peak_scores: (E,) float32.
        peak_frames: (E,) int64.
    """

    name: str
    starts: IntArray
    stops: IntArray
    peak_scores: NDArray[np.float32]
    peak_frames: IntArray

    def __len__(self) -> int:
        return self.starts.size

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> Events: ...
    def __getitem__(self, at: int | slice) -> Event | Events:
        if isinstance(at, slice):
            return self.take(np.arange(len(self))[at])
        span = Span(int(self.starts[at]), int(self.stops[at]))
        return Event(span, self.name, float(self.peak_scores[at]), int(self.peak_frames[at]))

    def __iter__(self) -> Iterator[Event]:
        return (self[at] for at in range(len(self)))

    def take(self, order: IntArray | NDArray[np.bool_]) -> Events:
        """The events at these positions, in this order, or those where a mask is true."""
        return Events(
            self.name, self.starts[order], self.stops[order], self.peak_scores[order], self.peak_frames[order]
        )


def find_events(values: NDArray[np.float32], threshold: float, name: str, *, max_gap: int = 0) -> Events:
    """The events of one score track.

    Args:
        values: (N,) float32 scores; NaN where there is no frame.
        max_gap: stretches separated by at most this many unflagged frames are one event.
    """
    frames = np.flatnonzero(flagged_frames(values, threshold))
    if not frames.size:
        return Events(name, frames, frames, np.zeros(0, dtype=np.float32), frames)
    first, last = event_bounds(frames, max_gap)
    scores, peaks = _peaks(values[frames], first)
    return Events(name, frames[first], frames[last] + 1, scores, frames[peaks])


def _peaks(values: NDArray[np.float32], first: IntArray) -> tuple[NDArray[np.float32], IntArray]:
    """The highest value (E,) of each event and the first place (E,) that has it; `first` (E,) is where each begins."""
    if first.size == values.size:  # every event is one frame long
        return values, first
    highest = np.maximum.reduceat(values, first)
    lengths = np.diff(np.append(first, values.size))
    at_peak = np.flatnonzero(values == np.repeat(highest, lengths))
    event_at_peak = np.repeat(np.arange(first.size), lengths)[at_peak]
    is_first = np.concatenate(([True], event_at_peak[1:] != event_at_peak[:-1]))
    return highest, at_peak[is_first]
