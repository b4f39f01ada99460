"""A linear classifier on stored embeddings, learned from all labels at once: the live scores of the window.

Class-balanced multinomial logistic regression; without torch, and fast enough to be fitted after each label.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import one_blas_thread
from training.datasets.folds import Fold, make_folds
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.sampler import thin
from training.errors import UserError
from training.metrics.detector import auc
from training.models.linear_classifier import LinearClassifier
from training.models.logistic import AbsentClasses, fit_classifier, in_their_span
from training.models.scores import SCORES

PENALTY = 1.0
"""Weight of the squared coefficients of too few labelled patients to choose it (ours; docs/results/labels.md)."""
PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0)
"""What cross-validation chooses from."""
LEAST_PATIENTS = 5
"""Patients with a class, and patients with normal frames, from which on the AUC of the class is estimated."""
FOLDS = 5
MAX_NORMAL_PER_STUDY, MAX_FRAMES = 600, 3000
"""Labelled frames that are used, evenly in time: more would delay the scores and add little."""


@dataclass(frozen=True)
class HeadEstimate:
    """A cross-validation by patient.

    Attributes:
        penalty: the one with the highest mean AUC.
        auc: class -> mean over the folds of its AUC against normal; the penalty was chosen by it, so it is slightly
            optimistic.
        patients: whose frames took part.
        labels: frames that took part.
    """

    penalty: float
    auc: Mapping[str, float]
    patients: int
    labels: int


def frames_to_learn(frames: LabelledFrames) -> LabelledFrames:
    """The labelled frames that a live head learns from: all, or evenly thinned where they are many."""
    return thin(frames, MAX_NORMAL_PER_STUDY, MAX_FRAMES)


def fit_head(
    frames: LabelledFrames,
    embeddings: NDArray[np.floating],
    penalty: float = PENALTY,
    absent: AbsentClasses | None = None,
) -> LinearClassifier:
    """Fit the classifier of `frames.classes`, float32.

    Args:
        frames: M labelled frames of at least two classes; a class without frames gets low scores everywhere.
        embeddings: (M, D), finite.
        penalty: see `fit_classifier`; the centre is zero.
        absent: frames on which a class is not there.
    """
    classes = len(frames.classes)
    zero = LinearClassifier(np.zeros((classes, embeddings.shape[1])), np.zeros(classes))
    fitted = fit_classifier(zero, embeddings, frames.label, penalty=penalty, absent=absent)
    return LinearClassifier(*(part.astype(np.float32) for part in fitted))


def estimate_head(
    frames: LabelledFrames, embeddings: NDArray[np.floating], check: Callable[[], None] = lambda: None
) -> HeadEstimate | None:
    """Cross-validate by patient, and choose the penalty; None where too few patients are labelled.

    Classes with frames of fewer than `LEAST_PATIENTS` patients take no part.

    Args:
        frames: M labelled frames, normal first.
        embeddings: (M, D), finite.
        check: called between two fits; may raise to give up.
    """
    patients, numbers = frames.patients, range(len(frames.classes))
    kept = [each for each in numbers if len(np.unique(patients[frames.label == each])) >= LEAST_PATIENTS]
    if not frames.has_normal or kept[:1] != [0] or len(kept) < 2:
        return None
    rows = np.flatnonzero(np.isin(frames.label, kept))
    used = select_present(frames, rows)
    try:
        folds = make_folds(used, FOLDS, 0, "patients")
    except UserError:  # no shuffle puts every class into every fold
        return None
    with one_blas_thread():
        points = in_their_span(np.asarray(embeddings[rows], np.float64))[0]
    # Penalties are relative to the mean square of a component, and there are fewer components now.
    share = points.shape[1] / embeddings.shape[1]
    tracks = {penalty: _fold_figures(used, points, folds, penalty * share, check) for penalty in PENALTIES}
    best = max(tracks, key=lambda penalty: float(np.mean(list(tracks[penalty].values()))))
    return HeadEstimate(best, tracks[best], len(np.unique(used.patients)), len(used))


def _fold_figures(
    frames: LabelledFrames, points: NDArray[np.float64], folds: list[Fold], penalty: float, check: Callable[[], None]
) -> dict[str, float]:
    """Class -> mean AUC over the folds."""
    result: dict[str, list[float]] = {name: [] for name in frames.classes[1:]}
    for fold in folds:
        check()
        head = fit_head(frames.select(fold.training), points[fold.training], penalty)
        scores, label = head.scores(points[fold.held_out], SCORES), frames.label[fold.held_out]
        for number, name in enumerate(frames.classes):
            chosen = (label == 0) | (label == number)
            value = auc(label[chosen] == number, scores[chosen, number]) if number else None
            if value is not None:
                result[name].append(value)
    return {name: float(np.mean(values)) for name, values in result.items()}


def select_present(frames: LabelledFrames, rows: NDArray[np.int64]) -> LabelledFrames:
    """These rows (M,), with the classes that they have."""
    chosen = frames.select(rows)
    numbers, label = np.unique(chosen.label, return_inverse=True)
    return replace(chosen, classes=tuple(frames.classes[number] for number in numbers.tolist()), label=label)
