"""Zero-shot classification: the labelled frames nearest to a frame vote with exp(cosine / temperature).

The classifier of Wu et al. 2018 (Unsupervised feature learning via non-parametric instance discrimination), with the
temperature 0.1 and the 290 neighbours of Vats et al. 2022; fewer neighbours where fewer frames are labelled (ours).
"""

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn_votes import NEIGHBOURS, TEMPERATURE

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
