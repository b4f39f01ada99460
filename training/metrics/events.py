"""Flagged frames and events: the one rule by which the window and the evaluation count them.

The numbers are defaults of settings, so this module imports numpy only where it computes.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THRESHOLD = 0.5
"""Frames with at least this score are flagged, unless a reader sets another threshold."""
MAX_GAP_FRAMES = 3
"""Unflagged frames in a row that do not end an event, unless a reader sets another number."""


def flagged_frames(scores: "NDArray[np.floating]", threshold: float) -> "NDArray[np.bool_]":
    """(N,) bool: the frames whose score is at or above the threshold; NaN, a missing frame, never is."""
    import numpy as np

    flagged: NDArray[np.bool_] = scores >= np.float32(threshold)
    return flagged


def event_bounds(frames: "NDArray[np.int64]", max_gap: int) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The places in `frames`, ascending, of each event's first and last frame, (E,) each.

    Flagged frames with at most `max_gap` others between them belong to one event.
    """
    import numpy as np

    if not frames.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    apart = np.diff(frames) > max_gap + 1
    first = np.flatnonzero(np.concatenate(([True], apart)))
    return first, np.append(first[1:], frames.size) - 1
