"""Few-shot classification: a handful of labelled frames of each class.

Vats et al. 2022 mean by it their linear evaluation on small sets and with 1 % of the labels; this one is ours:
prototypes (Snell et al. 2017), the mean of the normalised embeddings of the shots, with the cosine as score, over many
seeded draws of the shots.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn import normalised
from training.experiments.benchmark.class_figures import FIGURES, class_figures

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
