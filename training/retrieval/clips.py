"""Clips of a study and their vectors. Importing this module does not import torch.

Clips of a study as pixels; each frame is decoded once, however many clips share it. No torch.

Finding the clips of a study that look like another clip: an exact matrix product, then one clip of each place.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.video import FieldOfView, FrameSource, prepare_frame


@dataclass(frozen=True)
class Clips:
    """Clips of one study, in the order of time; they may overlap.

    Args:
        starts, stops: (n,) int64 frame indices, half-open, each at least one frame long; `starts` ascend.
        vectors: (n, D) float32 of length 1, one for each clip; zeros where a clip has none.

    Raises:
        ValueError: the arrays do not fit each other, or a clip is empty.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def __post_init__(self) -> None:
        shapes: tuple[Any, ...] = self.starts.shape, self.stops.shape, self.vectors.shape[:1]
        if len(set(shapes)) != 1 or self.starts.ndim != 1 or self.vectors.ndim != 2:
            raise ValueError(f"clips need equally many starts, stops and vectors, not {shapes}")
        if np.any(self.stops <= self.starts) or np.any(np.diff(self.starts) < 0):
            raise ValueError("clips need ascending starts, and a stop behind each start")

    def __len__(self) -> int:
        return len(self.starts)


def clip_bounds(frames: int, length: int, stride: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(n,) starts and stops of a study's clips: every `stride` frames one of `length` frames, the last one at the end.

    A study that is shorter than a clip is one clip.
    """
    if not frames:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    last = max(frames - length, 0)
    starts = np.unique(np.append(np.arange(0, last + 1, stride, dtype=np.int64), last))
    return starts, np.minimum(starts + length, frames)


ClipPixels = NDArray[np.uint8]
"""(T, S, S, 3) RGB, prepared as for every model."""


def read_clips(
    source: FrameSource,
    view: FieldOfView,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    *,
    length: int,
    size: int,
) -> Iterator[ClipPixels | None]:
    """The pixels (T, S, S, 3) of clips, in their order; None for one none of whose frames decodes.

    At most one clip's frames are held. A frame that does not decode is replaced by the one before it in the clip, else
    by the first one behind it. A clip that is shorter than `length`, because its study is, repeats its last frame.
    Starts and stops both ascend.
    """
    if not len(starts):
        return
    held: dict[int, NDArray[np.uint8]] = {}
    at = 0
    for index, frame in source.iterate(int(starts[0]), int(stops[-1])):
        if frame is not None and index >= starts[at]:
            held[index] = prepare_frame(frame, view, size)
        while at < len(stops) and stops[at] == index + 1:
            yield _clip(held, int(starts[at]), int(stops[at]), length)
            at += 1
        if at < len(starts):
            held = {number: kept for number, kept in held.items() if number >= starts[at]}


def _clip(held: dict[int, NDArray[np.uint8]], start: int, stop: int, length: int) -> ClipPixels | None:
    there = [index for index in range(start, stop) if index in held]
    if not there:
        return None
    taken = [max((index for index in there if index <= wanted), default=there[0]) for wanted in range(start, stop)]
    taken += [taken[-1]] * (length - len(taken))
    return np.stack([held[index] for index in taken])


BATCH = 32
"""Clips that are embedded at once."""


def embedded(
    clips: Iterator[ClipPixels | None],
    embed: Callable[[NDArray[np.uint8]], NDArray[np.floating]],
    batch: int = BATCH,
) -> Iterator[tuple[list[bool], NDArray[np.floating]]]:
    """Of each batch of clips whether each is there, and (k, D) vectors of those that are, (0, 0) where none is.

    `embed` makes (B, D) of (B, T, S, S, 3) uint8.
    """
    while waiting := list(islice(clips, batch)):
        there = [clip for clip in waiting if clip is not None]
        yield [clip is not None for clip in waiting], embed(np.stack(there)) if there else np.zeros((0, 0))


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
        max_overlap: share of the frames of the shorter clip, in [0, 1].
    """
    vectors = np.atleast_2d(query)
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
