"""The blood indicator: which frames it marks, and where the next mark is."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.landmark import Landmark, small_bowel
from wce_desktop.core.decimation import runs

TRACK = "blood"
"""Of the embedding file."""
MARKED = 0.5


def marked_frames(values: NDArray[np.float32], landmarks: Iterable[Landmark]) -> NDArray[np.bool_]:
    """(N,) bool, the marked frames; only those of the small bowel once its landmarks are set.

    Args:
        values: (N,) of the indicator, NaN for frames without a value.
        landmarks: of the study.
    """
    marked = np.nan_to_num(values) >= MARKED
    bowel = small_bowel(landmarks, len(values))
    if bowel is not None:
        marked[: bowel.start] = marked[bowel.stop :] = False
    return np.asarray(marked)


def next_mark(marked: NDArray[np.bool_], frame_index: int) -> int | None:
    """The first frame of the next run of marked frames, starting over past the last one; None without marks."""
    starts, _ = runs(marked)
    return int(starts[np.searchsorted(starts, frame_index, "right") % len(starts)]) if len(starts) else None
