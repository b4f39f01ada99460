"""Grouping the events of a study into suggested findings, from what scoring has stored.

Joining tracklets that show the same finding, from their pairwise distances.

The paper (Intrator et al. 2023, section 3.1) joins tracklets whose distance lies below a threshold, and does not say
how decisions on pairs become groups. What a reader joined or split overrides distances.

How much tracklets look alike, from the embeddings that scoring has stored.

A tracklet is a stretch of frames that are taken to show the same finding, such as an event. This is what joins events
until a model is trained for it; the parts by time and by the study's mean are ours.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile

Pairs = Iterable[tuple[int, int]]
_NEVER = 1e9
"""Distance of tracklets that must stay apart: their mean with any others lies above every limit."""


def merge(
    distances: NDArray[np.floating],
    limit: float,
    *,
    same: Pairs = (),
    different: Pairs = (),
) -> NDArray[np.int64]:
    """(T,) groups by average linkage (ours: the paper states no rule), numbered in the order of their first tracklets.

    The most similar groups are joined first.

    Args:
        distances: (T, T) symmetric, at least 0; infinite for tracklets that are never joined, such as of two classes.
        limit: groups are joined up to this distance.
        same: pairs that belong together, whatever their distance.
        different: pairs that do not; one that `same` joins, perhaps by way of others, is ignored.
    """
    count = len(distances)
    if count < 2:
        return np.zeros(count, np.int64)
    held = np.minimum(distances.astype(np.float64), _NEVER)
    for first, second in different:
        held[first, second] = held[second, first] = _NEVER
    numbers = joined_numbers(count, same)
    for number in np.flatnonzero(np.bincount(numbers) > 1):
        members = np.flatnonzero(numbers == number)
        held[np.ix_(members, members)] = 0.0
    np.fill_diagonal(held, 0.0)
    return _in_order(_clustered(held, limit))


def _clustered(distances: NDArray[np.float64], limit: float) -> NDArray[np.int64]:
    """The groups, numbered anyhow.

    Groups that are joined have a pair within the limit, so tracklets that no chain of such pairs joins are clustered
    apart from each other: less work, and less time in which other threads of Python wait.
    """
    from scipy.cluster.hierarchy import fcluster, linkage  # scipy takes time, and the window starts without it
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import squareform

    count, part = connected_components(csr_array(distances <= limit), directed=False)
    groups: NDArray[np.int64] = part.astype(np.int64)
    for number in np.flatnonzero(np.bincount(part, minlength=count) > 1).tolist():
        rows = np.flatnonzero(part == number)
        tree = linkage(squareform(distances[np.ix_(rows, rows)], checks=False), "average")
        groups[rows] = len(distances) * (number + 1) + fcluster(tree, limit, "distance")
    return groups


def joined_numbers(count: int, pairs: Pairs) -> NDArray[np.int64]:
    """(count,) what each number is joined with by the pairs, also by way of others: the first of them, or itself."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.array(list(pairs), np.int64).reshape(-1, 2)
    joins = coo_array((np.ones(len(ends), np.bool_), (ends[:, 0], ends[:, 1])), shape=(count, count))
    _, first, part = np.unique(connected_components(joins, directed=False)[1], return_index=True, return_inverse=True)
    return first[part].astype(np.int64)


def _in_order(groups: NDArray[np.integer]) -> NDArray[np.int64]:
    """The same groups, numbered from 0 in the order of their first members."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int64)[inverse]


FRAMES = 16
"""Frames of a tracklet that are averaged, spread over its length."""
TRACKLETS_AT_ONCE = 128
"""How many are read at a time: 5 MB of embeddings of 1,280 numbers."""
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
    """(T, D) the mean embedding of each tracklet less the study's mean, of length 1 ("averaging", Intrator et al.
    2023).

    Embeddings of one study have much in common, which the study's mean takes out. Zeros where no frame of a tracklet
    has an embedding. Many tracklets are read at a time: a loop over each would keep other threads, such as the
    window's, waiting. `check` is called often; it may raise to give up.
    """
    result = np.zeros((len(starts), file.embeddings.shape[1]), np.float32)
    if not len(starts):
        return result
    middle = study_mean(file)
    firsts, lasts = np.searchsorted(file.frame_index, (starts, stops))
    for at in range(0, len(starts), TRACKLETS_AT_ONCE):
        check()
        chunk = slice(at, at + TRACKLETS_AT_ONCE)
        rows, is_row = _spread_rows(firsts[chunk], lasts[chunk])
        vectors = np.asarray(file.embeddings[rows[is_row]], np.float32)
        is_row[is_row] = is_there = np.isfinite(vectors).all(axis=1)
        placed = np.zeros((*rows.shape, vectors.shape[1]), np.float32)
        placed[is_row] = of_length_one(vectors[is_there] - middle)
        result[chunk] = of_length_one(placed.sum(axis=1) / np.maximum(is_row.sum(axis=1, keepdims=True), 1))
    return result


def _spread_rows(firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """At most `FRAMES` rows of each stretch [first, last), evenly spread, (T, FRAMES); and which of them count."""
    counts = lasts - firsts
    is_short = counts < FRAMES
    whole = firsts[:, None] + np.arange(FRAMES)
    spread = np.linspace(firsts, lasts - 1, FRAMES, axis=1).astype(np.int64)
    is_row = np.arange(FRAMES) < np.where(is_short, counts, FRAMES)[:, None]
    return np.where(is_short[:, None], whole, spread), is_row


def distances_with_time(
    embeddings: NDArray[np.float32],
    starts_seconds: NDArray[np.float64],
    stops_seconds: NDArray[np.float64],
) -> NDArray[np.float32]:
    """One less the cosine of two tracklets, which falls exponentially with the time between them.

    (T, T) float32 in [0, 2], symmetric; 0 on the diagonal. Vectors are of length 1.
    """
    cosines = np.clip(embeddings @ embeddings.T, -1.0, 1.0)
    gaps = starts_seconds[:, None] - stops_seconds[None, :]
    gaps = np.maximum(gaps, gaps.T)
    np.maximum(gaps, 0.0, out=gaps)
    gaps /= -TIME_SECONDS
    likeness = np.multiply(np.exp(gaps, out=gaps), cosines, out=gaps)
    distances = np.asarray(np.subtract(1.0, likeness, out=likeness), np.float32)
    np.fill_diagonal(distances, 0.0)
    return distances


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
    np.copyto(distances, np.inf, where=classes[:, None] != classes[None, :])
    check()
    joined, apart = ([(place[first], place[second]) for first, second in pairs] for pairs in held)
    groups = np.arange(count, dtype=np.int64) + count  # each by itself
    groups[chosen] = merge(distances, limit, same=joined, different=apart)
    return _in_order(groups)


def soft_votes(
    tracks: Sequence[NDArray[np.float32]], tracklets: Tracklets, groups: NDArray[np.int64]
) -> NDArray[np.float32]:
    """(G,) the mean score of all frames of a group's tracklets, each of its own class (Intrator et al., section 3.2).

    NaN, of a frame without a score, does not count.
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
