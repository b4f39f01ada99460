"""Full finetuning from a method's weights: the whole network learns, batch normalisation included.

Vats et al. 2022 finetune with BatchNorm, for 100, 200 or 300 epochs, and report the checkpoint that does best on the
validation set; `comparison.finetuning_course` says how far a budget goes along. Ours, where the paper is
silent: cross-entropy that reaches the trunk, batches of 32, the rates and the augmentation of the finetuning's default
preset, whole-frame inputs; by epochs each frame is drawn once an epoch, in fixed steps half of a batch is normal and
the other classes share the rest alike.

Linear evaluation: the encoder stays as it is, two dense layers learn the classes from its embeddings.

Vats et al. 2022 freeze the encoder and train two dense layers, and report the checkpoint that does best on the
validation set, which for three of their four data sets is the very set that is reported: optimistic, so the figure of
the last epoch is reported too. Ours, where the paper is silent: width and ReLU between the layers, AdamW, batches of
64, and embeddings that are standardised by mean and deviation of the training frames.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.datasets.frame_store import FrameStore
from training.datasets.labels import NORMAL
from training.errors import UserError
from training.evaluation.fold_run import score_rows, subset
from training.experiments.benchmark.class_figures import SCORES, BestAndLast
from training.experiments.benchmark.comparison import Comparison, FinetuningCourse, epochs_of, finetuning_course
from training.experiments.benchmark.config import BenchmarkConfig
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.fitting import fit
from training.finetuning.starting_point import starting_point
from training.runs.folder import Point
from training.runs.reporter import Cancelled, Reporter


def full_finetuning(
    config: BenchmarkConfig,
    comparison: Comparison,
    init: str,
    store: FrameStore,
    training: NDArray[np.int64],
    test: NDArray[np.int64],
    seed: int,
    reporter: Reporter,
    *,
    share: float = 1.0,
    chosen_on: NDArray[np.int64] | None = None,
    groups: NDArray[Any] | None = None,
) -> dict[str, Any]:
    """Finetune on some rows of the store and evaluate on others, during the training and after the last step.

    Args:
        share: of the labels that `training` is; decides the epochs.
        chosen_on: rows whose accuracy chooses the best step; None: the test rows, as in the paper.

    Returns:
        `last` and `best` (figures of `class_figures`), `best_step`, `judgings`, `is_optimistic`, `steps`, `epochs`
        (None where the budget fixes the steps), `frames` (trained on).

    Raises:
        UserError: a loss that diverged.
        Cancelled: as asked for, or a stop before the last step.
    """
    course = finetuning_course(comparison, share, len(training))
    settings, classes = _settings(config, comparison, init, seed, course), store.labelled.classes
    if not store.labelled.has_normal:
        # A network has a normal class all the same: no frame has that label, and only the scores of the kinds are used.
        # Batches give the first kind what normal frames would get, so its share is made like that of the others.
        settings = settings.model_copy(update={"positive_share": 1 - 1 / len(classes)})
        classes = (NORMAL, *classes)
    network = starting_point(settings, classes, "benchmark", reporter).network
    course_figures = BestAndLast(
        lambda rows: score_rows(network, store, rows, reporter), store.labelled.label, test, chosen_on, groups
    )

    def evaluate_where_due(point: Point) -> None:
        if point.step in course.evaluated_after:
            course_figures.evaluate(point.step, is_last=point.step == course.steps)

    frames = subset(store, training, None, config.memory_mib << 20)
    if not fit(settings, network, frames, reporter, on_point=evaluate_where_due).is_finished:
        raise Cancelled
    return {**course_figures.found, "steps": course.steps, "epochs": course.epochs, "frames": len(training)}


def _settings(
    config: BenchmarkConfig, comparison: Comparison, init: str, seed: int, course: FinetuningCourse
) -> FinetuneConfig:
    given = {"threads": config.threads} if config.threads else {}
    return finetune_config(
        **given,
        studies=Path("-"),
        labels=config.labels,
        out=config.out,
        method="cross-entropy",
        preset="whole",
        init=init,
        backbone=comparison.backbone,
        input_size=comparison.input_size,
        steps=course.steps,
        batch_size=course.batch,
        sampling="balanced" if course.epochs is None else "proportional",
        refit=False,  # so the network after the last step is the one that was evaluated there
        learning_rate=1e-3,
        classifier_learning_rate=1e-2,
        rotations="free",
        weights_cache=config.weights_cache,
        device=config.device,
        seed=seed,
    )


HIDDEN, RATE, DECAY, LINEAR_BATCH = 128, 1e-3, 1e-4, 64
"""Of the two layers of the linear evaluation: their width, learning rate and weight decay, and frames of a batch."""


@dataclass(frozen=True)
class LabelledEmbeddings:
    """Embeddings with their classes."""

    embeddings: NDArray[np.float32]
    """(M, D)"""
    labels: NDArray[np.int64]
    """(M,)"""
    groups: NDArray[Any] | None = None
    """(M,) patients."""


def linear_evaluation(
    training: LabelledEmbeddings,
    test: LabelledEmbeddings,
    classes: int,
    share: float,
    seed: int,
    reporter: Reporter,
    *,
    chosen_on: LabelledEmbeddings | None = None,
    epochs_factor: float = 1.0,
) -> dict[str, Any]:
    """Train the two layers and evaluate them on the test frames after the last epoch and after the best one.

    The arguments are those of `full_finetuning`, but embeddings instead of rows.

    Returns:
        `last` and `best` (figures of `class_figures`), `best_epoch`, `epochs`, `frames` (trained on), `is_optimistic`,
        and `SCORES`, those of the last epoch.
    """
    parts = [test] if chosen_on is None else [test, chosen_on]
    features, *others = _standardised(training, *parts)
    evaluated, rows = torch.cat(others), np.arange(sum(len(part.labels) for part in parts))
    tested, chosen = np.split(rows, [len(test.labels)])
    targets, epochs = torch.from_numpy(training.labels), epochs_of(share, epochs_factor)
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):  # the first weights depend on the seed alone
        torch.manual_seed(seed)
        hidden = nn.Linear(features.shape[1], HIDDEN)
        layers = nn.Sequential(hidden, nn.ReLU(), nn.Linear(HIDDEN, classes))
    optimizer = torch.optim.AdamW(layers.parameters(), RATE, weight_decay=DECAY)
    labels = np.concatenate([part.labels for part in parts])
    course = BestAndLast(
        lambda rows: _scores(layers, evaluated[torch.from_numpy(rows)]),
        labels,
        tested,
        None if chosen_on is None else chosen,
        test.groups,
    )
    for epoch in range(1, epochs + 1):
        reporter.check()
        _epoch(layers, optimizer, features, targets, generator)
        course.evaluate(epoch, is_last=epoch == epochs)
    found = course.found
    return {
        "last": found["last"],
        "best": found["best"],
        "best_epoch": found["best_step"],
        "epochs": epochs,
        "frames": len(training.labels),
        "is_optimistic": found["is_optimistic"],
        SCORES: found[SCORES],
    }


def _standardised(training: LabelledEmbeddings, *others: LabelledEmbeddings) -> list[Tensor]:
    """The embeddings of all parts, by mean and deviation of the first one."""
    points = training.embeddings.astype(np.float64)
    centre, spread = points.mean(axis=0), points.std(axis=0)
    # Relative to the widest column: the embeddings of an untrained network may be as small as 1e-9.
    spread = np.where(spread > 1e-6 * spread.max(), spread, 1.0)
    parts = (training, *others)
    return [torch.from_numpy(((part.embeddings - centre) / spread).astype(np.float32)) for part in parts]


def _epoch(
    layers: nn.Sequential,
    optimizer: torch.optim.Optimizer,
    features: Tensor,
    targets: Tensor,
    generator: torch.Generator,
) -> None:
    """One pass over all frames in random order."""
    order = torch.randperm(len(features), generator=generator)
    for start in range(0, len(order), LINEAR_BATCH):
        rows = order[start : start + LINEAR_BATCH]
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(layers(features[rows]), targets[rows])
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


@torch.inference_mode()
def _scores(layers: nn.Sequential, features: Tensor) -> NDArray[np.float64]:
    scores = layers(features).double().softmax(dim=1).numpy()
    if not np.isfinite(scores).all():
        raise UserError(
            "The linear evaluation diverged: its outputs are not finite.",
            "Check the pretraining's loss curve: its embedding is unusable.",
        )
    return np.asarray(scores, np.float64)
