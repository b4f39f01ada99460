"""The figures of one model on a set of frames, each class against normal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import SPECIFICITIES, auc, sensitivity_at

ANY = "any"
"""Stands for all classes but normal together; its score is one minus the score of normal."""
FEW_PATIENTS = 5
FEW_POSITIVES = 30
"""Below these, figures come with a warning: one patient more or less would change them visibly."""


def class_figures(
    names: Sequence[str],
    labels: NDArray[np.int64],
    patients: NDArray[np.str_],
    classes: Sequence[str],
    scores: NDArray[np.floating],
) -> dict[str, dict[str, Any]]:
    """AUC and sensitivities of each named class against the normal frames, with the numbers behind them.

    Args:
        names: class of each label number, normal first: what the labels mean.
        labels: (M,) into `names`.
        patients: (M,) patient of each frame.
        classes: the model's classes, normal first; one that it does not know has no figures (None).
        scores: (M, C) softmax scores.
    """
    normal = labels == 0
    figures = {}
    for number, name in enumerate(names):
        if number:
            track = scores[:, list(classes).index(name)] if name in classes else None
            figures[name] = _figures(normal, labels == number, patients, track)
    figures[ANY] = _figures(normal, ~normal, patients, 1.0 - scores[:, 0])
    return figures


def _figures(
    normal: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    patients: NDArray[np.str_],
    track: NDArray[np.floating] | None,
) -> dict[str, Any]:
    evaluated = normal | positive
    truth = positive[evaluated]
    return {
        "auc": None if track is None else auc(truth, track[evaluated]),
        "sensitivity_at": {
            f"{level:.2f}": None if track is None else sensitivity_at(truth, track[evaluated], level)
            for level in SPECIFICITIES
        },
        "patients": len(np.unique(patients[evaluated])),
        "patients_with_positives": len(np.unique(patients[positive])),
        "frames": int(evaluated.sum()),
        "positives": int(positive.sum()),
    }


def trust_warning(figures: dict[str, dict[str, Any]]) -> str:
    """A plain sentence when there are too few patients or positive frames to trust the figures; else empty."""
    reasons = []
    patients = figures[ANY]["patients"]
    if patients < FEW_PATIENTS:
        reasons.append(f"only {patients} patient{'s' if patients != 1 else ''}")
    few = {name: row["positives"] for name, row in figures.items() if name != ANY and row["positives"] < FEW_POSITIVES}
    if few:
        counts = (f"{count} {name} frame{'s' if count != 1 else ''}" for name, count in few.items())
        reasons.append("only " + ", ".join(counts))
    if not reasons:
        return ""
    return f"Too little data for reliable figures: the held-out figures are based on {' and '.join(reasons)}."
