"""From evaluated overlays to the figures of a table, each with chance level and an interval over groups."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.explanations.config import EvaluateExplanationsConfig, Way
from training.experiments.explanations.frame_evaluation import EvaluatedFrame, EvaluatedOverlay

IOU_LEVELS = (0.3, 0.5)
SUBSETS = ("all", "all recognised", "sample", "sample recognised")
"""Frames that a table is about; recognised: the model gives them the class, so there is something to explain."""

KIND_SUBSETS = ("all", "sample")

Rows = dict[str, dict[str, dict[str, Any]]]
"""Labelled kind -> way of explaining -> figures."""


def table(
    config: EvaluateExplanationsConfig, evaluated: Sequence[EvaluatedOverlay]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Subset -> explanation -> figures; one that was computed for the sample only has no row for all frames."""
    return {
        subset: {way: figures(config, mine) for way, mine in overlays_by_way(config, evaluated, subset).items()}
        for subset in SUBSETS
    }


def overlays_by_way(
    config: EvaluateExplanationsConfig, evaluated: Sequence[EvaluatedOverlay], subset: str
) -> dict[Way, list[EvaluatedOverlay]]:
    """Explanation -> overlays of a subset's frames; explanations that do not cover the subset are left out."""
    frames = {item.frame.filename for item in evaluated}
    result: dict[Way, list[EvaluatedOverlay]] = {}
    for way in config.explain:
        tried = [item for item in evaluated if item.explain == way]
        sampled, recognised = subset.startswith("sample"), subset.endswith("recognised")
        mine = [
            item
            for item in tried
            if (item.frame.is_sampled or not sampled) and (item.frame.is_recognised or not recognised)
        ]
        if mine and (subset.startswith("sample") or len(tried) == len(frames)):
            result[way] = mine
    return result


def figures(config: EvaluateExplanationsConfig, mine: Sequence[EvaluatedOverlay]) -> dict[str, Any]:
    """Figures of one explanation over some frames.

    Returns:
        Those of `pointing_figures`, `iou`, `iou_at_30`, `iou_at_50` (share of frames at and above), `iou_by_threshold`,
        `curves`, and where the frames have some `deletion` and `insertion` (areas). Figures are as `over_groups` gives
        them.
    """
    groups = np.array([item.frame.group for item in mine])
    iou = np.array([item.iou[config.threshold] for item in mine])

    def with_interval(values: NDArray[np.float64]) -> dict[str, float | None]:
        return over_groups(values, groups, config.bootstraps, config.seed)

    result = pointing_figures(config, mine) | {
        "iou": with_interval(iou),
        **{f"iou_at_{100 * level:.0f}": with_interval((iou >= level).astype(np.float64)) for level in IOU_LEVELS},
        "iou_by_threshold": {f"{share:g}": float(np.mean([item.iou[share] for item in mine])) for share in mine[0].iou},
    }
    names = () if any(item.deletion is None for item in mine) else ("deletion", "insertion")
    curves = {name: np.mean([getattr(item, name) for item in mine], axis=0).tolist() for name in names}
    areas = {name: with_interval(np.array([area(getattr(item, name)) for item in mine])) for name in curves}
    return result | areas | {"curves": curves}


def pointing_figures(config: EvaluateExplanationsConfig, mine: Sequence[EvaluatedOverlay]) -> dict[str, Any]:
    """Figures of the pointing game of one explanation over some frames.

    Returns:
        frames, groups, empty (overlays of zeros: misses), chance, `pointing` (accuracy) and `over_chance`
        (accuracy less chance); the last three as `over_groups` gives them.
    """
    groups = np.array([item.frame.group for item in mine])
    hit = np.array([item.hit or 0.0 for item in mine])
    chance = np.array([item.frame.chance for item in mine])
    values = {"chance": chance, "pointing": hit, "over_chance": hit - chance}
    counted = {
        "frames": len(mine),
        "groups": len(np.unique(groups)),
        "empty": sum(item.hit is None for item in mine),
    }
    return counted | {
        name: over_groups(value, groups, config.bootstraps, config.seed) for name, value in values.items()
    }


def over_groups(
    values: NDArray[np.float64], groups: NDArray[np.str_], draws: int, seed: int
) -> dict[str, float | None]:
    """`value`, the mean over frames, `low` and `high`, its 95 % interval, and `group_mean`, in which groups count
    alike.

    The interval comes from drawing groups with replacement: frames of one group are nearly identical, and an interval
    over frames would be far too narrow. It is None without draws or with one group only.
    """
    _, number = np.unique(groups, return_inverse=True)
    total, count = np.bincount(number, weights=values), np.bincount(number)
    low = high = None
    if draws and len(count) > 1:
        chosen = np.random.default_rng([seed, 11]).integers(len(count), size=(draws, len(count)))
        means = total[chosen].sum(axis=1) / count[chosen].sum(axis=1)
        low, high = (float(value) for value in np.percentile(means, [2.5, 97.5]))
    return {"value": float(values.mean()), "low": low, "high": high, "group_mean": float((total / count).mean())}


def area(score: Sequence[float]) -> float:
    """Area under a curve over equal steps from 0 to 1 (trapezoids)."""
    heights = np.asarray(score)
    return float((heights[1:] + heights[:-1]).mean() / 2)


def kind_counts(frames: Sequence[EvaluatedFrame]) -> dict[str, dict[str, int]]:
    """Labelled kind -> {"frames", "sampled"}, the rarest kind first."""
    counts: dict[str, dict[str, int]] = {}
    for frame in frames:
        mine = counts.setdefault(frame.kind, {"frames": 0, "sampled": 0})
        mine["frames"] += 1
        mine["sampled"] += frame.is_sampled
    return dict(sorted(counts.items(), key=lambda item: (item[1]["frames"], item[0])))


def by_kind(
    config: EvaluateExplanationsConfig, evaluated: Sequence[EvaluatedOverlay], kinds: Sequence[str]
) -> dict[str, Rows]:
    """Subset -> kind -> way of explaining -> `pointing_figures`; empty where there is one kind only.

    A kind of which no frame is in the sample has no row.
    """
    result: dict[str, Rows] = {}
    for subset in KIND_SUBSETS if len(kinds) > 1 else ():
        rows: Rows = {kind: {} for kind in kinds}
        for way, maps in overlays_by_way(config, evaluated, subset).items():
            for kind in kinds:
                if mine := [item for item in maps if item.frame.kind == kind]:
                    rows[kind][way] = pointing_figures(config, mine)
        result[subset] = {kind: ways for kind, ways in rows.items() if ways}
    return result
