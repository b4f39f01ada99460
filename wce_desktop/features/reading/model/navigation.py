"""Finds the next event."""

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.event import Event
from wce_desktop.core.event_list import EventList


def next_event(
    events: EventList, frame_index: int, *, backwards: bool = False, wanted: NDArray[np.bool_] | None = None
) -> Event | None:
    """The nearest event after (or before) a frame, by the frame of its peak; around the ends it starts over.

    Args:
        events: the study's events, E of them.
        frame_index: where the reader is.
        backwards: look towards the start.
        wanted: (E,) bool, which events count (those not seen, say); all when None.

    Returns:
        The event, or None when none counts. An event whose peak is on screen comes last.
    """
    rows = np.arange(len(events)) if wanted is None else np.flatnonzero(wanted)
    if not rows.size:
        return None
    rows = rows[np.argsort(events.peak_frames[rows], kind="stable")]
    peaks = events.peak_frames[rows]
    at = (
        np.searchsorted(peaks, frame_index, side="left") - 1
        if backwards
        else np.searchsorted(peaks, frame_index, "right")
    )
    return events[int(rows[at % len(rows)])]
