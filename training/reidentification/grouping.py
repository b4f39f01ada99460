"""Grouping the events of a study into suggested findings, from what scoring has stored."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.reidentification.merging import merge
from training.reidentification.similarity import LIMIT, distances_with_time, tracklet_embeddings

MOST_EVENTS = 2000
"""Of more events those with the highest scores are grouped, and each other one is a finding by itself."""


@dataclass(frozen=True, eq=False)
class Tracklets:
    """T tracklets of one study.

    Attributes:
        starts, stops: (T,) int64 frames, half-open.
        classes: (T,) what each is taken to show; those of two classes are not joined unless a reader says so.
        peak_scores: (T,) float32.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    classes: NDArray[np.intp]
    peak_scores: NDArray[np.float32]


def group_tracklets(
    file: EmbeddingFile,
    video_seconds: NDArray[np.float64],
    tracklets: Tracklets,
    *,
    same: Iterable[tuple[int, int]] = (),
    different: Iterable[tuple[int, int]] = (),
    limit: float = LIMIT,
    vectors: NDArray[np.float32] | None = None,
    check: Callable[[], None] = lambda: None,
) -> NDArray[np.int64]:
    """Group tracklets by their embeddings and the time between them, or by the vectors of a re-identification model.

    Args:
        file: the study's embeddings.
        video_seconds: (N,) times of the study's frames.
        tracklets: T of them.
        same, different: pairs of tracklets that a reader joined or split.
        limit: of the distance; see `similarity`, or that of the model.
        vectors: (T, D) of length 1 by a model, whose cosines alone decide (Intrator et al. 2023); only those of the
            tracklets that are `compared` matter. None: none.
        check: called often; may raise to give up.

    Returns:
        (T,) int64 group numbers from 0 in the order of their first tracklets.
    """
    count = len(tracklets.starts)
    held = [tuple(pairs) for pairs in (same, different)]
    chosen = compared(tracklets, [*held[0], *held[1]])
    place = {int(row): at for at, row in enumerate(chosen)}
    starts, stops = tracklets.starts[chosen], tracklets.stops[chosen]
    if vectors is not None:
        distances = np.asarray(1.0 - np.clip(vectors[chosen] @ vectors[chosen].T, -1.0, 1.0), np.float32)
    else:
        embeddings = tracklet_embeddings(file, starts, stops, check)
        distances = distances_with_time(embeddings, video_seconds[starts], video_seconds[stops - 1])
    classes = tracklets.classes[chosen]
    distances[classes[:, None] != classes[None, :]] = np.inf
    check()
    joined, apart = ([(place[first], place[second]) for first, second in pairs] for pairs in held)
    groups = np.arange(count, dtype=np.int64) + count  # each by itself
    groups[chosen] = merge(distances, limit, same=joined, different=apart)
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int64)[inverse]


def soft_votes(
    tracks: Sequence[NDArray[np.float32]], tracklets: Tracklets, groups: NDArray[np.int64]
) -> NDArray[np.float32]:
    """(G,) the mean score of all frames of a group's tracklets, each of its own class (Intrator et al., section 3.2).

    Args:
        tracks: (N,) scores in [0, 1] of each class; NaN where there is none, which does not count.
        tracklets: T of them.
        groups: (T,) from `group_tracklets`.
    """
    count = int(groups.max(initial=-1)) + 1
    sums, frames = np.zeros(count), np.zeros(count)
    for at, track in enumerate(tracks):
        mine = tracklets.classes == at
        starts, stops = tracklets.starts[mine], tracklets.stops[mine]
        is_there = np.isfinite(track)
        for total, values in ((sums, np.where(is_there, track, 0.0)), (frames, is_there)):
            running = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
            np.add.at(total, groups[mine], running[stops] - running[starts])
    return np.clip(sums / np.maximum(frames, 1), 0.0, 1.0).astype(np.float32)


def compared(tracklets: Tracklets, linked: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    """The tracklets that are compared, in order: those of the highest scores, and all in `linked` pairs."""
    count = len(tracklets.starts)
    if count <= MOST_EVENTS:
        return np.arange(count, dtype=np.int64)
    highest = np.argsort(-tracklets.peak_scores, kind="stable")[:MOST_EVENTS]
    return np.unique(np.concatenate([highest, np.array([at for pair in linked for at in pair], np.int64)])).astype(
        np.int64
    )
