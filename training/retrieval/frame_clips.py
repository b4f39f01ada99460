"""Clips of a scored study from the embeddings of its frames, which scoring has stored.

The vector of a clip is the mean of the unit embeddings of its frames less the study's mean, of length 1, as that of a
tracklet (`training.reidentification.grouping`). This is ours, and finds a place until an encoder of clips (Xiang et
al. 2023) is trained.
"""

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.reidentification.grouping import of_length_one, study_mean
from training.retrieval.clips import Clips, clip_bounds

BLOCK_FRAMES = 512
"""Frames that are read at once."""
CLIPS_AT_ONCE = 1024
"""Clips whose sums are held at once."""
LEAST_FRAMES = 4
"""Clips of a study are at least this long, to bound their number (ours)."""


def frame_clips(
    file: EmbeddingFile,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    check: Callable[[], None] = lambda: None,
) -> Clips:
    """Clips with these bounds, by cumulative sums over the frames: each frame is read once, however many clips hold it.

    Zeros where no frame of a clip has an embedding. `check` is called often; it may raise to give up.
    """
    middle = study_mean(file)
    vectors = np.zeros((len(starts), len(middle)), np.float32)
    for first in range(0, len(starts), CLIPS_AT_ONCE):
        part = slice(first, first + CLIPS_AT_ONCE)
        rows = np.searchsorted(file.frame_index, (starts[part], stops[part]))
        vectors[part] = _mean_vectors(file, rows[0], rows[1], middle, check)
    return Clips(starts, stops, vectors)


def study_clips(file: EmbeddingFile, seconds: float, check: Callable[[], None] = lambda: None) -> Clips:
    """The clips of a whole study, all of the same length; `check` is called often and may raise to give up.

    Seconds are turned into frames by the median time between two frames of this study, at least `LEAST_FRAMES` of them.
    The next clip begins half a clip before its end (ours).
    """
    frames = int(file.frame_index[-1]) + 1 if len(file) else 0
    length = max(LEAST_FRAMES, frames_of(seconds, file.video_seconds))
    return frame_clips(file, *clip_bounds(frames, length, max(1, round(length / 2))), check)


def frames_of(seconds: float, video_seconds: NDArray[np.float64]) -> int:
    """How many frames a duration usually is in a study with these times (N,), at least 1."""
    step = median_step(video_seconds)
    return max(1, round(seconds / step)) if step > 0 else 1


def median_step(video_seconds: NDArray[np.float64]) -> float:
    """The median time between two frames of a study with these times (N,); 0 where it has one frame at most."""
    return float(np.median(np.diff(video_seconds))) if len(video_seconds) > 1 else 0.0


def _mean_vectors(
    file: EmbeddingFile,
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    middle: NDArray[np.float32],
    check: Callable[[], None],
) -> NDArray[np.float32]:
    """(n, D) the vectors of clips, given by half-open rows of the file: differences of cumulative sums."""
    grid = np.arange(firsts.min(), lasts.max(), BLOCK_FRAMES)
    edges = np.unique(np.concatenate((firsts, lasts, grid)))
    sums = _cumulative_sums(file, edges, middle, check)
    totals = sums[np.searchsorted(edges, lasts)] - sums[np.searchsorted(edges, firsts)]
    return of_length_one(totals.astype(np.float32))


def _cumulative_sums(
    file: EmbeddingFile, edges: NDArray[np.int64], middle: NDArray[np.float32], check: Callable[[], None]
) -> NDArray[np.float64]:
    """(m, D) the sums of unit vectors from the first edge to each; edges ascend by at most `BLOCK_FRAMES`."""
    sums = np.zeros((len(edges), len(middle)), np.float64)
    vectors = np.empty((BLOCK_FRAMES, len(middle)), np.float32)
    for at, (first, last) in enumerate(itertools.pairwise(edges.tolist()), 1):
        check()
        part = vectors[: last - first]
        np.subtract(file.embeddings[first:last], middle, out=part)
        squares = np.einsum("ij,ij->i", part, part)
        is_there = np.isfinite(squares) & (squares > 0)
        if not is_there.all():
            part, squares = part[is_there], squares[is_there]
        # The weights make each row of length 1; one product both scales and adds the rows.
        sums[at] = sums[at - 1] + (1 / np.sqrt(squares)) @ part
    return sums
