"""The linear stages of a fine-tuning: the classifier is fitted to embeddings of the network, which stays as it is.

Before the steps it is linear probing. Refitting after them is ours, not in the papers.

During training the embedding changes, frames are augmented and the rate falls. Afterwards the best linear classifier of
the final embedding is found in a second by convex optimisation.

Measured on real frames of other groups (bleeding, 665 labelled frames, some 200 steps): AUC +0.002 to +0.024 in ten of
twelve runs, lower in two. After a training with close-ups it cost 0.02 to 0.07 of each class's AUC (phantom studies),
so it is skipped there.

Frames on which a run rehearses what the old model knew of classes that have no labels now.

Without them a fine-tuning on blood and normal frames forgets polyps: no frame says any more what one looks like. Ours:
frames of the training patients' studies, those with the highest scores of the old model and others evenly in time; its
scores are their targets (see `training.losses.terms`). docs/results/models.md has what was measured.

Where nearly every frame has a label, labelled training frames stand in, as in learning without forgetting: only those
to which the old model gives no kept class the highest score, so that no target contradicts a label.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.devices import choose_autocast, training_device
from training.datasets import frame_store, labelled_frames
from training.finetuning import batches, card, training_set, unlabelled
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.negatives import NegativeFrames, joined
from training.finetuning.starting_point import StartingPoint
from training.inference.torch_engine import embed_unknown, score_frames
from training.models.linear_classifier import LinearClassifier
from training.models.logistic import AbsentClasses, SoftTargets, fit_absent, fit_classifier, kept_targets
from training.models.network import FrameClassifier, get_classifier, load_evaluated
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class Rehearsal:
    """What a run rehearses."""

    frames: frame_store.FrameStore
    """R frames at the network's input size."""
    targets: NDArray[np.float32]
    """(R, 1 + K): the old model's scores of the rest and of the kept classes; see `kept_targets`."""
    kept: NDArray[np.int64]
    """(K,) rows of the kept classes in the classifier."""


def make_rehearsal(
    config: FinetuneConfig, start: StartingPoint, data: training_set.TrainingSet, folder: RunFolder, reporter: Reporter
) -> Rehearsal | None:
    """Choose the frames and score them with the old model; None where there is nothing to keep, or no such frame."""
    names = card.unlabelled_classes(start.previous.config.classes, data) if start.previous is not None else []
    if not names or not config.rehearsal_frames or start.previous is None:
        return None
    old = load_evaluated(start.previous, training_device(config.device, reporter))
    kept = np.array([old.config.classes.index(name) for name in names], dtype=np.int64)

    def read(frames: labelled_frames.LabelledFrames, size: int) -> frame_store.FrameStore:
        spill, what = folder.path / f"frames-unlabelled-{size}.tmp", "reading frames without labels"
        return frame_store.load_frames(frames, size, config.memory_mib << 20, spill, reporter, what, optional=True)

    frames = read(unlabelled.candidates(data, config.rehearsal_frames), old.config.input_size)
    autocast = choose_autocast(config.precision, old.mean.device)
    embeddings = score_frames(old, frames.pixels, reporter, autocast=autocast).embeddings
    scores = get_classifier(old).scores(embeddings)
    rows = unlabelled.rehearsed_rows(frames.labelled, scores, kept, data.training, config.rehearsal_frames)
    if not len(rows):
        return None
    size, chosen = start.network.config.input_size, frames.labelled.select(rows)
    frames = read(chosen, size) if size != old.config.input_size else frames.select(rows)
    return Rehearsal(frames, kept_targets(scores[rows], kept), kept)


def fit_linear(
    config: FinetuneConfig,
    network: FrameClassifier,
    training: frame_store.FrameStore,
    reporter: Reporter,
    rehearsal: Rehearsal | None = None,
    known: NDArray[np.float32] | None = None,
    held_out: frame_store.FrameStore | None = None,
    negatives: Sequence[NegativeFrames] = (),
    rows_only: bool = False,
) -> None:
    """Fit the classifier in place on the embeddings of all training frames; the rest of the network stays.

    Before a training it is the first stage of linear probing, then fine-tuning (Kumar et al. 2022): a network trained
    from a random classifier first changes its features to suit that classifier.

    Args:
        config: precision.
        network: its classifier is fitted.
        training: M frames.
        reporter: may cancel.
        rehearsal: what keeps classes without labels.
        known: (M, D) embeddings by the same network; NaN in the rows to compute; None: all of them.
        held_out: further frames, after their evaluation.
        negatives: frames on which a class is not there.
        rows_only: fit the classifier's rows of these classes only.
    """
    autocast = choose_autocast(config.precision, network.mean.device)
    embeddings = embed_unknown(network, training.pixels, reporter, autocast, known)
    labels = batches.network_labels(training, network).numpy()
    if held_out is not None:
        embeddings = np.concatenate([embeddings, embed_unknown(network, held_out.pixels, reporter, autocast, None)])
        labels = np.concatenate([labels, batches.network_labels(held_out, network).numpy()])
    soft = None
    if rehearsal is not None:
        more = score_frames(network, rehearsal.frames.pixels, reporter, autocast=autocast).embeddings
        soft = SoftTargets(more, rehearsal.targets, rehearsal.kept, config.rehearsal_weight)
    absent = []
    for each in negatives:
        more = score_frames(network, each.frames.pixels, reporter, autocast=autocast).embeddings
        absent.append(each.absent(more, network.config))
    refit_classifier(network, embeddings, labels, soft, joined(absent), rows_only=rows_only)


def refit_classifier(
    network: FrameClassifier,
    embeddings: NDArray[np.float32],
    labels: NDArray[np.int64],
    soft: SoftTargets | None = None,
    absent: AbsentClasses | None = None,
    *,
    rows_only: bool = False,
) -> None:
    """Fit the classifier in place by class-balanced multinomial logistic regression (see `fit_classifier`).

    Args:
        network: its classifier is the starting point and the centre of the penalty.
        embeddings: (M, D) of the training frames, in eval mode.
        labels: (M,) into the network's classes.
        soft: frames without labels and their targets.
        absent: frames on which a class is not there.
        rows_only: fit the rows of these classes only.
    """
    classifier = network.classifier
    centre = LinearClassifier(*(part.detach().cpu().numpy() for part in (classifier.weight, classifier.bias)))
    if rows_only:
        fitted = centre if absent is None else fit_absent(centre, centre, embeddings, labels, absent, soft)
    else:
        fitted = fit_classifier(centre, embeddings, labels, soft, absent=absent)
    with torch.no_grad():
        for part, values in zip((classifier.weight, classifier.bias), fitted, strict=True):
            part.copy_(torch.from_numpy(values))
