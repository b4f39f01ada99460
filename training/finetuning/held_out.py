"""Evaluates a model on held-out frames: a sample during training, all of them at the end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.datasets.frame_store import FrameStore
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.split import Split
from training.datasets.thinning import thin
from training.inference.score_frames import score_frames
from training.metrics.comparison import EvaluatedFrames, ModelScores, compare
from training.metrics.figures import class_figures
from training.models.network import FrameClassifier
from training.runs.reporter import Reporter

SAMPLE = 240
"""Held-out frames scored during training: enough for a curve, few enough to be fast."""


@dataclass(frozen=True)
class Evaluation:
    """A network's scores on held-out frames, (M, C) float32 softmax, and its figures (see `class_figures`)."""

    scores: NDArray[np.float32]
    figures: dict[str, dict[str, Any]]


def evaluate(
    network: FrameClassifier, held_out: FrameStore, autocast: torch.dtype | None, reporter: Reporter
) -> Evaluation:
    """Score the held-out frames."""
    frames = held_out.labelled
    scores = score_frames(network, held_out.pixels, reporter, autocast=autocast).scores
    figures = class_figures(frames.classes, frames.label, frames.patients, network.config.classes, scores)
    return Evaluation(scores, figures)


def compare_on(
    held_out: LabelledFrames,
    old: ModelScores,
    new: ModelScores,
    split: Split,
    unlabelled: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Content of comparison.json: two models on the same held-out frames; see `training.metrics.comparison.compare`."""
    frames = EvaluatedFrames(held_out.classes, held_out.label, held_out.patients, held_out.study, held_out.frame_index)
    return compare(frames, old, new, split.kind, split.sentence, unlabelled)


def sample(held_out: FrameStore) -> FrameStore:
    """At most `SAMPLE` of the frames, evenly over classes and time."""
    frames = held_out.labelled
    numbered = np.arange(len(frames), dtype=np.int64)
    chosen = thin(frames.select(numbered), SAMPLE, SAMPLE)
    key = {(int(s), int(f)): row for row, (s, f) in enumerate(zip(frames.study, frames.frame_index, strict=True))}
    rows = np.array(
        [key[int(s), int(f)] for s, f in zip(chosen.study, chosen.frame_index, strict=True)], dtype=np.int64
    )
    return FrameStore(chosen, held_out.pixels[rows], held_out.is_round[rows], held_out.boxes[rows])
