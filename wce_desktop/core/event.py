"""Events: maximal spans of flagged frames, small gaps closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.span import Span, SpanSet

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
    """The E events of one class in order of time, held as arrays so that dragging a threshold stays fluent.

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

    def by_score(self) -> Events:
        """The highest peak first; of equal ones the earlier first."""
        return self.take(np.argsort(-self.peak_scores, kind="stable").astype(np.int64))

    def seen_mask(self, seen: SpanSet) -> NDArray[np.bool_]:
        """(E,) bool: an event counts as seen once its peak frame was, which is where stepping to it leads."""
        if not len(self):
            return np.zeros(0, dtype=bool)
        return seen.to_mask(int(self.peak_frames.max()) + 1)[self.peak_frames]


def flagged_frames(values: NDArray[np.float32], threshold: float) -> NDArray[np.bool_]:
    """(N,) bool: the frames whose score is at or above the threshold; NaN, a missing frame, never is."""
    flagged: NDArray[np.bool_] = values >= np.float32(threshold)
    return flagged


def find_events(values: NDArray[np.float32], threshold: float, name: str, *, max_gap: int = 0) -> Events:
    """The events of one score track.

    Args:
        values: (N,) float32 scores; NaN where there is no frame.
        max_gap: two stretches with at most so many unflagged frames between them are one event.
    """
    flagged = flagged_frames(values, threshold)
    edges = np.diff(np.concatenate(([0], flagged.view(np.int8), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    apart = starts[1:] - stops[:-1] > max_gap
    starts = starts[np.concatenate(([True], apart))[: starts.size]]
    stops = stops[np.concatenate((apart, [True]))[-stops.size :]] if stops.size else stops
    scores, frames = _peaks(values, np.flatnonzero(flagged), starts)
    return Events(name, starts, stops, scores, frames)


def _peaks(values: NDArray[np.float32], flagged: IntArray, starts: IntArray) -> tuple[NDArray[np.float32], IntArray]:
    """The highest score (E,) of each event and the first frame (E,) that has it."""
    if not starts.size:
        return np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64)
    first_of_event = np.searchsorted(flagged, starts)
    scores = np.maximum.reduceat(values[flagged], first_of_event)
    lengths = np.diff(np.append(first_of_event, flagged.size))
    at_peak = np.flatnonzero(values[flagged] == np.repeat(scores, lengths))
    return scores, flagged[at_peak[np.searchsorted(at_peak, first_of_event)]]
