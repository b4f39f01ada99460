"""Many spans as two arrays, so that a hundred thousand labels are found and painted at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.decimation import covered_columns
from wce_desktop.core.span import Span

Ints = NDArray[np.int64]


class SpanTable:
    """Spans in order of their starts; they may overlap, and the same span may be there twice."""

    def __init__(self, starts: Ints, stops: Ints) -> None:
        """From (K,) int64 starts and ends (exclusive), in any order."""
        order = np.lexsort((stops, starts))
        self._keep(starts[order], stops[order])

    @classmethod
    def of(cls, spans: Iterable[Span]) -> SpanTable:
        """From spans in any order."""
        edges = np.array([(span.start, span.stop) for span in spans], dtype=np.int64).reshape(-1, 2)
        return cls(edges[:, 0], edges[:, 1])

    def _keep(self, starts: Ints, stops: Ints) -> None:
        self.starts, self.stops = starts, stops
        # The furthest end so far never decreases, so that the first span that reaches a place is found by bisection.
        self._reach = np.maximum.accumulate(stops) if len(stops) else stops

    def __len__(self) -> int:
        return len(self.starts)

    def add(self, span: Span) -> None:
        """Take a span in."""
        at = int(np.searchsorted(self.starts, span.start))
        self._keep(np.insert(self.starts, at, span.start), np.insert(self.stops, at, span.stop))

    def remove(self, span: Span) -> None:
        """Take one span like this out. Raises KeyError when there is none."""
        first = int(np.searchsorted(self.starts, span.start, side="left"))
        last = int(np.searchsorted(self.starts, span.start, side="right"))
        at = np.flatnonzero(self.stops[first:last] == span.stop)
        if not at.size:
            raise KeyError(span)
        self._keep(np.delete(self.starts, first + at[0]), np.delete(self.stops, first + at[0]))

    def columns(self, start: float, stop: float, columns: int) -> NDArray[np.bool_]:
        """Which screen columns of the window `[start, stop)` the spans cover: (columns,) bool."""
        return covered_columns(self.starts, self._reach, start, stop, columns)
