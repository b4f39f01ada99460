"""Which events change when one set of scores replaces another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.metrics.events import flagged_frames
from wce_desktop.core.event import Event, Events, find_events
from wce_desktop.core.scores import Scores


@dataclass(frozen=True, eq=False, slots=True)
class EventChanges:
    """The events of one class that only the new scores have, that only the old ones had, and the new ones of both."""

    name: str
    appeared: Events
    disappeared: Events
    kept: Events


@dataclass(frozen=True, slots=True)
class FlagCounts:
    """Flagged frames and events of one class, by the old and by the new scores."""

    name: str
    old_frames: int
    new_frames: int
    old_events: int
    new_events: int


def compare_events(old: Events, new: Events) -> EventChanges:
    """Events that appear or disappear: those that share no frame with any event of the other set."""
    in_old, in_new = _meets(new, old), _meets(old, new)
    return EventChanges(new.name, new.take(~in_old), old.take(~in_new), new.take(in_old))


def compare_scores(
    old: Scores, new: Scores, threshold: float, frame_count: int, *, max_gap: int = 0
) -> tuple[EventChanges, ...]:
    """Event changes of each class that both models know, "normal" left out, at one threshold."""
    return tuple(
        compare_events(
            find_events(old.dense(name, frame_count), threshold, name, max_gap=max_gap),
            find_events(new.dense(name, frame_count), threshold, name, max_gap=max_gap),
        )
        for name in _shared(old, new)
    )


Change: TypeAlias = tuple[Literal["appears", "disappears"], Event]


def changed_events(
    old: Scores, new: Scores, threshold: float, frame_count: int, *, max_gap: int = 0
) -> tuple[Change, ...]:
    """The events that only the new scores have, and those that only the old ones have, class by class."""
    changes: list[Change] = []
    for change in compare_scores(old, new, threshold, frame_count, max_gap=max_gap):
        changes += [("appears", event) for event in change.appeared]
        changes += [("disappears", event) for event in change.disappeared]
    return tuple(changes)


def count_flags(
    old: Scores, new: Scores, threshold: float, frame_count: int, *, max_gap: int = 0
) -> tuple[FlagCounts, ...]:
    """Flagged frames and events of each class that both models know, "normal" left out, at one threshold."""
    counts = []
    for name in _shared(old, new):
        before, after = (_counts(one.dense(name, frame_count), threshold, name, max_gap) for one in (old, new))
        counts.append(FlagCounts(name, before[0], after[0], before[1], after[1]))
    return tuple(counts)


def _counts(track: NDArray[np.float32], threshold: float, name: str, max_gap: int) -> tuple[int, int]:
    """Flagged frames and events."""
    return int(flagged_frames(track, threshold).sum()), len(find_events(track, threshold, name, max_gap=max_gap))


def _shared(old: Scores, new: Scores) -> list[str]:
    return [name for name in new.classes if name in old.classes and name != "normal"]


def _meets(events: Events, others: Events) -> NDArray[np.bool_]:
    """(E,) bool: which of `events`, disjoint and in order of time as `others` are, share a frame with one of them."""
    started = np.searchsorted(others.starts, events.stops, side="left")  # others that begin before the event ends
    ended = np.searchsorted(others.stops, events.starts, side="right")  # others that end before the event begins
    met: NDArray[np.bool_] = started > ended
    return met
