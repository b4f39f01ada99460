"""Full finetuning from a method's weights: the whole network learns, batch normalisation included.

Vats et al. 2022 finetune with BatchNorm, for 100, 200 or 300 epochs, and report the checkpoint that does best on the
validation set; `comparison.finetuning_course` says how far a budget goes along. Ours, where the paper is
silent: cross-entropy that reaches the trunk, batches of 32, the rates and the augmentation of the finetuning's default
preset, whole-frame inputs; by epochs each frame is drawn once an epoch, in fixed steps half of a batch is normal and
the other classes share the rest alike.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.frame_store import FrameStore
from training.datasets.labels import NORMAL
from training.evaluation.fold_run import score_rows, subset
from training.experiments.benchmark.class_figures import BestAndLast
from training.experiments.benchmark.comparison import Comparison, FinetuningCourse, finetuning_course
from training.experiments.benchmark.config import BenchmarkConfig
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.fitting import fit
from training.finetuning.starting_point import starting_point
from training.runs.point import Point
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
        config: device and threads.
        comparison: network, size, length.
        init: random, imagenet, or a pretraining's run folder.
        store: all prepared frames.
        training: rows to train on.
        test: rows to evaluate on.
        seed: of the training.
        reporter: progress.
        share: of the labels that `training` is; decides the epochs.
        chosen_on: rows whose accuracy chooses the best step; None: the test rows, as in the paper.
        groups: (m,) patients of the test rows; None where they are unknown.

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
