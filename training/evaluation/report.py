"""From the scores of all folds to what report.json says."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.folds import Fold
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.fold_run import FoldScores
from training.evaluation.pooled import pooled_auc
from training.evaluation.protocol import any_track, class_table, fold_figures, mean_and_deviation


def make_report(
    config: EvaluateConfig, data: EvaluationSet, folds: list[Fold], done: list[FoldScores]
) -> dict[str, Any]:
    """Every figure of the protocol, as JSON values."""
    frames = data.labelled
    details = [_detail(data, fold_of(folds, scores.fold), scores) for scores in done]
    names = details[0]["figures"].keys()
    pooled = _pooled(config, data, done)
    return {
        "schema_version": 1,
        "method": config.method,
        "init": config.init,
        "preset": config.preset,
        "split": config.split,
        "folds": config.folds,
        "seeds": sorted({scores.seed for scores in done}),
        "classes": list(frames.classes),
        "steps": sorted({scores.steps for scores in done}),
        "folds_detail": details,
        "mean": {name: mean_and_deviation([row["figures"][name] for row in details]) for name in names},
        "pooled": pooled,
        "warnings": list(data.warnings),
    }


def fold_of(folds: list[Fold], number: int) -> Fold:
    """The fold of this number."""
    return next(fold for fold in folds if fold.number == number)


def _detail(data: EvaluationSet, fold: Fold, scores: FoldScores) -> dict[str, Any]:
    frames = data.labelled
    labels = frames.label[scores.rows]
    return {
        "fold": scores.fold,
        "seed": scores.seed,
        "start": scores.start,
        "patients": list(fold.held_out_patients),
        "training_patients": len(fold.training_patients),
        "learned_from": scores.learned_from,
        "frames": frames.select(scores.rows).counts(),
        "steps": scores.steps,
        "figures": fold_figures(labels, scores.scores),
        "classes": class_table(frames.classes, labels, scores.scores),
    }


def out_of_fold(data: EvaluationSet, done: list[FoldScores]) -> dict[int, NDArray[np.float32]]:
    """Seed -> scores (M, C) of every frame, each from the training that never saw it."""
    shape = (len(data.labelled), len(data.labelled.classes))
    whole: dict[int, NDArray[np.float32]] = {}
    for scores in done:
        whole.setdefault(scores.seed, np.full(shape, np.nan, np.float32))[scores.rows] = scores.scores
    return whole


def _pooled(config: EvaluateConfig, data: EvaluationSet, done: list[FoldScores]) -> dict[str, Any]:
    frames = data.labelled
    tracks: list[NDArray[np.floating]] = [any_track(scores) for scores in out_of_fold(data, done).values()]
    found = pooled_auc(frames.label > 0, tracks, frames.patients, config.bootstraps, config.fold_seed)
    return {
        "auc": found.value,
        "low": found.low,
        "high": found.high,
        "patients": len(np.unique(frames.patients)),
        "bootstraps": config.bootstraps,
    }
