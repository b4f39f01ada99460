"""k nearest neighbours: which labels the labelled frames near a query suggest, and how often they are right.

Vats et al. evaluate with the classifier of Wu et al. 2018 (Unsupervised feature learning via non-parametric instance
discrimination): each of the k nearest has weight exp(cosine / temperature). There a frame has one label; that one with
several labels votes for each of them is ours.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Neighbour, NeighbourFilter
from training.embeddings.neighbour_index import NeighbourIndex
from training.texts import Text, count_text

TEMPERATURE = 0.1
"""Vats et al."""
NEIGHBOURS = 290
"""Vats et al.; fewer where there are fewer labelled frames."""
CHUNK = 512
"""Queries compared at once."""

FrameLabels = Mapping[str, Mapping[int, tuple[str, ...]]]
"""Labels by study_id and frame_index."""


@dataclass(frozen=True)
class Voter:
    """A neighbour that voted."""

    neighbour: Neighbour
    labels: tuple[str, ...]
    """What it voted for."""
    weight: float
    """Its part of all weights, in (0, 1]."""


@dataclass(frozen=True)
class Votes:
    """The outcome of a vote."""

    weights: Mapping[str, float]
    """Label -> its share of all weights in [0, 1], the largest first; sums to 1 where each frame has one label."""
    voters: tuple[Voter, ...]
    """Nearest first."""
    note: str
    """What a person should know of it; "" for nothing."""


def votes(
    index: NeighbourIndex,
    query: NDArray[np.floating],
    labels: FrameLabels,
    *,
    where: NeighbourFilter = NeighbourFilter(),  # noqa: B008  (frozen)
    k: int = NEIGHBOURS,
    temperature: float = TEMPERATURE,
    check: Callable[[], None] = lambda: None,
) -> Votes:
    """Let the k nearest labelled frames vote on the query, by cosine.

    Args:
        index: of the studies.
        query: (D,)
        labels: of the frames that may vote; frames without labels have no vote. Studies that take no part are ignored.
        where: further conditions; its `frames`, where given, are narrowed down to labelled ones.
        k: at most so many vote.
        temperature: > 0; the smaller it is the more the nearest decide.
        check: called often; may raise to give up.

    Raises:
        ValueError: temperature <= 0.
        UserError: as `NeighbourIndex.find`.
    """
    _check_temperature(temperature)
    result = index.find(
        query, k, metric="cosine", where=replace(where, frames=_labelled(index, labels, where)), check=check
    )
    if not result.items:
        return Votes({}, (), "No labelled frame passes the filters.")
    distances = np.array([item.distance for item in result.items])
    weights = soft_weights(-distances, temperature)
    voters = tuple(
        Voter(item, tuple(labels[item.study_id][item.frame_index]), weight)
        for item, weight in zip(result.items, weights.tolist(), strict=True)
    )
    shares: dict[str, float] = defaultdict(float)
    for voter in voters:
        for label in voter.labels:
            shares[label] += voter.weight
    note = count_text("{count:,} labelled frame voted.", "{count:,} labelled frames voted.", len(voters))
    return Votes(dict(sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))), voters, note)


def _labelled(index: NeighbourIndex, labels: FrameLabels, where: NeighbourFilter) -> dict[str, NDArray[np.bool_]]:
    masks = {}
    for study_id in index.study_ids:
        named = labels.get(study_id, {})
        frames = [frame for frame, its_labels in named.items() if its_labels]
        if not frames or (where.frames is not None and study_id not in where.frames):
            continue
        mask = np.isin(index.frame_index(study_id), frames)
        masks[study_id] = mask if where.frames is None else mask & where.frames[study_id]
    return masks


def normalised(embeddings: NDArray[np.floating]) -> NDArray[np.float64]:
    """(N, D) with rows of length 1; a row of zeros stays one."""
    points = embeddings.astype(np.float64)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / np.where(lengths > 0, lengths, 1.0))


def soft_weights(closeness: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Weights (..., k) of neighbours, the nearest one first: exp(cosine / temperature), with the sum 1."""
    weights: NDArray[np.float64] = np.exp((closeness - closeness[..., :1]) / temperature)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def class_votes(
    closeness: NDArray[np.float64],
    labels: NDArray[np.int64],
    classes: int,
    k: int,
    weights: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Sum of the weights (M, C) of those of each query's k closest frames that have a class.

    Of equally close frames the first one votes.

    Args:
        closeness: (M, N) of M queries to N labelled frames; the greater the closer.
        labels: (N,) classes from 0.
        classes: C.
        k: at most so many vote.
        weights: closeness (M, k) of the voters, the closest first -> their weights (M, k).
    """
    nearest = np.argsort(-closeness, axis=1, kind="stable")[:, :k]
    given = weights(np.take_along_axis(closeness, nearest, axis=1))
    return np.asarray(np.einsum("mk,mkc->mc", given, np.eye(classes)[labels[nearest]]))


def knn_scores(
    training: NDArray[np.floating],
    labels: NDArray[np.int64],
    asked: NDArray[np.floating],
    classes: int,
    *,
    k: int = NEIGHBOURS,
    temperature: float = TEMPERATURE,
) -> NDArray[np.float64]:
    """Each class's share of the votes of a frame's nearest labelled frames, by cosine.

    Args:
        training: (N, D) embeddings of the frames that vote; normalised here.
        labels: (N,) their classes, from 0.
        asked: (M, D) embeddings of the frames to classify.
        classes: C.
        k: maximum number of voting frames.
        temperature: > 0.

    Returns:
        (M, C) in [0, 1]; rows sum to 1.
    """
    _check_temperature(temperature)
    if not len(training):
        raise ValueError("no frame can vote")
    voters, queries = normalised(training), normalised(asked)
    parts = [queries[start : start + CHUNK] for start in range(0, len(queries), CHUNK)]
    weights = partial(soft_weights, temperature=temperature)
    scores = [class_votes(part @ voters.T, labels, classes, k, weights) for part in parts]
    return np.concatenate(scores) if scores else np.empty((0, classes))


def knn_accuracy(
    embeddings: NDArray[np.float32], labels: NDArray[np.int64], groups: NDArray[Any], neighbours: int
) -> float:
    """Balanced accuracy (ours, as most frames are normal) of a vote of the nearest frames of other groups.

    Squared Euclidean distance, as in the loss; ties go to the nearer frames.

    Args:
        embeddings: (M, D).
        labels: (M,) classes from 0.
        groups: (M,) patients; frames of the same patient do not vote.
        neighbours: k.
    """
    points = embeddings.astype(np.float64) - embeddings.mean(0, dtype=np.float64)
    squares = (points**2).sum(1)
    distances = squares[:, None] + squares - 2.0 * points @ points.T
    distances[groups[:, None] == groups] = np.inf

    def weights(closeness: NDArray[np.float64]) -> NDArray[np.float64]:
        """One for each frame that can vote, and slightly more for nearer frames, which only breaks ties."""
        return np.isfinite(closeness) * (1.0 + 1e-3 * np.linspace(1.0, 0.0, closeness.shape[1]))

    hit = class_votes(-distances, labels, int(labels.max()) + 1, neighbours, weights).argmax(1) == labels
    return float(np.mean([hit[labels == label].mean() for label in np.unique(labels)]))


def _check_temperature(temperature: float) -> None:
    if not temperature > 0:
        raise ValueError(Text("the temperature must be > 0, not {temperature}", temperature))
