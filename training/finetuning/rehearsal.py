"""Frames on which a run rehearses what the old model knew of classes that have no labels now.

Without them a fine-tuning on blood and normal frames forgets polyps: no frame says any more what one looks like. Ours:
frames of the training patients' studies, those with the highest scores of the old model and others evenly in time; its
scores are their targets (see `training.losses.distillation`). docs/results.md has what was measured.

Where nearly every frame has a label, labelled training frames stand in, as in learning without forgetting: only those
to which the old model gives no kept class the highest score, so that no target contradicts a label.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.plan import choose_autocast, training_device
from training.datasets.frame_store import FrameStore, load_frames
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.thinning import evenly
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.starting_point import StartingPoint
from training.finetuning.training_set import TrainingSet
from training.finetuning.unlabelled import training_frames
from training.inference.score_frames import score_frames
from training.losses.distillation import kept_targets
from training.methods.refit import SoftTargets
from training.models.network import FrameClassifier, load_network
from training.runs.reporter import Reporter

LOOKED_AT = 3
"""Frames that the old model scores, as a multiple of those that are then chosen."""
HIGHEST_SHARE = 0.75
"""Of the chosen frames, those with the highest scores; the others are spread evenly."""


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

    def soft_targets(self, embeddings: NDArray[np.float32], weight: float) -> SoftTargets:
        """What the linear stage needs."""
        return SoftTargets(embeddings, self.targets, self.kept, weight)


def make_rehearsal(
    config: FinetuneConfig, start: StartingPoint, data: TrainingSet, folder: RunFolder, reporter: Reporter
) -> Rehearsal | None:
    """Choose the frames and score them with the old model; None where there is nothing to keep, or no such frame."""
    names = kept_classes(start, data)
    if not names or not config.rehearsal_frames or start.previous is None:
        return None
    old = load_network(start.previous, training_device(config.device, reporter))
    kept = np.array([old.config.classes.index(name) for name in names], dtype=np.int64)
    frames, scores = _scored(config, old, kept, data, folder, reporter)
    if not len(frames):
        return None
    rows = choose(scores[:, kept], config.rehearsal_frames)
    targets = kept_targets(torch.from_numpy(scores[rows]), torch.from_numpy(kept)).numpy()
    size = start.network.config.input_size
    if size != old.config.input_size:
        frames = _load(config, frames.labelled.select(rows), size, folder, reporter)
    else:
        frames = frames.select(rows)
    return Rehearsal(frames, targets, kept, names)


def _scored(
    config: FinetuneConfig,
    old: FrameClassifier,
    kept: NDArray[np.int64],
    data: TrainingSet,
    folder: RunFolder,
    reporter: Reporter,
) -> tuple[FrameStore, NDArray[np.float32]]:
    """The frames to choose from, at the old model's input size, and its scores (M, C)."""
    without = training_frames(data, LOOKED_AT * config.rehearsal_frames)
    looked_at = filled_up(without, data.training, config.rehearsal_frames)
    frames = _load(config, looked_at, old.config.input_size, folder, reporter)
    autocast = choose_autocast(config.precision, old.mean.device)
    scores = score_frames(old, frames.pixels, reporter, autocast=autocast).scores
    contradicts = _are_among(frames.labelled, data.training) & np.isin(scores.argmax(1), kept)
    return frames.select(~contradicts), scores[~contradicts]


def filled_up(without: LabelledFrames, training: LabelledFrames, count: int) -> LabelledFrames:
    """The frames without labels, and labelled training frames, evenly, where the former are fewer than `count`."""
    more = training.select(evenly(np.arange(len(training)), max(0, count - len(without))))
    study = np.concatenate([without.study, more.study])
    frame = np.concatenate([without.frame_index, more.frame_index])
    order = np.lexsort((frame, study))
    return LabelledFrames(
        without.studies, without.classes, study[order], frame[order], np.zeros(len(order), dtype=np.int64)
    )


def _are_among(frames: LabelledFrames, among: LabelledFrames) -> NDArray[np.bool_]:
    """(M,) whether a frame is one of the others."""
    known = set(zip(among.study.tolist(), among.frame_index.tolist(), strict=True))
    pairs = zip(frames.study.tolist(), frames.frame_index.tolist(), strict=True)
    return np.array([pair in known for pair in pairs], dtype=bool)


def kept_classes(start: StartingPoint, data: TrainingSet) -> tuple[str, ...]:
    """Classes of the old model without labels in this run; empty where the run starts from no model."""
    if start.previous is None:
        return ()
    return tuple(name for name in start.previous.config.classes if name not in data.everything.classes)


def _load(
    config: FinetuneConfig, frames: LabelledFrames, size: int, folder: RunFolder, reporter: Reporter
) -> FrameStore:
    spill = folder.path / f"frames-unlabelled-{size}.tmp"
    return load_frames(
        frames, size, config.memory_mib << 20, spill, reporter, "reading frames without labels", optional=True
    )


def choose(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """At most `count` of the frames: three quarters with the highest scores of each class, the others evenly.

    Args:
        scores: (M, K) of the kept classes, in order of study and time.
        count: frames wanted.
    """
    chosen = np.zeros(len(scores), dtype=bool)
    of_each = int(count * HIGHEST_SHARE) // max(1, scores.shape[1])
    for column in scores.T:
        free = np.flatnonzero(~chosen)
        chosen[free[np.argsort(-column[free], kind="stable")[:of_each]]] = True
    rest = evenly(np.flatnonzero(~chosen), max(0, count - int(chosen.sum())))
    chosen[rest] = True
    return np.flatnonzero(chosen)
