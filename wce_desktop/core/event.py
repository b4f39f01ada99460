"""The scores of a study, and events: maximal spans of flagged frames, small gaps closed; and lists of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from training.metrics.events import event_bounds, flagged_frames
from wce_desktop.core.rates import RateScale, Stated, scale_of
from wce_desktop.core.span import Span


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of all frames; frames that cannot be read have NaN.

    Args:
        classes: names of the C classes.
        values: (N, C) float32 in [0, 1] or NaN, as the model gives them.
        frame_index: (N,) int64, increasing.
        model_id: the model's name.
        scale: by which `dense` makes standard scores of them; None: it leaves them as they are.

    Raises:
        ValueError: for shapes that do not fit, and values outside [0, 1].
    """

    classes: tuple[str, ...]
    values: NDArray[np.float32]
    frame_index: NDArray[np.int64]
    model_id: str = ""
    scale: RateScale | None = None

    def __post_init__(self) -> None:
        shape = (self.frame_index.size, len(self.classes))
        if self.values.shape != shape:
            raise ValueError(f"scores need shape (N, C) = {shape}, not {self.values.shape}")
        if self.values.dtype != np.float32:
            raise ValueError(f"scores are float32, not {self.values.dtype}")
        if self.values.size and not (np.nanmin(self.values) >= 0 and np.nanmax(self.values) <= 1):
            raise ValueError("scores lie in [0, 1]")
        if np.any(np.diff(self.frame_index) <= 0):
            raise ValueError("frame indices increase")

    def track(self, name: str) -> NDArray[np.float32]:
        """(N,) float32: the scores of one class as the model gives them.

        Raises:
            KeyError: for a class that the model does not know.
        """
        if name not in self.classes:
            raise KeyError(name)
        return self.values[:, self.classes.index(name)]

    def dense(self, name: str, frame_count: int) -> NDArray[np.float32]:
        """(frame_count,) float32: the standard scores of one class by frame index, NaN where there is none."""
        track = np.full(frame_count, np.nan, dtype=np.float32)
        inside = self.frame_index < frame_count
        track[self.frame_index[inside]] = self.standard(name)[inside]
        return track

    def standard(self, name: str) -> NDArray[np.float32]:
        """(N,) float32: the standard scores of one class; KeyError for a class that the model does not know."""
        return self.track(name) if self.scale is None else self.scale.apply(name, self.track(name))

    def without(self, names: Collection[str]) -> Scores:
        """The scores of the other classes."""
        kept = [number for number, name in enumerate(self.classes) if name not in names]
        if len(kept) == len(self.classes):
            return self
        return replace(self, classes=tuple(self.classes[number] for number in kept), values=self.values[:, kept])

    def standardised(self, stated: Stated) -> Scores:
        """With the scale of stated thresholds, and of these scores themselves; see `scale_of`."""
        return replace(self, scale=scale_of(stated, {name: self.track(name) for name in self.classes}))


Order = Literal["time", "score"]
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
    flagged = values[frames]
    # One number for a score and its place, of equal scores the earlier place higher: its maximum is that of an event.
    packed = _bits(flagged) | np.arange(flagged.size, dtype=np.uint64)[::-1]
    peaks = flagged.size - 1 - (np.maximum.reduceat(packed, first) & LOW_BITS).astype(np.intp)
    return Events(name, frames[first], frames[last] + 1, flagged[peaks], frames[peaks])


LOW_BITS = np.uint64(0xFFFFFFFF)


def _bits(scores: NDArray[np.float32]) -> NDArray[np.uint64]:
    """(E,) the bits of scores, at least 0, in the upper half of numbers that rise as the scores do."""
    return (scores + np.float32(0)).view(np.uint32).astype(np.uint64) << np.uint64(32)


def highest_first(scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """(E,) the places of scores in [0, 1] from the highest to the lowest, of equals the earlier first.

    The bits of such scores rise as the scores do. NumPy sorts numbers of 16 bits by counting, so the lower halves are
    sorted, then the upper ones: several times as fast as a stable `argsort` of the scores.
    """
    falling = ~(scores + np.float32(0)).view(np.uint32)
    order = np.argsort(falling.astype(np.uint16), kind="stable")
    upper = (falling >> np.uint32(16)).astype(np.uint16)
    return np.asarray(order[np.argsort(upper[order], kind="stable")])


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
        every = (find_events(np.zeros(0, np.float32), 1.0, ""), *self._tables)
        self._row = np.concatenate([np.arange(len(table)) for table in every])
        self.starts: NDArray[np.int64] = np.concatenate([table.starts for table in every])
        self.stops: NDArray[np.int64] = np.concatenate([table.stops for table in every])
        self.peak_frames: NDArray[np.int64] = np.concatenate([table.peak_frames for table in every])
        self.peak_scores: NDArray[np.float32] = np.concatenate([table.peak_scores for table in every])
        # The tables follow each other: a stable order by time keeps events of one start in the order of their classes.
        self._arrange(np.argsort(self.starts, kind="stable"))

    def _arrange(self, ranking: NDArray[np.intp]) -> None:
        self._table, self._row = self._table.take(ranking), self._row.take(ranking)
        self.starts = self.starts.take(ranking)
        self.stops = self.stops.take(ranking)
        self.peak_frames = self.peak_frames.take(ranking)
        self.peak_scores = self.peak_scores.take(ranking)

    @property
    def order(self) -> Order:
        """How the events are ordered."""
        return self._order

    @property
    def tables(self) -> tuple[Events, ...]:
        """The events of each of the C classes, in order of time."""
        return self._tables

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
        result = copy(self)
        result._order = order
        result._arrange(ranking)
        return result

    def chosen(self, is_chosen: NDArray[np.bool_]) -> EventList:
        """Some of these events, in order of time; `is_chosen` (E,) in the order of this list."""
        rows = [self._row[is_chosen & (self._table == at)] for at in range(len(self._tables))]
        return EventList(table.take(np.sort(held)) for table, held in zip(self._tables, rows, strict=True))

    def mask(self, frame_count: int) -> NDArray[np.bool_]:
        """(frame_count,) bool: the frames of all events."""
        mask = np.zeros(frame_count, dtype=bool)
        for table in self._tables:  # the events of one class are apart from each other
            edges = np.stack((table.starts, table.stops), axis=1).ravel()
            lengths = np.diff(edges, prepend=0, append=frame_count)
            mask |= np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)
        return mask

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
