"""What follows from the visible mucosa of each frame: frames without view, cleansing, and grades that are proposed.

The share is a track of the embedding file (`training.indicators`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.blood import MARKED
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.span import Span

TRACK = "visible_mucosa"
NO_VIEW = 0.10
"""Frames with a lower share show no mucosa: they are not to be read, and are not normal."""
LEAST_MEDIAN = 0.5
"""Of a study, for its frames to be told apart (ours)."""
BLOCK_SECONDS, LEAST_BLOCKS = 300.0, 4
DRAWS = 1000
CAC_ADEQUATE_FROM = 1.6
"""SB-CAC: ratio of red to green of a frame of the small bowel (Endosc Int Open 2018; doi 10.1055/a-0581-8758)."""
_VISUALISED, _OBSTRUCTION = (0.25, 0.50, 0.75), (0.05, 0.25, 0.50)


@dataclass(frozen=True, slots=True)
class Cleansing:
    """Of one segment: mean share of visible mucosa, and CAC where there are mean colours."""

    visible: float
    interval: tuple[float, float] | None
    """95 %; None where the segment has fewer than `LEAST_BLOCKS` blocks."""
    cac: float | None = None
    adequate: float | None = None
    """Share of frames whose ratio is `CAC_ADEQUATE_FROM` or more."""


def frames_with_view(visible: NDArray[np.float32], blood: NDArray[np.float32] | None = None) -> NDArray[np.bool_]:
    """(N,) bool: the frames that show mucosa, or blood before it; a frame without a share (NaN) does.

    `blood` (N,) is the blood indicator, or None where it was not computed.

    All frames do where their median is below `LEAST_MEDIAN`: the capsule's colours are not those that the share is
    right for, or nothing of the study is clean.
    """
    if not tells_view(visible):
        return np.ones(len(visible), np.bool_)
    shown = ~(visible < NO_VIEW)
    return shown if blood is None else shown | (blood >= MARKED)


def tells_view(visible: NDArray[np.float32]) -> bool:
    """Whether frames of a study are told apart by their share (N,), NaN for missing frames."""
    known = visible[~np.isnan(visible)]
    return not len(known) or bool(np.median(known) >= LEAST_MEDIAN)


def view_words(visible: NDArray[np.float32] | None, has_view: NDArray[np.bool_]) -> str:
    """How many frames of a study need not be read, or why none is left out; empty where there is nothing to say."""
    if visible is None:
        return ""
    if not tells_view(visible):
        return tr(
            "No frame is left out as without visible mucosa, since in most frames of this study less than half of the "
            "mucosa is measured as visible."
        )
    count = int(np.count_nonzero(~has_view))
    if not count:
        return ""
    return tr_count(
        "{count} frame without visible mucosa is left out.",
        "{count} frames without visible mucosa are left out.",
        count,
    )


def cleansing(
    visible: NDArray[np.float32], colors: NDArray[np.uint8] | None, video_seconds: NDArray[np.float64], span: Span
) -> Cleansing | None:
    """The cleansing of a segment; None where none of its frames has a share.

    The interval resamples blocks of five minutes, since neighbouring frames look alike.

    Args:
        visible: (N,) in [0, 1], NaN for missing frames.
        colors: (N, 3) mean RGB of each frame.
        video_seconds: (N,) rising.
        span: the segment's frames.
    """
    rows = np.arange(span.start, min(span.stop, len(visible)))
    rows = rows[np.isfinite(visible[rows])]
    if not len(rows):
        return None
    blocks = ((video_seconds[rows] - video_seconds[rows[0]]) // BLOCK_SECONDS).astype(int)
    counts, sums = np.bincount(blocks), np.bincount(blocks, visible[rows])
    counts, sums = counts[counts > 0], sums[counts > 0]
    interval = None
    if len(counts) >= LEAST_BLOCKS:
        drawn = np.random.default_rng(0).integers(0, len(counts), (DRAWS, len(counts)))
        low, high = np.percentile(sums[drawn].sum(1) / counts[drawn].sum(1), (2.5, 97.5))
        interval = (float(low), float(high))
    mean = float(visible[rows].mean())
    if colors is None:
        return Cleansing(mean, interval)
    ratios = colors[rows, 0] / np.maximum(colors[rows, 1], 1).astype(float)
    return Cleansing(mean, interval, float(ratios.mean()), float((ratios >= CAC_ADEQUATE_FROM).mean()))


def share_words(share: float) -> str:
    """A share in whole percent, as exact as it was measured: "63 %"."""
    return f"{100 * share:.0f} %"


def koda_of_share(visible: float) -> tuple[int, int] | None:
    """Proposed grades of KODA, visualised mucosa and obstruction, 0 to 3 each; None for a missing frame.

    What is not visible counts as hidden, darkness too.
    """
    if np.isnan(visible):
        return None
    return sum(visible >= limit for limit in _VISUALISED), sum(1 - visible <= limit for limit in _OBSTRUCTION)


def proposed_koda(visible: NDArray[np.float32], frames: Iterable[int]) -> float | None:
    """The score that the proposed grades of these frames come to; None where none has a share."""
    grades = [grade for frame in frames if (grade := koda_of_share(float(visible[frame]))) is not None]
    return float(np.mean(grades)) if grades else None
