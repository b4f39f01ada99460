"""How much tracklets look alike, from the embeddings that scoring has stored.

A tracklet is a stretch of frames that are taken to show the same finding, such as an event. This is what joins events
until a model is trained for it; the parts by time and by the study's mean are ours.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile

FRAMES = 16
"""Frames of a tracklet that are averaged, spread over its length."""
MEAN_FRAMES = 2000
"""Frames of a study that its mean is taken from."""
TIME_SECONDS = 80.0
"""The likeness of two tracklets falls to 1/e over this time between them: capsules see a finding again soon or not at
all. Chosen on four patients of the phantom; see the page on results."""
LIMIT = 0.55
"""Tracklets up to this distance are joined: 5 % of the pairs of other findings lie below it there."""


def tracklet_embeddings(
    file: EmbeddingFile,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    check: Callable[[], None] = lambda: None,
) -> NDArray[np.float32]:
    """The mean embedding of each tracklet less the study's mean, of length 1 (Intrator et al. 2023, "averaging").

    Embeddings of one study have much in common, which the study's mean takes out.

    Args:
        file: the study's embeddings, N of them, of D numbers.
        starts, stops: (T,) frames, half-open.
        check: called often; may raise to give up.

    Returns:
        (T, D) float32; zeros where no frame of a tracklet has an embedding.
    """
    found = np.zeros((len(starts), file.embeddings.shape[1]), np.float32)
    if not len(starts):
        return found
    middle = study_mean(file)
    firsts, lasts = np.searchsorted(file.frame_index, (starts, stops))
    for at, (first, last) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
        check()
        if last > first:
            rows = np.unique(np.linspace(first, last - 1, min(FRAMES, last - first)).astype(np.int64))
            vectors = np.asarray(file.embeddings[rows], np.float32)
            vectors = vectors[np.isfinite(vectors).all(axis=1)]
            if len(vectors):
                found[at] = of_length_one(of_length_one(vectors - middle).mean(axis=0))
    return found


def distances_with_time(
    embeddings: NDArray[np.float32],
    starts_seconds: NDArray[np.float64],
    stops_seconds: NDArray[np.float64],
    time_seconds: float = TIME_SECONDS,
) -> NDArray[np.float32]:
    """One less the cosine of two tracklets, which falls exponentially with the time between them.

    Args:
        embeddings: (T, D) of length 1.
        starts_seconds, stops_seconds: (T,) times of the first and of the last frame.
        time_seconds: over which likeness falls to 1/e.

    Returns:
        (T, T) float32 in [0, 2], symmetric; 0 on the diagonal.
    """
    cosines = np.clip(embeddings @ embeddings.T, -1.0, 1.0)
    gaps = np.maximum(
        starts_seconds[:, None] - stops_seconds[None, :], starts_seconds[None, :] - stops_seconds[:, None]
    )
    likeness = cosines * np.exp(-np.maximum(gaps, 0.0) / time_seconds)
    distances = np.asarray(1.0 - likeness, np.float32)
    np.fill_diagonal(distances, 0.0)
    return distances


def frame_similarities(file: EmbeddingFile, frames: NDArray[np.int64]) -> NDArray[np.float32]:
    """Cosines of all pairs of frames, less the study's mean (Intrator et al. 2023, supplementary figure 4).

    Args:
        file: the study's embeddings.
        frames: (n,) frames of the study.

    Returns:
        (n, n) float32 in [-1, 1]; 0 for a frame without an embedding.
    """
    rows = np.clip(np.searchsorted(file.frame_index, frames), 0, max(0, len(file) - 1))
    vectors = np.asarray(file.embeddings[rows], np.float32) - study_mean(file)
    is_there = (file.frame_index[rows] == frames) & np.isfinite(vectors).all(axis=1)
    vectors = of_length_one(np.where(is_there[:, None], vectors, 0.0).astype(np.float32))
    return np.asarray(np.clip(vectors @ vectors.T, -1.0, 1.0), np.float32)


def study_mean(file: EmbeddingFile) -> NDArray[np.float32]:
    """(D,) what the embeddings of a study have in common; zeros where no frame has an embedding."""
    rows = np.unique(np.linspace(0, len(file) - 1, min(MEAN_FRAMES, len(file))).astype(np.int64))
    vectors = np.asarray(file.embeddings[rows], np.float32)
    vectors = vectors[np.isfinite(vectors).all(axis=1)]
    if not len(vectors):
        return np.zeros(vectors.shape[1], np.float32)
    return np.asarray(of_length_one(vectors).mean(axis=0) * np.linalg.norm(vectors, axis=1).mean(), np.float32)


def of_length_one(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """(..., D) the vectors divided by their lengths; zeros stay zeros."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), np.float32)
