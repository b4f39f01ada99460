"""Evaluates a model on held-out frames: a sample during training, all of them at the end.

Embeddings of labelled frames that are not stored: read from the videos and computed, a batch at a time.

Early stopping: training ends when the held-out AUC no longer rises, and the best weights are kept.

Ours; the papers train for a fixed number of steps. Kumar et al. 2022 stop early in the same way.
"""

import time
from collections.abc import Collection
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.datasets import frame_store, labelled_frames, sampler
from training.embeddings.familiar import Familiar
from training.errors import UserError
from training.files import safetensors, tensors
from training.finetuning import evaluation, stopwatch
from training.finetuning.negatives import EmbeddedFrames, NegativeFrames, frame_keys
from training.inference.torch_engine import EMBEDDING, score_frames
from training.models.network import FrameClassifier
from training.runs.checkpoint import state_of, write_tensors
from training.runs.reporter import Reporter

SAMPLE = 240
"""Held-out frames scored during training: enough for a curve, few enough to be fast."""


def evaluate(
    network: FrameClassifier,
    held_out: frame_store.FrameStore,
    autocast: torch.dtype | None,
    reporter: Reporter,
    negatives: NegativeFrames | None = None,
    what: str = "",
) -> evaluation.Evaluation:
    """Score the held-out frames, and those on which one class is not there; `what`: see `score_frames`."""
    scores = score_frames(network, held_out.pixels, reporter, autocast=autocast, what=what).scores
    if negatives is None:
        return evaluation.evaluation_of(scores, network.config.classes, held_out.labelled)
    more = score_frames(network, negatives.frames.pixels, reporter, autocast=autocast).scores
    placed = evaluation.HeldOutNegatives(negatives.negatives, negatives.frames.labelled, held_out.labelled.classes)
    return evaluation.evaluation_of(scores, network.config.classes, held_out.labelled, placed, more)


def sample(held_out: frame_store.FrameStore) -> frame_store.FrameStore:
    """At most `SAMPLE` of the frames, evenly over classes and time."""
    frames = held_out.labelled
    chosen = sampler.thin(frames, SAMPLE, SAMPLE)
    return held_out.select(np.flatnonzero(np.isin(frame_keys(frames), frame_keys(chosen))))


FAMILIAR_FRAMES = 2000
"""Training frames that are embedded again, at most, to know what they look like to the trained network."""


def familiar_frames(
    network: FrameClassifier,
    training: frame_store.FrameStore,
    held_out: frame_store.FrameStore,
    autocast: torch.dtype | None,
    reporter: Reporter,
) -> Familiar | None:
    """What the training frames look like to the network; see `Familiar.fit`."""
    embeddings = []
    for side in (training, held_out):
        rows = np.unique(np.linspace(0, len(side) - 1, min(len(side), FAMILIAR_FRAMES)).astype(np.int64))
        times = max(1, side.pixels.shape[1] // network.config.input_size)  # kept larger for close-ups
        pixels = np.ascontiguousarray(side.pixels[rows][:, times // 2 :: times, times // 2 :: times])
        embeddings.append(score_frames(network, pixels, reporter, autocast=autocast).embeddings)
    return Familiar.fit(embeddings[0], embeddings[1])


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
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_tensors(self._path, state_of(network), {"step": str(step), "auc": repr(auc)})

    def is_over(self, step: int) -> bool:
        """Whether training should end after a step."""
        return sum(self.best_step < at <= step for at in self._evaluated_at) >= self._patience

    def restore(self, network: nn.Module) -> None:
        """Load the best weights, if any."""
        if self.best_step:
            network.load_state_dict(tensors.load_tensors(self._path))


def _stored(path: Path) -> tuple[int, float]:
    """Step and AUC of the stored weights; 0 and -inf if there are none, or the file is damaged."""
    try:
        header = safetensors.read_header(path).metadata
        return int(header["step"]), float(header["auc"])
    except (UserError, KeyError, ValueError):
        return 0, float("-inf")


BATCH = 32
"""Frames between two looks at the reporter: a second or two of work on a slow computer."""


def embed_videos(
    network: FrameClassifier,
    frames: labelled_frames.LabelledFrames,
    reporter: Reporter,
    autocast: torch.dtype | None,
    watch: stopwatch.Stopwatch,
    done: int,
    total: int,
) -> EmbeddedFrames:
    """Embed frames from their videos; those that do not decode are left out.

    Args:
        network: whose embeddings.
        frames: sorted by study and time.
        reporter: for progress and cancel.
        autocast: see `score_frames`.
        watch: notes the speed of reading and of forward passes.
        done, total: frames of the whole run that were computed before, and that are to be computed.

    Raises:
        UserError: a study cannot be opened, or none of a study's frames can be read.
    """
    embeddings = np.full((len(frames), network.config.embedding_size), np.nan, np.float32)
    pictures = frame_store.read_frames(frames, network.config.input_size, reporter)
    while True:
        reporter.check()
        began = time.perf_counter()
        batch = list(islice(pictures, BATCH))
        watch.add("reading", len(batch), time.perf_counter() - began)
        if not batch:
            break
        rows, pixels = [row for row, _ in batch], np.stack([picture for _, picture in batch])
        with watch.timed("forward", len(rows)):
            embeddings[rows] = score_frames(network, pixels, reporter, autocast=autocast).embeddings
        reporter.progress(done + rows[-1] + 1, total, "frames", EMBEDDING)
    there = np.flatnonzero(np.isfinite(embeddings).all(axis=1))
    return EmbeddedFrames(frames.select(there), embeddings[there])
