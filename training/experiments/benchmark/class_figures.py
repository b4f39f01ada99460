"""What is said of a classifier of several classes: accuracy, AUC, precision, recall, F1; and of few-shot ones."""

from collections.abc import Callable
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
    is that of the second class where there are two, else the mean over the classes of one against all others. The paper
    does not say how it averages: ours.

    Args:
        groups: (M,) patients; the accuracy within each is then averaged, so that a large one does not decide.

    Returns:
        Each in [0, 1]; `auc` None where only one class is there, `group_accuracy` where no groups are given.
    """
    given = scores.argmax(axis=1)
    hit = given == labels
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
        "accuracy": float(hit.mean()),
        "auc": float(np.mean(areas)) if areas else None,
        "precision": float(np.mean(precision)),
        "recall": float(np.mean(recall)),
        "macro_f1": float(np.mean(f1)),
        "group_accuracy": None
        if groups is None
        else float(np.mean([hit[groups == group].mean() for group in np.unique(groups)])),
    }


SCORES = "scores"
"""Name of the last scores (M, C) of the test frames beside their figures; a benchmark keeps them in a file apart."""


class BestAndLast:
    """Evaluates on demand, and keeps the figures of the best step and of the last.

    Best is the highest accuracy, of equal ones the first. Where the test frames
    choose it themselves, as Vats et al. 2022 do for three of their four data sets, it is optimistic.
    """

    def __init__(
        self,
        score: Callable[[NDArray[np.int64]], NDArray[np.floating]],
        labels: NDArray[np.int64],
        test: NDArray[np.int64],
        chosen_on: NDArray[np.int64] | None = None,
        groups: NDArray[Any] | None = None,
    ) -> None:
        """Nothing is scored yet.

        Args:
            score: rows (m,) -> scores (m, C) of the training as it is now.
            chosen_on: rows whose accuracy chooses the best step; None: the test rows.
        """
        self._score, self._labels = score, labels
        self._test, self._chosen_on, self._groups = test, chosen_on, groups
        self._best_accuracy = -1.0
        self.found: dict[str, Any] = {"is_optimistic": chosen_on is None, "judgings": 0}
        """`last` and `best` (figures of `class_figures`), `best_step`, `judgings` (how many), `is_optimistic`, and
        `SCORES`, those of the last step."""

    def evaluate(self, step: int, *, is_last: bool) -> None:
        """Evaluate now, after `step` steps."""
        rows = self._test if self._chosen_on is None else self._chosen_on
        scores = self._score(rows)
        accuracy = float((scores.argmax(axis=1) == self._labels[rows]).mean())
        is_better = accuracy > self._best_accuracy
        self.found["judgings"] += 1
        if not (is_better or is_last):
            return
        shown = scores if self._chosen_on is None else self._score(self._test)
        figures = class_figures(self._labels[self._test], shown, self._groups)
        if is_better:
            self._best_accuracy = accuracy
            self.found |= {"best": figures, "best_step": step}
        if is_last:
            self.found |= {"last": figures, SCORES: shown.tolist()}


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
    """Means of `class_figures` over the draws; `deviation` of the accuracy over draws, `shots`, `draws`.

    A handful of labelled frames of each class: prototypes (Snell et al. 2017), the mean of the normalised embeddings of
    the shots, with the cosine as score, over many seeded draws of the shots. Vats et al. 2022 mean by few-shot their
    linear evaluation on small sets and with 1 % of the labels; this one is ours.

    Args:
        training, labels: (N, D) embeddings that shots are drawn from, and their classes; every class must be among
            them.
        asked, truth: (M, D) embeddings to classify, and their classes.
        shots: frames of each class; all of a class that has fewer.
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
    values = {name: [value for row in rows if (value := row[name]) is not None] for name in FIGURES}
    return {
        **{name: float(np.mean(known)) if known else None for name, known in values.items()},
        "deviation": float(np.std([row["accuracy"] or 0.0 for row in rows])),
        "shots": shots,
        "draws": draws,
    }
