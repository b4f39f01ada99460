"""The figures of one model on a set of frames, each class against normal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import SPECIFICITIES, auc, sensitivity_at
from training.texts import Text, count_text, listed

ANY = "any"
"""Stands for all classes but normal together; its score is one minus the score of normal."""
FEW_PATIENTS = 5
FEW_POSITIVES = 30
"""Below these, figures come with a warning: one patient more or less would change them visibly."""


@dataclass(frozen=True)
class AbsentFrames:
    """Frames on which a class is not there, which makes them negatives of that class and of no other."""

    labels: NDArray[np.int64]
    """(N,) the class that is not there, by the numbers of the labels."""
    patients: NDArray[np.str_]
    """(N,) patient of each frame."""


def class_figures(
    names: Sequence[str],
    labels: NDArray[np.int64],
    patients: NDArray[np.str_],
    classes: Sequence[str],
    scores: NDArray[np.floating],
    absent: AbsentFrames | None = None,
    absent_scores: NDArray[np.floating] | None = None,
) -> dict[str, dict[str, Any]]:
    """AUC and sensitivities of each named class against the normal frames, with the numbers behind them.

    Frames on which this very class is not there count as the normal ones do; "not_there" is their number, where any.

    Args:
        names: class of each label number, normal first: what the labels mean.
        labels: (M,) into `names`.
        patients: (M,) patient of each frame.
        classes: the model's classes, normal first; one that it does not know has no figures (None).
        scores: (M, C) softmax scores.
        absent: further frames, of which only one thing is known.
        absent_scores: (N, C) their scores.
    """
    normal = labels == 0
    figures = {}
    for number, name in enumerate(names):
        if number:
            is_known = name in classes
            track = scores[:, list(classes).index(name)] if is_known else None
            evaluated, truth, people = normal | (labels == number), labels == number, patients
            count = 0
            if absent is not None and absent_scores is not None and (more := absent.labels == number).any():
                count = int(more.sum())
                evaluated = np.append(evaluated, np.ones(count, dtype=bool))
                truth = np.append(truth, np.zeros(count, dtype=bool))
                people = np.append(patients, absent.patients[more])
                if track is not None:
                    track = np.append(track, absent_scores[more, list(classes).index(name)])
            figures[name] = _figures(evaluated, truth, people, track) | ({"not_there": count} if count else {})
    figures[ANY] = _figures(np.ones(len(labels), dtype=bool), ~normal, patients, 1.0 - scores[:, 0])
    return figures


def _figures(
    evaluated: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    patients: NDArray[np.str_],
    track: NDArray[np.floating] | None,
) -> dict[str, Any]:
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
    reasons: list[Text] = []
    patients = figures[ANY]["patients"]
    if patients < FEW_PATIENTS:
        reasons.append(count_text("only {count} patient", "only {count} patients", patients))
    few = {name: row["positives"] for name, row in figures.items() if name != ANY and row["positives"] < FEW_POSITIVES}
    if few:
        counts = [
            count_text("{count} {name} frame", "{count} {name} frames", count, Text(name))
            for name, count in few.items()
        ]
        reasons.append(Text("only {counts}", counts))
    if not reasons:
        return ""
    return Text("Too little data for reliable figures: the held-out figures are based on {reasons}.", listed(reasons))
