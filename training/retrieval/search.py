"""Finding the clips of a study that look like another clip: an exact matrix product, then one clip of each place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.retrieval.clips import Clips

FOUND = 20
"""Clips that are returned (ours)."""
CANDIDATES = 8
"""So many times the clips that are returned are looked through at first."""
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
    rows = _best_places(similarities, gallery, count, max_overlap)
    return FoundClips(rows, np.clip(similarities[rows], -1.0, 1.0).astype(np.float32))


def _best_places(
    similarities: NDArray[np.float32], gallery: Clips, count: int, max_overlap: float
) -> NDArray[np.int64]:
    """The rows of the best clips that do not overlap: among the most similar ones, and among more where too few are."""
    candidates, total = CANDIDATES * count, len(similarities)
    while True:
        chosen = _apart(_most_similar(similarities, candidates), similarities, gallery, count, max_overlap)
        if len(chosen) == count or candidates >= total:
            return np.array(chosen, np.int64)
        candidates *= 4


def _most_similar(similarities: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """(k,) the rows of the highest similarities, descending; equal ones in order of time."""
    rows = np.arange(len(similarities))
    if count < len(rows):
        rows = np.sort(np.argpartition(similarities, -count)[-count:])
    return rows[np.argsort(-similarities[rows], kind="stable")]


def _apart(
    rows: NDArray[np.int64], similarities: NDArray[np.float32], gallery: Clips, count: int, max_overlap: float
) -> list[int]:
    """Of some rows, the best first, those that do not overlap a better one."""
    chosen: list[int] = []
    spans: list[tuple[int, int]] = []
    starts, stops, values = gallery.starts[rows].tolist(), gallery.stops[rows].tolist(), similarities[rows].tolist()
    for row, start, stop, similarity in zip(rows.tolist(), starts, stops, values, strict=True):
        if similarity == 0 and not gallery.vectors[row].any():
            continue
        for first, last in spans:
            if start < last and first < stop:
                shared = min(stop, last) - max(start, first)
                if shared > max_overlap * min(stop - start, last - first):
                    break
        else:
            chosen.append(row)
            spans.append((start, stop))
            if len(chosen) == count:
                break
    return chosen
