"""An evaluation set with so many normal frames for each other one, in training and evaluation alike (Laiz, Fig. 13)."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from training.datasets.folds import Fold
from training.errors import UserError
from training.evaluation.evaluation_set import EvaluationSet
from training.metrics.imbalance import draw


def imbalanced_set(data: EvaluationSet, folds: list[Fold], degree: int, seed: int) -> tuple[EvaluationSet, list[Fold]]:
    """Draw frames so that every fold's held-out part has `degree` normal frames for each other one.

    The training part of a fold is the other folds' held-out parts, so it has the same degree. Patients stay in their
    folds whatever the degree and the seed. The paper does not say what it does where normal frames are too few: here
    fewer other frames are drawn, as in `draw` (ours).

    Args:
        data: M frames with a normal class.
        folds: of the M frames.
        degree: normal frames for each other one, at least 1.
        seed: of the draw.

    Raises:
        UserError: a fold has fewer than `degree` normal frames.
    """
    rng = np.random.default_rng([seed, degree, 13])
    positive = data.labelled.label > 0
    parts = []
    for fold in folds:
        chosen = draw(positive[fold.held_out], degree, rng)
        if chosen is None:
            raise UserError(
                "Fold {number} has fewer than {degree} normal frames, so there is no such imbalance in it.",
                "Label more normal frames, raise normal_per_study, or choose a smaller imbalance.",
                fold.number + 1,
                degree,
            )
        parts.append(fold.held_out[chosen])
    rows = np.sort(np.concatenate(parts))
    place = np.full(len(positive), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    moved = [
        replace(fold, training=_moved(place, fold.training), held_out=_moved(place, fold.held_out)) for fold in folds
    ]
    return _heavier(data.selected(rows), positive, positive[rows]), moved


def _moved(place: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return place[rows][place[rows] >= 0]


def _heavier(data: EvaluationSet, before: NDArray[np.bool_], kept: NDArray[np.bool_]) -> EvaluationSet:
    """The frames that are left stand for those that were not drawn, too."""
    factors = [np.sum(before == kind) / max(1, np.sum(kept == kind)) for kind in (False, True)]
    return replace(data, weight=data.weight * np.where(kept, factors[1], factors[0]))
