"""A cross-validation from settings to a report: the order of things, each of which lives in a file of its own."""

from pathlib import Path
from typing import Any

import numpy as np

from training.datasets.folds import Fold, make_folds
from training.datasets.frame_store import FrameStore
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.evaluation.fold_run import FoldScores, finetuning_of, run_fold
from training.evaluation.report import make_report
from training.runs.folder import write_json
from training.runs.reporter import Cancelled, Reporter
from training.runs.starting_point import DEFAULT_INPUT_SIZE

REPORT = "report.json"


def cross_validate(config: EvaluateConfig, reporter: Reporter) -> dict[str, Any]:
    """Train and judge every fold with every seed, and write the report folder.

    Every fold is trained from its own start; a stop ends after the running training and keeps finished folds, which
    `resume` takes up.

    Returns:
        What report.json says.

    Raises:
        UserError: unusable input; a patient on both sides; a class without an example in a fold; a start that learned
            from a held-out patient.
        Cancelled: as the reporter asked, or a stop before all folds were done.
    """
    data = evaluation_set(config, reporter)
    folds = make_folds(data.labelled, config.folds, config.fold_seed, config.split)  # told before anything is written
    config.out.mkdir(parents=True, exist_ok=True)
    store = load_set(config, data, reporter)
    if len(store) < len(data.labelled):
        data = data.restricted_to(store)
        folds = make_folds(data.labelled, config.folds, config.fold_seed, config.split)
    done: list[FoldScores] = []
    steps = config.steps
    for number, (seed, fold) in enumerate(plan(config, folds)):
        reporter.progress(number, len(folds) * config.seeds, "trainings", "cross-validating")
        done.append(run_fold(config, fold, store, reporter, seed=seed, init=config.init, steps=steps))
        steps = done[-1].steps
        if reporter.stop_requested:
            raise Cancelled
    report = make_report(config, data, folds, done)
    write_json(config.out / REPORT, report)
    return report


def plan(config: EvaluateConfig, folds: list[Fold]) -> list[tuple[int, Fold]]:
    """Seed and fold of each training, in order."""
    return [(config.seed + k, fold) for k in range(config.seeds) for fold in folds]


def load_set(config: EvaluateConfig, data: EvaluationSet, reporter: Reporter) -> FrameStore:
    """All frames of the set, prepared once for all folds."""
    size = input_size_of(config)
    return data.load(data.labelled, size, config.out / f"frames-{size}.tmp", reporter)


def input_size_of(config: EvaluateConfig) -> int:
    """Side of the network's input in px: asked for, the preset's, that of the model started from, or 160."""
    asked = finetuning_of(config, config.seed, config.init, None).input_size
    if asked:
        return asked
    path = Path(config.init)
    if (path / "SHA256SUMS").is_file() or (path / "model" / "SHA256SUMS").is_file():
        from training.models.folder import ModelFolder

        return ModelFolder.open(path).config.input_size
    return DEFAULT_INPUT_SIZE


def check_finite(done: FoldScores) -> None:
    """Raise `UserError` where a training diverged without being noticed."""
    if not np.isfinite(done.scores).all():
        raise UserError(f"Fold {done.fold + 1} gave scores that are no numbers.", "Train with a lower learning rate.")
