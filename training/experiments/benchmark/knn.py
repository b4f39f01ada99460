"""Zero-shot classification: the labelled frames nearest to a frame vote with exp(cosine / temperature); few-shot too.

The classifier is that of Wu et al. 2018 (Unsupervised feature learning via non-parametric instance discrimination),
with the temperature 0.1 and the 290 neighbours of Vats et al. 2022. The paper does not say which frames vote: ours are
the training frames, and all of them where they are fewer than the neighbours.

Few-shot, a handful of labelled frames of each class. Vats et al. mean by it their linear evaluation on small sets and
with 1 % of the labels; this one is ours: prototypes (Snell et al. 2017), the mean of the normalised embeddings of the
shots, with the cosine as score, over many seeded draws of the shots.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn_votes import NEIGHBOURS, TEMPERATURE
from training.experiments.benchmark.class_figures import FIGURES, class_figures

CHUNK = 512
"""Queries compared at once."""


def normalised(embeddings: NDArray[np.floating]) -> NDArray[np.float64]:
    """(N, D) with rows of length 1; a row of zeros stays one."""
    points = embeddings.astype(np.float64)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / np.where(lengths > 0, lengths, 1.0))


def knn_scores(
    training: NDArray[np.floating],
    labels: NDArray[np.int64],
    asked: NDArray[np.floating],
    classes: int,
    *,
    k: int = NEIGHBOURS,
    temperature: float = TEMPERATURE,
) -> NDArray[np.float64]:
    """Each class's share of the votes of a frame's nearest labelled frames.

    Equal distances: the first frame votes.

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
    if not temperature > 0:
        raise ValueError(f"the temperature must be > 0, not {temperature}")
    if not len(training):
        raise ValueError("no frame can vote")
    voters, queries = normalised(training), normalised(asked)
    one_hot = np.eye(classes)[labels]
    k = min(k, len(voters))
    scores = np.empty((len(queries), classes))
    for start in range(0, len(queries), CHUNK):
        similar = queries[start : start + CHUNK] @ voters.T
        nearest = np.argsort(-similar, axis=1, kind="stable")[:, :k]
        closeness = np.take_along_axis(similar, nearest, axis=1)
        weights = np.exp((closeness - closeness[:, :1]) / temperature)
        weights /= weights.sum(axis=1, keepdims=True)
        scores[start : start + CHUNK] = np.einsum("mk,mkc->mc", weights, one_hot[nearest])
    return scores


DRAWS = 20


def few_shot(
    training: NDArray[np.floating],
    labels: NDArray[np.int64],
    asked: NDArray[np.floating],
    truth: NDArray[np.int64],
    shots: int,
    seed: int,
    draws: int = DRAWS,
    groups: NDArray[Any] | None = None,
) -> dict[str, Any]:
    """Means of the figures over the draws, and the deviation of the accuracy.

    Args:
        training: (N, D) embeddings that shots are drawn from; every class must be among them.
        labels: (N,) their classes.
        asked: (M, D) embeddings to classify.
        truth: (M,) their classes.
        shots: frames of each class; all of a class that has fewer.
        seed: of the draws.
        draws: how often shots are drawn.
        groups: (M,) patients of the frames to classify.

    Returns:
        The figures of `class_figures`, `deviation` (of the accuracy over draws), `shots`, `draws`.
    """
    voters, queries = normalised(training), normalised(asked)
    classes = int(labels.max()) + 1
    rng = np.random.default_rng([seed, shots, 13])
    rows = []
    for _ in range(draws):
        means = np.zeros((classes, voters.shape[1]))
        for label in range(classes):
            mine = np.flatnonzero(labels == label)
            means[label] = voters[rng.choice(mine, min(shots, len(mine)), replace=False)].mean(axis=0)
        rows.append(class_figures(truth, queries @ normalised(means).T, groups))
    mean = {name: _mean([row[name] for row in rows]) for name in FIGURES}
    return {
        **mean,
        "deviation": float(np.std([row["accuracy"] or 0.0 for row in rows])),
        "shots": shots,
        "draws": draws,
    }


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
