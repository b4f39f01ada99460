"""Spans of frames, half-open; sets of frames kept as sorted, disjoint spans; a few frames that stand for a span."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The frames `start` (included) to `stop` (excluded); never empty.

    Raises:
        ValueError: when `start` is negative or `stop` is not greater than `start`.
    """

    start: int
    stop: int

    def __post_init__(self) -> None:
        if self.start < 0 or self.stop <= self.start:
            raise ValueError(f"a span needs 0 <= start < stop, not [{self.start}, {self.stop})")

    def __len__(self) -> int:
        return self.stop - self.start

    def __contains__(self, frame_index: int) -> bool:
        return self.start <= frame_index < self.stop

    def intersects(self, other: Span) -> bool:
        """Whether both hold at least one frame in common."""
        return self.start < other.stop and other.start < self.stop

    def intersect(self, other: Span) -> Span | None:
        """The frames both hold, or None when there are none."""
        start, stop = max(self.start, other.start), min(self.stop, other.stop)
        return Span(start, stop) if start < stop else None


class SpanSet:
    """An immutable set of frames, held as sorted spans that neither overlap nor touch.

    `contains` takes O(log n) of the number of spans.
    """

    __slots__ = ("_starts", "_stops")

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        starts: list[int] = []
        stops: list[int] = []
        for span in sorted(spans):
            if stops and span.start <= stops[-1]:
                stops[-1] = max(stops[-1], span.stop)
            else:
                starts.append(span.start)
                stops.append(span.stop)
        self._starts, self._stops = starts, stops

    @classmethod
    def _of(cls, starts: list[int], stops: list[int]) -> SpanSet:
        result = cls.__new__(cls)
        result._starts, result._stops = starts, stops
        return result

    @classmethod
    def of_arrays(cls, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> SpanSet:
        """The frames of K spans as arrays (K,), in order of their starts; they may overlap and touch."""
        if not len(starts):
            return cls()
        reach = np.maximum.accumulate(stops)
        apart = starts[1:] > reach[:-1]
        return cls._of(
            starts[np.concatenate(([True], apart))].tolist(), reach[np.concatenate((apart, [True]))].tolist()
        )

    @classmethod
    def from_mask(cls, mask: NDArray[np.bool_]) -> SpanSet:
        """The frames where `mask` (N,) bool is true."""
        edges = np.flatnonzero(np.diff(np.asarray(mask, np.int8), prepend=0, append=0)).tolist()
        return cls._of(edges[0::2], edges[1::2])

    def to_mask(self, frame_count: int) -> NDArray[np.bool_]:
        """(frame_count,) bool, true for the frames held; frames past the end are left out."""
        edges = np.zeros(frame_count + 1, dtype=np.int32)
        np.add.at(edges, np.minimum(np.asarray(self._starts, dtype=np.int64), frame_count), 1)
        np.add.at(edges, np.minimum(np.asarray(self._stops, dtype=np.int64), frame_count), -1)
        return np.cumsum(edges[:-1]).astype(bool)

    def union(self, spans: Iterable[Span]) -> SpanSet:
        """The set with the frames of all `spans` too."""
        return SpanSet([*self, *spans])

    def difference(self, spans: Iterable[Span]) -> SpanSet:
        """The set without the frames of any of `spans`."""
        removed = SpanSet(spans)
        return SpanSet(piece for span in self for piece in removed.missing_in(span))

    def within(self, span: Span) -> SpanSet:
        """The frames held that lie in `span`."""
        first = bisect_right(self._stops, span.start)
        last = bisect_left(self._starts, span.stop)
        if first >= last:
            return SpanSet()
        starts, stops = self._starts[first:last], self._stops[first:last]
        starts[0] = max(starts[0], span.start)
        stops[-1] = min(stops[-1], span.stop)
        return SpanSet._of(starts, stops)

    def missing_in(self, span: Span) -> SpanSet:
        """The frames of `span` that are not held."""
        held = self.within(span)
        starts = [span.start, *held._stops]
        stops = [*held._starts, span.stop]
        gaps = [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]
        return SpanSet._of([start for start, _ in gaps], [stop for _, stop in gaps])

    def contains(self, frame_index: int) -> bool:
        """Whether the frame is held."""
        at = bisect_right(self._starts, frame_index) - 1
        return at >= 0 and frame_index < self._stops[at]

    __contains__ = contains

    @property
    def starts(self) -> Sequence[int]:
        """The first frame of each span, in order."""
        return self._starts

    @property
    def stops(self) -> Sequence[int]:
        """The end of each span (exclusive), in order."""
        return self._stops

    @property
    def frame_count(self) -> int:
        """How many frames are held."""
        return sum(self._stops) - sum(self._starts)

    def __len__(self) -> int:
        """How many spans, not frames, there are."""
        return len(self._starts)

    def __iter__(self) -> Iterator[Span]:
        return (Span(start, stop) for start, stop in zip(self._starts, self._stops, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpanSet) and self._starts == other._starts and self._stops == other._stops

    def __hash__(self) -> int:
        return hash((tuple(self._starts), tuple(self._stops)))

    def __repr__(self) -> str:
        return f"SpanSet({', '.join(f'[{span.start}, {span.stop})' for span in self)})"


def spread_frames(span: Span, count: int, always: int | None = None) -> tuple[int, ...]:
    """At most `count` (at least 1) frames of a span in order, evenly spread from its first to its last.

    `always`, a frame of the span, is among them: it takes the place of the nearest.
    """
    if len(span) <= count:
        return tuple(range(span.start, span.stop))
    if count == 1:
        return (always if always is not None else span.start,)
    step = (len(span) - 1) / (count - 1)
    frames = [span.start + round(at * step) for at in range(count)]
    if always is not None:
        frames[min(range(count), key=lambda at: abs(frames[at] - always))] = always
    return tuple(frames)
