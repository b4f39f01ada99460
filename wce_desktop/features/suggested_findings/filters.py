"""Which suggested findings the overview shows, in which order; no Qt."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.landmark import Region, regions
from wce_desktop.core.event import Event, EventList, Order
from wce_desktop.session.reading import Reading

Answer = Literal["", "none", "accepted", "rejected"]
Key = tuple[str, int]
"""Class and frame of the peak of an event."""
BLOOD = " blood indicator"
"""In the place of a class; no class begins with a space."""


@dataclass(frozen=True)
class Filter:
    """What is shown: all where nothing is chosen.

    Attributes:
        name: of the class; "" for every class, `BLOOD` for those with a frame that the blood indicator marks.
        region: where the frame of the picture lies, as the landmarks say; None for everywhere.
        least_score: in [0, 1], of the frame of the picture.
        answer: the reader's; "none" for findings without one, "" for all.
    """

    name: str = ""
    region: Region | None = None
    least_score: float = 0.0
    answer: Answer = ""

    def apply(self, reading: Reading, order: Order, kept: Collection[Key] = ()) -> EventList:
        """The main parts of the suggested findings that are shown, or the flags where they are not grouped.

        Args:
            reading: the open study.
            order: by the first frame of each finding, or the highest score first.
            kept: stay whatever their answer is, so that nothing moves when one is given.
        """
        flags = reading.flags
        events = (flags.suggested or flags.events).ordered(order)
        shown = np.asarray(events.peak_scores >= np.float32(self.least_score))
        if self.name == BLOOD:
            marked = reading.marked_as_blood
            before = np.concatenate(([0], np.cumsum(np.zeros(reading.frame_count) if marked is None else marked)))
            shown &= before[events.stops] > before[events.starts]
        elif self.name:
            shown &= np.array([name == self.name for name in events.class_names], bool)[events.classes]
        if self.region is not None:
            span = dict(regions(reading.entries.landmarks, reading.frame_count)).get(self.region)
            frames = events.peak_frames
            shown &= (frames >= span.start) & (frames < span.stop) if span is not None else False
        if self.answer:
            shown &= self._answered(reading, events, kept)
        return events.arranged(np.flatnonzero(shown), order)

    def _answered(self, reading: Reading, events: EventList, kept: Collection[Key]) -> NDArray[np.bool_]:
        """(E,) bool: the events with this answer, and those kept."""
        unanswered = reading.unanswered(events)
        chosen = unanswered.copy() if self.answer == "none" else np.zeros(len(events), bool)
        if self.answer != "none":
            rows = np.flatnonzero(~unanswered)
            chosen[rows] = [reading.answer(events[int(row)]) == self.answer for row in rows]
        at = np.flatnonzero(np.isin(events.peak_frames, [frame for _, frame in kept]))
        chosen[at] |= np.array([key_of_event(events[int(row)]) in kept for row in at], bool)
        return chosen


def key_of_event(event: Event) -> Key:
    """What an event is recognised by at another threshold, and after grouping."""
    return event.name, event.peak_frame
