"""What is said of a classifier of several classes: accuracy, AUC, precision, recall, F1; and of few-shot ones."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn import normalised
from training.metrics.detector import auc

FIGURES = ("accuracy", "auc", "precision", "recall", "macro_f1", "group_accuracy")
"""Names of `class_figures`, in the order of tables. The paper has the first four; the others are ours."""
WORDS = {
    "accuracy": "accuracy",
    "auc": "AUC",
    "precision": "precision",
    "recall": "recall",
    "macro_f1": "macro F1",
    "group_accuracy": "accuracy, each group once",
}


def class_figures(
    labels: NDArray[np.int64], scores: NDArray[np.floating], groups: NDArray[Any] | None = None
) -> dict[str, float | None]:
    """Figures of the class with the highest score; of equal ones the first.

    Precision, recall and F1 are means over the classes that some frame has (0 where nothing was given that class). AUC
    is that of the second class where there are two, else the mean over the classes of one against all others. The
    paper does not say how it averages: ours.

    Args:
        labels: (M,) classes from 0.
        scores: (M, C)
        groups: (M,) patients; the accuracy within each is then averaged, so that a large one does not decide.

    Returns:
        Each in [0, 1]; `auc` None where only one class is there, `group_accuracy` where no groups are given.
    """
    given = scores.argmax(axis=1)
    there = np.unique(labels).tolist()
    precision, recall, f1 = [], [], []
    for label in there:
        hits = float(((given == label) & (labels == label)).sum())
        called, real = float((given == label).sum()), float((labels == label).sum())
        precision.append(hits / called if called else 0.0)
        recall.append(hits / real)
        f1.append(2 * hits / (called + real))
    columns = [1] if scores.shape[1] == 2 else there
    areas = [area for label in columns if (area := auc(labels == label, scores[:, label])) is not None]
    return {
        "accuracy": float((given == labels).mean()),
        "auc": float(np.mean(areas)) if areas else None,
        "precision": float(np.mean(precision)),
        "recall": float(np.mean(recall)),
        "macro_f1": float(np.mean(f1)),
        "group_accuracy": None if groups is None else _by_group(given == labels, groups),
    }


def _by_group(hit: NDArray[np.bool_], groups: NDArray[Any]) -> float:
    return float(np.mean([hit[groups == group].mean() for group in np.unique(groups)]))


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

    A handful of labelled frames of each class: prototypes (Snell et al. 2017), the mean of the normalised embeddings of
    the shots, with the cosine as score, over many seeded draws of the shots. Vats et al. 2022 mean by few-shot their
    linear evaluation on small sets and with 1 % of the labels; this one is ours.

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
