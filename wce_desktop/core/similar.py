"""Runs of near-identical frames, which can be shown as one, and how fast to play by how much changes.

All rules and numbers here are ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_FRAMES = 30
"""Of a run: nothing is hidden for longer than that."""
CELL_MEAN, CELL_MOST = 3.0, 16
"""Mean and largest difference of the cells of small pictures, of 255 levels, up to which they count as the same."""
PACES = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""From where very much changes or a frame is flagged to where hardly anything does; few, so that stretches of a study
are played at one speed."""
FASTEST, SLOWEST = PACES[-1], PACES[0]
SMOOTHED_FRAMES = 5
"""Over which the change is averaged, so that the pace does not jump."""


@dataclass(frozen=True, eq=False)
class Similar:
    """What is known of a study's N frames.

    Attributes:
        first: (N,) int64, the first frame of the run that a frame belongs to; its own number where it stands alone.
        change: (N,) float32, how much a frame differs from the one before, in any unit; NaN where it is not known.
    """

    first: NDArray[np.int64]
    change: NDArray[np.float32]

    @staticmethod
    def unknown(frame_count: int) -> "Similar":
        """Nothing is known yet: every frame stands alone."""
        return Similar(np.arange(frame_count), np.full(frame_count, np.nan, np.float32))


def look_the_same(
    first: NDArray[np.int16], other: NDArray[np.int16], mean: float = CELL_MEAN, most: float = CELL_MOST
) -> bool:
    """Whether two small pictures (`training.video.small_picture`) differ by no more than these levels."""
    away = np.abs(first - other)
    return bool(away.max() <= most and away.mean() <= mean)


def kept_frames(similar: Similar, flagged: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) bool: the frames that are shown while similar ones are left out.

    The first frame of each run, and all that are flagged: what a model points at is never hidden.
    """
    return np.asarray((similar.first == np.arange(len(similar.first))) | flagged)


def skipped_frames(kept: NDArray[np.bool_], played: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) bool: the frames that were left out: the shown frame that stands for them was on screen, they were not.

    Args:
        kept: (N,) as `kept_frames` gives.
        played: (N,) frames that were on screen, also too fast to count as seen.
    """
    at = np.where(kept, np.arange(len(kept)), 0)
    return np.asarray(~kept & ~played & played[np.maximum.accumulate(at)])


def similar_counts(kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(N,) int64: how many similar frames a kept frame stands for, itself included; 1 for a frame that is left out."""
    counts = np.ones(len(kept), np.int64)
    at = np.flatnonzero(kept)
    counts[at] = np.diff(np.append(at, len(kept)))
    return counts


def pace_of(similar: Similar, tracks: Mapping[str, NDArray[np.float32]], threshold: float) -> NDArray[np.float32]:
    """(N,) float32, each of `PACES`: how fast each frame is played, as a factor of the chosen rate.

    The root of the study's median change over the change around the frame, so that four times the change halves the
    pace, down to the next of `PACES`. Never above 1 from half the threshold on, and `SLOWEST` from the threshold on.
    1 where nothing is known.

    Args:
        similar: of the study.
        tracks: class but normal -> (N,) scores, NaN where there is none.
        threshold: at and above which a frame is flagged.
    """
    change = smoothed(similar.change)
    moving = change[change > 0]
    pace = np.ones(len(change), np.float32)
    if moving.size:
        middle = float(np.median(moving))
        known = ~np.isnan(change)
        ratio = middle / np.maximum(change[known], middle * 1e-3)
        wanted = np.clip(np.sqrt(ratio), SLOWEST, FASTEST)
        pace[known] = np.array(PACES, np.float32)[np.searchsorted(PACES, wanted + 1e-6, side="right") - 1]
    for scores in tracks.values():
        pace[scores >= threshold / 2] = np.minimum(pace[scores >= threshold / 2], 1)
    for scores in tracks.values():
        pace[scores >= threshold] = SLOWEST
    return pace


def smoothed(change: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N,) the mean of what is known among the `SMOOTHED_FRAMES` frames around each frame; NaN where nothing is."""
    known = ~np.isnan(change)
    window = np.ones(SMOOTHED_FRAMES)
    if not len(change):
        return change
    total = np.convolve(np.where(known, change, 0).astype(np.float64), window)
    count = np.convolve(known.astype(np.float64), window)
    half = SMOOTHED_FRAMES // 2
    total, count = total[half : half + len(change)], count[half : half + len(change)]
    mean = np.divide(total, count, out=np.full(len(change), np.nan), where=count > 0.5)
    return np.asarray(mean, np.float32)
