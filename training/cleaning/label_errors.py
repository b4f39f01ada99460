"""Labels that are probably wrong, by confident learning (Northcutt, Jiang and Chuang 2021, JAIR 70).

A class's threshold is the mean score that its own frames get. A frame counts as the class with the highest score among
those that reach their threshold. Where that is not its label, and its label has not the highest score of all (as in the
authors' program, cleanlab), the label is listed. Scores must come from models that did not see the frame's patient.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.datasets.folds import assign_folds
from training.datasets.sampler import evenly, fair_shares
from training.errors import UserError
from training.models.linear_classifier import LinearClassifier
from training.models.logistic import fit_classifier
from training.texts import Text

FOLDS = 5
"""At most; fewer where a class has fewer groups, at least 2."""
MOST_LEARNED = 3000
"""Labelled frames that each fold learns from, evenly over the rows, small classes whole."""
PENALTY = 0.3
"""Weight of the squared coefficients; see `training.models.logistic.fit_classifier`."""


@dataclass(frozen=True, eq=False)
class LabelErrors:
    """E of M labels that are probably wrong, the least likely label first.

    Attributes:
        rows: (E,) rows of the labels.
        suggested: (E,) the class that the scores say.
        self_confidence: (E,) score of the given label, in [0, 1].
        margin: (E,) score of the given label less the highest score of another class, in [-1, 1]; ascending.
        thresholds: (C,) mean score of each class on its own frames.
        joint: (C, C) the confident joint: frames by given label and by the class they count as.
    """

    rows: NDArray[np.int64]
    suggested: NDArray[np.int64]
    self_confidence: NDArray[np.float64]
    margin: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    joint: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)


def find_label_errors(labels: NDArray[np.integer], scores: NDArray[np.floating]) -> LabelErrors:
    """The labels that confident learning doubts, ranked by normalised margin.

    Args:
        labels: (M,) classes from 0, each with at least one frame.
        scores: (M, C) in [0, 1], of models that did not learn from the frame.

    Raises:
        ValueError: the arrays do not fit, or a class has no frame.
    """
    labels, scores = np.asarray(labels, np.int64), np.asarray(scores, np.float64)
    if scores.ndim != 2 or labels.shape != scores.shape[:1]:
        raise ValueError(f"labels (M,) and scores (M, C) do not fit: {labels.shape} and {scores.shape}")
    classes = scores.shape[1]
    if not len(labels) or labels.min() < 0 or labels.max() >= classes:
        raise ValueError(f"labels must be in [0, {classes}), and there must be some")
    counts = np.bincount(labels, minlength=classes)
    if not counts.all():
        raise ValueError(f"class {int(counts.argmin())} has no frame")
    every = np.arange(len(labels))
    own = scores[every, labels]
    thresholds = np.bincount(labels, own, classes) / counts
    reached = scores >= thresholds - 1e-12  # rounding must not take a class whose scores are all equal
    counted = np.where(reached, scores, -1.0).argmax(axis=1)
    is_confident = reached.any(axis=1)
    joint = np.zeros((classes, classes), np.int64)
    np.add.at(joint, (labels[is_confident], counted[is_confident]), 1)
    others = scores.copy()
    others[every, labels] = -np.inf
    margin = own - others.max(axis=1) if classes > 1 else np.ones(len(labels))
    rows = np.flatnonzero(is_confident & (counted != labels) & (margin < 0))
    rows = rows[np.lexsort((own[rows], margin[rows]))]
    return LabelErrors(rows, counted[rows], own[rows], margin[rows], thresholds, joint)


def cross_validated_scores(
    embeddings: NDArray[np.floating],
    labels: NDArray[np.integer],
    groups: NDArray[np.generic],
    *,
    seed: int = 0,
    check: Callable[[], None] = lambda: None,
) -> NDArray[np.float64]:
    """Scores of frames by linear classifiers that learned from other groups only.

    The classifiers weigh all classes alike; their scores are then weighed by the frames of each class, without which a
    rare class, most of whose labels may be wrong, would take frames of the others.

    Args:
        embeddings: (M, D), finite.
        labels: (M,) classes from 0, each with at least one frame.
        groups: (M,) patient of each frame.
        seed: of the folds.
        check: called between two fits; may raise to give up.

    Returns:
        (M, C) in [0, 1]; rows sum to 1.

    Raises:
        UserError: a class has frames of one group only, or there is only one class.
    """
    label = np.asarray(labels).astype(np.int64)
    names = np.asarray(groups).astype(np.str_)
    classes = int(label.max(initial=-1)) + 1
    if classes < 2:
        raise UserError("Labels are compared with the scores of other classes.", "Label frames of two classes.")
    part = _folds(label, names, seed)
    scores: NDArray[np.float64] = np.zeros((len(label), classes))
    zero = LinearClassifier(np.zeros((classes, embeddings.shape[1])), np.zeros(classes))
    for number in range(int(part.max()) + 1):
        check()
        learned = _thinned(np.flatnonzero(part != number), label, classes)
        points = np.asarray(embeddings[learned], np.float64)
        classifier = fit_classifier(zero, points, label[learned], penalty=PENALTY)
        held_out = np.flatnonzero(part == number)
        balanced = classifier.scores(np.asarray(embeddings[held_out], np.float32), "softmax")
        scores[held_out] = balanced * np.bincount(label[part != number], minlength=classes)
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def _folds(labels: NDArray[np.int64], groups: NDArray[np.str_], seed: int) -> NDArray[np.int64]:
    """(M,) fold of each frame: as many folds as every class allows."""
    least = min(len(np.unique(groups[labels == label])) for label in np.unique(labels).tolist())
    for count in range(min(FOLDS, least), 1, -1):
        part, lacking = assign_folds(labels, groups, count, seed)
        if lacking is None:
            return part
    raise UserError(
        "A class is labelled in one patient or group only, so its labels cannot be checked by others.",
        "Label it in more patients, or leave the class out.",
    )


def _thinned(rows: NDArray[np.int64], labels: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
    allowed = fair_shares(np.bincount(labels[rows], minlength=classes), MOST_LEARNED)
    return np.sort(np.concatenate([evenly(rows[labels[rows] == at], count) for at, count in enumerate(allowed)]))


def checkable(labels: NDArray[np.int64], groups: NDArray[np.str_], names: tuple[str, ...]) -> tuple[list[int], str]:
    """The classes labelled in at least two groups, and what to say of the others ("" for nothing)."""
    counts = [len(np.unique(groups[labels == at])) for at in range(len(names))]
    few = [name for name, count in zip(names, counts, strict=True) if count == 1]
    note = Text("Labelled in one patient or group only, and not checked: {classes}.", ", ".join(few)) if few else ""
    return [at for at, count in enumerate(counts) if count > 1], note
