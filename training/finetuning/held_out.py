"""Evaluates a model on held-out frames: a sample during training, all of them at the end."""

import numpy as np
import torch

from training.datasets.frame_store import FrameStore
from training.datasets.thinning import thin
from training.finetuning.evaluation import Evaluation, HeldOutNegatives, evaluation_of
from training.finetuning.negatives import NegativeFrames
from training.inference.score_frames import score_frames
from training.models.network import FrameClassifier
from training.runs.reporter import Reporter

SAMPLE = 240
"""Held-out frames scored during training: enough for a curve, few enough to be fast."""


def evaluate(
    network: FrameClassifier,
    held_out: FrameStore,
    autocast: torch.dtype | None,
    reporter: Reporter,
    negatives: NegativeFrames | None = None,
    what: str = "",
) -> Evaluation:
    """Score the held-out frames, and those on which one class is not there; `what`: see `score_frames`."""
    scores = score_frames(network, held_out.pixels, reporter, autocast=autocast, what=what).scores
    if negatives is None:
        return evaluation_of(scores, network.config.classes, held_out.labelled)
    more = score_frames(network, negatives.frames.pixels, reporter, autocast=autocast).scores
    placed = HeldOutNegatives(negatives.negatives, negatives.frames.labelled, held_out.labelled.classes)
    return evaluation_of(scores, network.config.classes, held_out.labelled, placed, more)


def sample(held_out: FrameStore) -> FrameStore:
    """At most `SAMPLE` of the frames, evenly over classes and time."""
    frames = held_out.labelled
    numbered = np.arange(len(frames), dtype=np.int64)
    chosen = thin(frames.select(numbered), SAMPLE, SAMPLE)
    key = {(int(s), int(f)): row for row, (s, f) in enumerate(zip(frames.study, frames.frame_index, strict=True))}
    rows = np.array(
        [key[int(s), int(f)] for s, f in zip(chosen.study, chosen.frame_index, strict=True)], dtype=np.int64
    )
    return held_out.select(rows)
