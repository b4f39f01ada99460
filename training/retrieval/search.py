"""Finding the clips of a study that look like another clip: an exact matrix product, then one clip of each place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.retrieval.clips import Clips

FOUND = 20
"""Clips that are returned (ours)."""
MAX_OVERLAP = 0.0
"""A clip is dropped if it shares more than this part of its frames, or of the other's, with a better one (ours)."""


@dataclass(frozen=True)
class FoundClips:
    """Clips of a gallery, the most similar one first.

    Attributes:
        rows: (k,) int64, the places of the clips in the gallery.
        similarities: (k,) float32 cosines in [-1, 1], descending.
    """

    rows: NDArray[np.int64]
    similarities: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)


def find_clips(
    query: NDArray[np.float32], gallery: Clips, *, count: int = FOUND, max_overlap: float = MAX_OVERLAP
) -> FoundClips:
    """The clips of a gallery that are most similar to a query, without those that overlap a better one.

    A clip without a vector (zeros) is never found.

    Args:
        query: (D,) or (Q, D) of length 1; of several vectors the most similar one counts for each clip.
        count: clips to return, at least 1; fewer where the gallery has no more.
        max_overlap: share of the frames of the shorter clip, in [0, 1].

    Raises:
        ValueError: a number is out of range, or the vectors have other sizes.
    """
    vectors = np.atleast_2d(query)
    if count < 1 or not 0 <= max_overlap <= 1:
        raise ValueError(f"{count} clips with an overlap of up to {max_overlap} cannot be found")
    if vectors.ndim != 2 or not len(vectors) or vectors.shape[1] != gallery.vectors.shape[1]:
        raise ValueError(f"a query of shape {vectors.shape} does not fit clips of shape {gallery.vectors.shape}")
    similarities = gallery.vectors @ vectors[0] if len(vectors) == 1 else (gallery.vectors @ vectors.T).max(axis=1)
    rows = _best_places(np.array(similarities, np.float32), gallery, count, max_overlap)
    return FoundClips(rows, np.clip(similarities[rows], -1.0, 1.0).astype(np.float32))


def _best_places(left: NDArray[np.float32], gallery: Clips, count: int, max_overlap: float) -> NDArray[np.int64]:
    """The best row, then the best of what is left, and so on; `left` (n,) is changed."""
    starts, stops = gallery.starts, gallery.stops
    lengths = stops - starts
    longest = int(lengths.max(initial=0))
    chosen: list[int] = []
    while len(chosen) < count and len(left):
        best = int(left.argmax())
        similarity = left[best]
        if similarity == -np.inf:
            break
        left[best] = -np.inf
        if similarity == 0 and not gallery.vectors[best].any():
            continue
        chosen.append(best)
        start, stop = int(starts[best]), int(stops[best])
        # What overlaps begins before the end of the best clip, and at most a clip's length before its start.
        near = slice(int(starts.searchsorted(start - longest)), int(starts.searchsorted(stop)))
        shared = np.minimum(stops[near], stop) - np.maximum(starts[near], start)
        shorter = np.minimum(lengths[near], stop - start)
        left[near][shared > max_overlap * shorter] = -np.inf
    return np.array(chosen, np.int64)
