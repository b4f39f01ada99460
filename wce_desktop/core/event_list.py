"""The events of several classes as one list, by time or by score, held as arrays for speed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.event import Event, Events
from wce_desktop.core.span import SpanSet

Order = Literal["time", "score"]
_NO_FRAMES, _NO_SCORES = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)


def highest_first(scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """(E,) the places of scores in [0, 1] from the highest to the lowest, of equals the earlier first.

    Each score and its place are packed into one number: sorting those is several times as fast as a stable `argsort`.
    """
    falling = ~(scores + np.float32(0)).view(np.uint32)  # bits of floats that are not negative rise as they do
    packed = falling.astype(np.uint64) << np.uint64(32) | np.arange(scores.size, dtype=np.uint64)
    packed.sort()
    return (packed & np.uint64(0xFFFFFFFF)).astype(np.intp)


def _joined(none: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate([none, *parts])


class EventList(Sequence[Event]):
    """E events in order of time (start, then class); `ordered` gives them by score. Events are made when asked for.

    Args:
        tables: the events of each class.
    """

    def __init__(self, tables: Iterable[Events] = ()) -> None:
        self._tables = tuple(tables)
        self._order: Order = "time"
        counts = [len(table) for table in self._tables]
        self._table = np.repeat(np.arange(len(counts)), counts)
        self._row = _joined(_NO_FRAMES, [np.arange(count) for count in counts])
        self.starts: NDArray[np.int64] = _joined(_NO_FRAMES, [table.starts for table in self._tables])
        self.stops: NDArray[np.int64] = _joined(_NO_FRAMES, [table.stops for table in self._tables])
        self.peak_frames: NDArray[np.int64] = _joined(_NO_FRAMES, [table.peak_frames for table in self._tables])
        self.peak_scores: NDArray[np.float32] = _joined(_NO_SCORES, [table.peak_scores for table in self._tables])
        # The tables follow each other: a stable order by time keeps events of one start in the order of their classes.
        self._arrange(np.argsort(self.starts, kind="stable"))

    def _arrange(self, ranking: NDArray[np.intp]) -> None:
        self._table, self._row = self._table[ranking], self._row[ranking]
        self.starts = self.starts[ranking]
        self.stops = self.stops[ranking]
        self.peak_frames = self.peak_frames[ranking]
        self.peak_scores = self.peak_scores[ranking]

    @property
    def order(self) -> Order:
        """How the events are ordered."""
        return self._order

    @property
    def class_names(self) -> tuple[str, ...]:
        """The C classes, also those without events."""
        return tuple(table.name for table in self._tables)

    @property
    def classes(self) -> NDArray[np.intp]:
        """(E,) the class of each event, as its place in `class_names`."""
        return self._table

    def ordered(self, order: Order) -> EventList:
        """The same events in another order."""
        if order == self._order:
            return self
        if order == "time":
            return EventList(self._tables)
        by_time = self.ordered("time")
        return by_time.arranged(highest_first(by_time.peak_scores), order)

    def arranged(self, ranking: NDArray[np.intp], order: Order) -> EventList:
        """The same events in the order of these places (E,), which is called `order`."""
        made = copy(self)
        made._order = order
        made._arrange(ranking)
        return made

    def chosen(self, is_chosen: NDArray[np.bool_]) -> EventList:
        """Some of these events, in order of time; `is_chosen` (E,) in the order of this list."""
        rows = [self._row[is_chosen & (self._table == at)] for at in range(len(self._tables))]
        return EventList(table.take(np.sort(held)) for table, held in zip(self._tables, rows, strict=True))

    def frames(self) -> SpanSet:
        """The frames of all events."""
        by_time = self.ordered("time")
        return SpanSet.of_arrays(by_time.starts, by_time.stops)

    def at(self, frame_index: int) -> list[Event]:
        """The events that hold a frame, the one of highest peak first; one binary search a class."""
        here = []
        for table in self._tables:
            row = int(np.searchsorted(table.starts, frame_index, side="right")) - 1
            if row >= 0 and frame_index < table.stops[row]:
                here.append(table[row])
        return sorted(here, key=lambda event: -event.peak_score)

    def row_of(self, event: Event | None) -> int:
        """The place of an event in this list, or -1."""
        if event is None:
            return -1
        rows = np.flatnonzero((self.starts == event.span.start) & (self.peak_frames == event.peak_frame))
        return next((int(row) for row in rows if self[int(row)].name == event.name), -1)

    def __len__(self) -> int:
        return len(self._row)

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | list[Event]:
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        table: Events = self._tables[int(self._table[at])]
        return table[int(self._row[at])]
