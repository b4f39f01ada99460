"""Scores and figures of a model on held-out frames, and two models side by side; without torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import Split
from training.finetuning.negatives import numbers_among, placed
from training.metrics.comparison import EvaluatedFrames, ModelScores, compare
from training.metrics.figures import AbsentFrames, class_figures

Unlabelled = Mapping[str, Mapping[str, Any]]
"""Class without labels -> what became of its flags; see `training.metrics.comparison.unlabelled_changes`."""
NOBODY_HELD_OUT = (
    "Nobody is held out: the frames on which classes without labels are compared come from the studies of the training."
)


@dataclass(frozen=True)
class Evaluation:
    """A model's scores on held-out frames, (M, C) float32 softmax, and its figures (see `class_figures`).

    `absent_scores` (N, C): on held-out frames on which one class is not there; None if there are none.
    """

    scores: NDArray[np.float32]
    figures: dict[str, dict[str, Any]]
    absent_scores: NDArray[np.float32] | None = None


class HeldOutNegatives:
    """Held-out frames on which one class is not there."""

    def __init__(self, negatives: LabelledFrames, frames: LabelledFrames, names: Sequence[str]) -> None:
        """Those of the negatives whose frame is among `frames`, which are scored, and whose class is in `names`.

        See `training.finetuning.negatives.placed`.
        """
        kept, self._rows = placed(negatives, frames, names[1:])
        self.absent = AbsentFrames(numbers_among(kept, names), kept.patients)

    def of(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Scores (N, C) of the frames of `absent`, given those of `frames`."""
        return scores[self._rows]


def evaluation_of(
    scores: NDArray[np.float32],
    classes: tuple[str, ...],
    frames: LabelledFrames,
    negatives: HeldOutNegatives | None = None,
    negative_scores: NDArray[np.float32] | None = None,
) -> Evaluation:
    """The evaluation of a model with these classes and scores (M, C) of M frames.

    `negative_scores`: of the frames of `negatives`.
    """
    absent, absent_scores = None, None
    if negatives is not None and negative_scores is not None:
        absent, absent_scores = negatives.absent, negatives.of(negative_scores)
    figures = class_figures(frames.classes, frames.label, frames.patients, classes, scores, absent, absent_scores)
    return Evaluation(scores, figures, absent_scores)


def compare_on(
    held_out: LabelledFrames,
    old: ModelScores,
    new: ModelScores,
    split: Split,
    unlabelled: Unlabelled,
    negatives: HeldOutNegatives | None = None,
) -> dict[str, Any]:
    """Content of comparison.json: two models on the same held-out frames; see `training.metrics.comparison.compare`.

    `negatives` are the frames of the scores `absent` of both models. `unlabelled_note` says where the frames of
    `unlabelled` come from if nobody is held out.
    """
    frames = EvaluatedFrames(
        held_out.classes,
        held_out.label,
        held_out.patients,
        held_out.study,
        held_out.frame_index,
        None if negatives is None else negatives.absent,
    )
    note = NOBODY_HELD_OUT if unlabelled and split.kind == "time" else ""
    return {**compare(frames, old, new, split.kind, split.sentence, unlabelled), "unlabelled_note": note}
