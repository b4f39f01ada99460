"""Which events change when one set of scores replaces another."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.metrics.events import flagged_frames
from wce_desktop.core.event import Event, Events, Scores, find_events


@dataclass(frozen=True, slots=True)
class FlagCounts:
    """Flagged frames and events of one class, by the old and by the new scores."""

    name: str
    old_frames: int
    new_frames: int
    old_events: int
    new_events: int


Change: TypeAlias = tuple[Literal["appears", "disappears"], Event]


def changed_events(
    old: Scores, new: Scores, threshold: float, frame_count: int, *, max_gap: int = 0
) -> tuple[Change, ...]:
    """The events that only the new scores have, and those that only the old ones have, class by class.

    Each shares no frame with any event of the other model. Of the classes, "normal" is left out.
    """
    changes: list[Change] = []
    for name in _shared(old, new):
        before, after = (
            find_events(scores.dense(name, frame_count), threshold, name, max_gap=max_gap) for scores in (old, new)
        )
        changes += [("appears", event) for event in after.take(~_meets(after, before))]
        changes += [("disappears", event) for event in before.take(~_meets(before, after))]
    return tuple(changes)


def count_flags(
    old: Scores, new: Scores, threshold: float, frame_count: int, *, max_gap: int = 0
) -> tuple[FlagCounts, ...]:
    """Flagged frames and events of each class that both models know, "normal" left out, at one threshold."""
    counts = []
    for name in _shared(old, new):
        tracks = [scores.dense(name, frame_count) for scores in (old, new)]
        frames = (int(flagged_frames(track, threshold).sum()) for track in tracks)
        events = (len(find_events(track, threshold, name, max_gap=max_gap)) for track in tracks)
        counts.append(FlagCounts(name, *frames, *events))
    return tuple(counts)


def _shared(old: Scores, new: Scores) -> list[str]:
    return [name for name in new.classes if name in old.classes and name != "normal"]


def _meets(events: Events, others: Events) -> NDArray[np.bool_]:
    """(E,) bool: which of `events`, disjoint and in order of time as `others` are, share a frame with one of them."""
    started = np.searchsorted(others.starts, events.stops, side="left")  # others that begin before the event ends
    ended = np.searchsorted(others.stops, events.starts, side="right")  # others that end before the event begins
    met: NDArray[np.bool_] = started > ended
    return met
