"""How sure the figures of a benchmark are on other groups: intervals from drawing whole groups of test frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.patient_bootstrap import drawn_patients, with_interval
from training.metrics.within_source import BOOTSTRAPS, SourcedFrames, mean_auc_draws

BASELINES = ("imagenet", "random")
"""What the other methods are compared with: the first of these that is there."""
Scores = Mapping[str, NDArray[np.floating]]
"""Evaluation ("linear/0.1") -> scores (M, C) of the test frames."""
ACCURACY, AUC_NORMAL = "accuracy", "auc_normal"
NO_SOURCE = "unknown"


@dataclass(frozen=True)
class EvaluatedFrames:
    """M test frames, normal first among the C classes."""

    classes: Sequence[str]
    labels: NDArray[np.int64]
    """(M,)"""
    groups: NDArray[np.str_]
    """(M,)"""
    sources: NDArray[np.str_]
    """(M,); \"\" where it is unknown."""


def intervals(
    frames: EvaluatedFrames, scores: Mapping[str, Mapping[int, Scores]], bootstraps: int = BOOTSTRAPS
) -> dict[str, dict[str, dict[str, Any]]]:
    """Accuracy, and mean AUC of each class against normal of its own source, over the seeds; with 95 % intervals.

    Every method is evaluated on the same draws of groups, so the interval of a difference is of paired draws.

    Returns:
        Method -> evaluation -> figure -> `value`, `low`, `high` and, where there is a baseline, `less`: the same of the
        difference to it, with `baseline`, its name.
    """
    draws = {method: _draws(frames, list(by_seed.values()), bootstraps) for method, by_seed in scores.items()}
    baseline = next((name for name in BASELINES if draws.get(name)), None)
    result: dict[str, dict[str, dict[str, Any]]] = {}
    for method, of_evaluation in draws.items():
        for (evaluation, figure), values in of_evaluation.items():
            row: dict[str, Any] = {**with_interval(values, "value")}
            if baseline not in (None, method) and (evaluation, figure) in draws[baseline]:
                less = with_interval(values - draws[baseline][evaluation, figure], "value")
                row["less"] = {**less, "baseline": baseline}
            result.setdefault(method, {}).setdefault(evaluation, {})[figure] = row
    return result


def _draws(
    frames: EvaluatedFrames, of_seeds: Sequence[Scores], bootstraps: int
) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Evaluation and figure -> (1 + bootstraps,): all frames, then each draw."""
    result = {}
    for name in dict.fromkeys(name for scores in of_seeds for name in scores):
        tracks = [scores[name] for scores in of_seeds if name in scores]
        result[name, ACCURACY] = _accuracy_draws(frames, tracks, bootstraps)
        sources = np.where(frames.sources == "", NO_SOURCE, frames.sources)
        sourced = SourcedFrames(frames.classes, frames.labels, sources, frames.groups)
        result[name, AUC_NORMAL] = mean_auc_draws(sourced, [against_normal(track) for track in tracks], bootstraps)
    return result


def against_normal(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """(M, C) each class against normal alone: its share of the two scores, 0.5 where both are 0."""
    both = scores + scores[:, :1]
    result = np.full(scores.shape, 0.5)
    np.divide(scores, both, out=result, where=both > 0)
    return result


def _accuracy_draws(
    frames: EvaluatedFrames, tracks: Sequence[NDArray[np.floating]], bootstraps: int
) -> NDArray[np.float64]:
    names, group = np.unique(frames.groups, return_inverse=True)
    hits = np.mean([np.bincount(group, track.argmax(axis=1) == frames.labels) for track in tracks], axis=0)
    drawn = drawn_patients(len(names), bootstraps, 0)
    return np.asarray(drawn @ hits / (drawn @ np.bincount(group)), np.float64)
