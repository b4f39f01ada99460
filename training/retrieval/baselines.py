"""Vectors of clips without any learning from clips; ours, to compare encoders with.

Lesions and walls of the phantom have their own colours, so colours alone may find a place: an encoder has to be better.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from training.reidentification.baselines import colour_histograms
from training.retrieval.clip_reading import ClipPixels

Vectors = NDArray[np.floating]


def colour_mean(clip: ClipPixels) -> NDArray[np.float64]:
    """(3,) the mean colour of all pixels in [0, 255]; compared by distance."""
    return np.asarray(clip.mean(axis=(0, 1, 2)), np.float64)


def colour_histogram(clip: ClipPixels) -> NDArray[np.float64]:
    """(512,) mean over the frames of the roots of the colours' shares; compared by cosine."""
    return np.asarray(colour_histograms(clip).mean(axis=0), np.float64)


def redness(clip: ClipPixels) -> NDArray[np.float64]:
    """(1,) the mean share of red in a pixel's sum of red, green and blue, over pixels that are not black."""
    sums = clip.astype(np.float64).sum(axis=-1)
    is_seen = sums > 0
    reds = clip[..., 0][is_seen] / sums[is_seen]
    return np.array([reds.mean() if reds.size else 0.0])


COMPUTED: Mapping[str, Callable[[ClipPixels], NDArray[np.float64]]] = {
    "colour-mean": colour_mean,
    "histogram": colour_histogram,
    "redness": redness,
}
"""Name -> vector of a clip."""
BY_DISTANCE = ("colour-mean", "redness", "time")
"""Baselines whose vectors are compared by distance instead of cosine."""


def relative_time(starts: NDArray[np.int64], stops: NDArray[np.int64], frames: int) -> NDArray[np.float64]:
    """(n, 1) the middle of each clip as a share of its study, in [0, 1]: without looking at a frame."""
    return np.asarray((starts + stops)[:, None] / (2 * max(frames, 1)), np.float64)


def likeness(name: str, queries: Vectors, gallery: Vectors) -> NDArray[np.float64]:
    """(Q, G) similarity of vectors (Q, D) and (G, D): cosine, or for `BY_DISTANCE` the distance with its sign changed.

    A vector of zeros is as far from each clip as from every other one.
    """
    left, right = np.asarray(queries, np.float64), np.asarray(gallery, np.float64)
    if name in BY_DISTANCE:
        return np.asarray(-np.linalg.norm(left[:, None] - right[None], axis=-1), np.float64)
    return unit(left) @ unit(right).T


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, D) of length 1; zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), np.float64)
