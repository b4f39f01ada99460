"""The blood indicator: which frames it marks, and where the next mark is."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.landmark import Landmark, small_bowel
from wce_desktop.core.decimation import runs
from wce_desktop.core.span import Span

TRACK = "blood"
"""Of the embedding file."""
MARKED = 0.5
SUSPECTED_FRAMES = 20
"""Successive marks of nine recordings without labelled blood were at most 16, of one with blood up to 92."""
APART_SECONDS = 60.0


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


def is_suspected(marked: NDArray[np.bool_]) -> bool:
    """Whether `SUSPECTED_FRAMES` successive frames (N,) of a study are marked."""
    starts, stops = runs(marked)
    return bool(np.max(stops - starts, initial=0) >= SUSPECTED_FRAMES)


def stretches(marked: NDArray[np.bool_], video_seconds: NDArray[np.float64]) -> list[Span]:
    """Stretches of marked frames; those less than `APART_SECONDS` apart are one."""
    starts, stops = runs(marked)
    cuts = np.flatnonzero(video_seconds[starts[1:]] - video_seconds[stops[:-1] - 1] >= APART_SECONDS) + 1
    firsts, lasts = np.split(starts, cuts), np.split(stops, cuts)
    return [Span(int(first[0]), int(last[-1])) for first, last in zip(firsts, lasts, strict=True) if len(first)]


def next_mark(marked: NDArray[np.bool_], frame_index: int) -> int | None:
    """The first frame of the next run of marked frames, starting over past the last one; None without marks."""
    starts, _ = runs(marked)
    return int(starts[np.searchsorted(starts, frame_index, "right") % len(starts)]) if len(starts) else None
