"""Full finetuning from a method's weights: the whole network learns, batch normalisation included.

Vats et al. 2022 finetune with BatchNorm. Ours, where the paper is silent: cross-entropy that reaches the trunk, the
rates and the augmentation of the finetuning's default preset, whole-frame inputs.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.benchmark.class_figures import class_figures
from training.benchmark.comparison import Comparison
from training.benchmark.config import BenchmarkConfig
from training.datasets.frame_store import FrameStore
from training.evaluation.fold_run import score_rows, subset
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.fitting import fit
from training.finetuning.starting_point import starting_point
from training.runs.reporter import Cancelled, Reporter


def full_finetuning(
    config: BenchmarkConfig,
    comparison: Comparison,
    init: str,
    store: FrameStore,
    taught: NDArray[np.int64],
    judged: NDArray[np.int64],
    seed: int,
    reporter: Reporter,
) -> dict[str, Any]:
    """Finetune on some rows of the store and judge others after the last step.

    Args:
        config: device and threads.
        comparison: network, size, steps.
        init: random, imagenet, or a pretraining's run folder.
        store: all prepared frames.
        taught: rows to learn from.
        judged: rows to judge by.
        seed: of the training.
        reporter: progress.

    Returns:
        `last` (figures of `class_figures`), `steps`, `frames`.

    Raises:
        UserError: a loss that diverged.
        Cancelled: as asked for, or a stop before the last step.
    """
    settings = _settings(config, comparison, init, seed)
    start = starting_point(settings, store.labelled.classes, "benchmark", reporter)
    fitted = fit(settings, start.network, subset(store, taught, None, config.memory_mib << 20), reporter)
    if not fitted.is_finished:
        raise Cancelled
    scores = score_rows(fitted.network, store, judged, reporter)
    figures = class_figures(store.labelled.label[judged], scores, store.labelled.patients[judged])
    return {"last": figures, "steps": fitted.steps_done, "frames": len(taught)}


def _settings(config: BenchmarkConfig, comparison: Comparison, init: str, seed: int) -> FinetuneConfig:
    given = {"threads": config.threads} if config.threads else {}
    return finetune_config(
        **given,
        studies=Path("-"),
        labels=config.labels,
        out=config.out,
        method="cross-entropy",
        init=init,
        backbone=comparison.backbone,
        input_size=comparison.input_size,
        steps=comparison.finetune_steps,
        batch_size=min(comparison.batch, 32),
        refit=False,
        learning_rate=1e-3,
        classifier_learning_rate=1e-2,
        rotations="free",
        weights_cache=config.weights_cache,
        device=config.device,
        seed=seed,
    )
