"""The figures of one model on a set of frames, each class against normal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import SPECIFICITIES, auc, frames_of_class, sensitivity_at
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
    figures = {}
    rejected, others = (None, None) if absent is None else (absent.labels, absent.patients)
    if absent_scores is None:
        rejected = others = None
    for number, name in list(enumerate(names))[1:]:
        positive, people = frames_of_class(number, labels, patients, rejected, others)
        track = None
        if name in classes:
            place = list(classes).index(name)
            more = None if absent_scores is None else absent_scores[:, place]
            _, track = frames_of_class(number, labels, scores[:, place], rejected, more)
        figures[name] = _figures(positive, people, track)
        if rejected is not None and (rejected == number).any():
            figures[name]["not_there"] = int((rejected == number).sum())
    figures[ANY] = _figures(labels != 0, patients, 1.0 - scores[:, 0])
    return figures


def _figures(
    positive: NDArray[np.bool_], patients: NDArray[np.str_], track: NDArray[np.floating] | None
) -> dict[str, Any]:
    return {
        "auc": None if track is None else auc(positive, track),
        "sensitivity_at": {
            f"{level:.2f}": None if track is None else sensitivity_at(positive, track, level) for level in SPECIFICITIES
        },
        "patients": len(np.unique(patients)),
        "patients_with_positives": len(np.unique(patients[positive])),
        "frames": len(positive),
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
