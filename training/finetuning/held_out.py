"""Evaluates a model on held-out frames: a sample during training, all of them at the end.

Early stopping: training ends when the held-out AUC no longer rises, and the best weights are kept.

Ours; the papers train for a fixed number of steps. Kumar et al. 2022 stop early in the same way.
"""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.datasets.frame_store import FrameStore
from training.datasets.sampler import thin
from training.errors import UserError
from training.files.safetensors import read_header
from training.files.tensors import load_tensors
from training.finetuning.evaluation import Evaluation, HeldOutNegatives, evaluation_of
from training.finetuning.negatives import NegativeFrames
from training.inference.score_frames import score_frames
from training.models.network import FrameClassifier
from training.runs.checkpoint import write_tensors
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


class EarlyStopping:
    """The best weights so far, in a file, so that a resumed run has them."""

    def __init__(self, path: Path, evaluated_at: Collection[int], patience: int, first_step: int = 0) -> None:
        """Read the best weights of the run that is resumed.

        Args:
            path: file for the weights.
            evaluated_at: the steps after which the network is evaluated.
            patience: evaluations without a higher AUC before training ends, at least 1.
            first_step: step from which the run is resumed; weights of a later step are not used.
        """
        self._path, self._evaluated_at, self._patience = path, evaluated_at, patience
        self.best_step, self.best_auc = _stored(path)
        if self.best_step > first_step:
            self.best_step, self.best_auc = 0, float("-inf")

    def add(self, step: int, auc: float | None, network: nn.Module) -> None:
        """Take an evaluation; of equal ones the later weights are kept. None: no class had a figure."""
        if auc is None or auc < self.best_auc:
            return
        self.best_step, self.best_auc = step, auc
        _write(self._path, network, step, auc)

    def is_over(self, step: int) -> bool:
        """Whether training should end after a step."""
        return sum(self.best_step < at <= step for at in self._evaluated_at) >= self._patience

    def restore(self, network: nn.Module) -> None:
        """Load the best weights, if any."""
        if self.best_step:
            network.load_state_dict(load_tensors(self._path))


def _write(path: Path, network: nn.Module, step: int, auc: float) -> None:
    state = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_tensors(path, state, {"step": str(step), "auc": repr(auc)})


def _stored(path: Path) -> tuple[int, float]:
    """Step and AUC of the stored weights; 0 and -inf if there are none, or the file is damaged."""
    try:
        header = read_header(path).metadata
        return int(header["step"]), float(header["auc"])
    except (UserError, KeyError, ValueError):
        return 0, float("-inf")
