"""Scores and figures of a model on held-out frames, and two models side by side; without torch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import Split
from training.metrics.comparison import EvaluatedFrames, ModelScores, compare
from training.metrics.figures import class_figures

Unlabelled = Mapping[str, Mapping[str, Any]]
"""Class without labels -> what became of its flags; see `training.metrics.comparison.unlabelled_changes`."""
NOBODY_HELD_OUT = (
    "Nobody is held out: the frames on which classes without labels are compared come from the studies of the training."
)


@dataclass(frozen=True)
class Evaluation:
    """A model's scores on held-out frames, (M, C) float32 softmax, and its figures (see `class_figures`)."""

    scores: NDArray[np.float32]
    figures: dict[str, dict[str, Any]]


def evaluation_of(scores: NDArray[np.float32], classes: tuple[str, ...], frames: LabelledFrames) -> Evaluation:
    """The evaluation of a model with these classes and scores (M, C) of M frames."""
    return Evaluation(scores, class_figures(frames.classes, frames.label, frames.patients, classes, scores))


def compare_on(
    held_out: LabelledFrames, old: ModelScores, new: ModelScores, split: Split, unlabelled: Unlabelled
) -> dict[str, Any]:
    """Content of comparison.json: two models on the same held-out frames; see `training.metrics.comparison.compare`.

    `unlabelled_note` says where the frames of `unlabelled` come from if nobody is held out.
    """
    frames = EvaluatedFrames(held_out.classes, held_out.label, held_out.patients, held_out.study, held_out.frame_index)
    note = NOBODY_HELD_OUT if unlabelled and split.kind == "time" else ""
    return {**compare(frames, old, new, split.kind, split.sentence, unlabelled), "unlabelled_note": note}
