"""Frames on which a run rehearses what the old model knew of classes that have no labels now.

Without them a fine-tuning on blood and normal frames forgets polyps: no frame says any more what one looks like. Ours:
frames of the training patients' studies, those with the highest scores of the old model and others evenly in time; its
scores are their targets (see `training.losses.terms`). docs/results.md has what was measured.

Where nearly every frame has a label, labelled training frames stand in, as in learning without forgetting: only those
to which the old model gives no kept class the highest score, so that no target contradicts a label.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.compute.devices import choose_autocast, training_device
from training.datasets.frame_store import FrameStore, load_frames
from training.datasets.labelled_frames import LabelledFrames
from training.finetuning.card import unlabelled_classes
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.starting_point import StartingPoint
from training.finetuning.training_set import TrainingSet
from training.finetuning.unlabelled import candidates, choose, contradicted
from training.inference.torch_engine import score_frames
from training.methods.logistic import kept_targets
from training.models.network import load_evaluated
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class Rehearsal:
    """What a run rehearses."""

    frames: FrameStore
    """R frames at the network's input size."""
    targets: NDArray[np.float32]
    """(R, 1 + K): the old model's scores of the rest and of the kept classes; see `kept_targets`."""
    kept: NDArray[np.int64]
    """(K,) rows of the kept classes in the classifier."""
    classes: tuple[str, ...]
    """Names of the kept classes."""


def make_rehearsal(
    config: FinetuneConfig, start: StartingPoint, data: TrainingSet, folder: RunFolder, reporter: Reporter
) -> Rehearsal | None:
    """Choose the frames and score them with the old model; None where there is nothing to keep, or no such frame."""
    names = unlabelled_classes(start.previous.config.classes, data) if start.previous is not None else []
    if not names or not config.rehearsal_frames or start.previous is None:
        return None
    old = load_evaluated(start.previous, training_device(config.device, reporter))
    kept = np.array([old.config.classes.index(name) for name in names], dtype=np.int64)

    def read(frames: LabelledFrames, size: int) -> FrameStore:
        spill, what = folder.path / f"frames-unlabelled-{size}.tmp", "reading frames without labels"
        return load_frames(frames, size, config.memory_mib << 20, spill, reporter, what, optional=True)

    frames = read(candidates(data, config.rehearsal_frames), old.config.input_size)
    autocast = choose_autocast(config.precision, old.mean.device)
    scores = score_frames(old, frames.pixels, reporter, autocast=autocast).scores
    usable = ~contradicted(frames.labelled, scores, kept, data.training)
    frames, scores = frames.select(usable), scores[usable]
    if not len(frames):
        return None
    rows = choose(scores[:, kept], config.rehearsal_frames)
    size, chosen = start.network.config.input_size, frames.labelled.select(rows)
    frames = read(chosen, size) if size != old.config.input_size else frames.select(rows)
    return Rehearsal(frames, kept_targets(scores[rows], kept), kept, tuple(names))
