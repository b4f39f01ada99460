"""Scores and figures of a model on held-out frames, and two models side by side; without torch.

The two stages of a fine-tuning: a linear classifier on the frozen network, then the network itself.

Kumar et al. 2022 (Fine-tuning can distort pretrained features): fine-tuning starts from the linear classifier. Ours:
the stage with the better held-out figures is kept, and with nobody to hold out the first stage is all there is. Where
classes of an old model have no labels, both stages are run, and the second one is kept only if it agrees with that
model on these classes as well as the first one does.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import Split
from training.finetuning.negatives import numbers_among, placed
from training.metrics.calibration import calibration
from training.metrics.comparison import EvaluatedFrames, ModelScores, compare
from training.metrics.figures import AbsentFrames, class_figures
from training.metrics.operating_points import operating_points
from training.metrics.within_source import SourcedFrames, within_source_figures
from training.texts import Text, join_texts

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
    figures = class_figures(
        frames.classes,
        frames.label,
        frames.patients,
        classes,
        scores,
        absent,
        absent_scores,
        frames.frame_number,
    )
    return Evaluation(scores, figures, absent_scores)


def source_figures(
    evaluation: Evaluation, classes: Sequence[str], frames: LabelledFrames, split: Split
) -> dict[str, Any]:
    """What the card says of each source; a part is left out where there is nothing to say.

    Args:
        evaluation: scores (M, C) of held-out frames.
        classes: of the model, C; they contain those of the frames.
        frames: M held-out frames; those on which a class was rejected take no part.
        split: without held-out patients there are neither operating points nor a calibration: frames of new patients
            may score otherwise.

    Returns:
        `within_source`, each class against the normal frames of its source, `operating_points` and `calibration`.
    """
    sourced = SourcedFrames(classes, frames.labels_among(classes), frames.sources, frames.patients)
    figures = {"within_source": within_source_figures(sourced, [evaluation.scores])}
    if split.kind == "patients":
        figures["operating_points"] = operating_points(sourced, evaluation.scores)
        figures["calibration"] = calibration(sourced, [evaluation.scores])
    return {name: value for name, value in figures.items() if value}


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


if TYPE_CHECKING:
    from torch import Tensor


Figures = Mapping[str, Mapping[str, Any]]
"""Class -> figures on held-out frames, as `class_figures` returns them."""
TOO_FEW_GROUPS = (
    "Only the linear classifier was trained: there are too few patients with labels to hold some out and see whether "
    "training the network helps."
)

CLASSIFIER_ONLY = "Only the classifier was trained; the network is that of the model it started from."
LEARNED_FROM_ALL = (
    "Only the classifier was trained, from all labels; the network is that of the model it started from. The figures "
    "are those of a classifier that learned without the held-out frames."
)
REFITTED = (
    "Afterwards the classifier was fitted again to all labels, those of the held-out frames included; the figures are "
    "those of the classifier before."
)
LARGEST_LOSS = 0.02
"""Of agreement with the old model, up to which a class without labels counts as kept (ours)."""
CHOSEN_BY_THEM = "Because these frames chose it, its figures on them are slightly optimistic."


@dataclass(frozen=True)
class LinearStage:
    """The network after the first stage."""

    held_out: Evaluation
    state: "Mapping[str, Tensor]"
    """Weights and buffers, copied."""
    agreement: Figures = field(default_factory=dict)
    """Class without labels -> agreement with the old model, in the form of `figures`; empty where there is none."""


def mean_auc(figures: Figures) -> float | None:
    """Mean of the classes' AUC; None if no class has one."""
    result = [float(row["auc"]) for row in figures.values() if row["auc"] is not None]
    return statistics.fmean(result) if result else None


def better_stage(
    linear: Figures, network: Figures, agreement: tuple[Figures, Figures] = ({}, {})
) -> Literal["linear", "network"]:
    """The stage with the higher mean AUC; the second one if they are equal or cannot be compared.

    `agreement`: of both stages with the old model, for classes without labels. The first stage is kept if one of them
    agrees less by more than `LARGEST_LOSS` in the second.
    """
    if any(_loss(row, agreement[1].get(name, {})) > LARGEST_LOSS for name, row in agreement[0].items()):
        return "linear"
    first, second = mean_auc(linear), mean_auc(network)
    return "linear" if first is not None and second is not None and first > second else "network"


def _loss(linear: Mapping[str, Any], network: Mapping[str, Any]) -> float:
    first, second = linear.get("auc"), network.get("auc")
    return 0.0 if first is None or second is None else float(first) - float(second)


def stages_entry(
    linear: Figures,
    network: Figures | None,
    used: str,
    *,
    sentence: str = TOO_FEW_GROUPS,
    agreement: tuple[Figures, Figures] = ({}, {}),
) -> dict[str, Any]:
    """The entry of card and comparison: AUC of each stage by class, the stage that is kept, and a sentence.

    `sentence`: why there is no second stage, where `network` is None. `agreement`: of both stages with the old model,
    for classes without labels.
    """
    if network is None:
        return {"linear": _aucs(linear), "used": used, "sentence": sentence}
    kept = Text("the linear classifier is kept.") if used == "linear" else Text("the trained network is kept.")
    parts: list[str] = [
        Text("Held-out AUC: linear classifier {mean}, trained network {mean2}", _mean(linear), _mean(network))
    ]
    entry: dict[str, Any] = {"linear": _aucs(linear), "network": _aucs(network), "used": used}
    if any(agreement):
        parts.append(
            Text("agreement with the old model on classes without labels {old} and {new}", *map(_mean, agreement))
        )
        entry["agreement"] = dict(zip(("linear", "network"), map(_aucs, agreement), strict=True))
    return {
        **entry,
        "sentence": join_texts("; ", [*parts, kept]) + " " + CHOSEN_BY_THEM,
    }


def _mean(figures: Figures) -> Text:
    return Text("unknown") if (value := mean_auc(figures)) is None else Text("{value:.3f}", value)


def _aucs(figures: Figures) -> dict[str, Any]:
    return {name: row["auc"] for name, row in figures.items()}
