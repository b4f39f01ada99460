"""Laiz et al. 2020, section 3.4: the seven points of an evaluation that others can compare with, each with its number.

In our words. When a point counts as met is ours. The paper's fourth point asks for 2,000 times as many negative images
as positive ones, its section 3.3.1 for at least 2,000 of each video; with its own data the first would be millions.
Here 2,000 of each procedure are asked for, and more normal frames than others.
"""

from collections.abc import Mapping
from typing import Any

from training.evaluation.evaluate_config import EvaluateConfig

NORMAL_PER_STUDY = 2000
LEVELS = ("95", "90", "80")
"""Specificities in per cent."""


def guidelines(
    config: EvaluateConfig, dataset: dict[str, Any], pooled: dict[str, Any], mean: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Each point as {text, is_met, number}, in the paper's order.

    Args:
        config: of the cross-validation.
        dataset: from `dataset_report`.
        pooled: AUC of all folds with its interval.
        mean: mean and deviation of each figure over the folds.
    """
    return [
        _described(dataset),
        _split(config, dataset),
        _diverse(dataset),
        _normal(dataset),
        _folds(config, pooled),
        _recall(mean),
        _shown(config),
    ]


def _described(dataset: dict[str, Any]) -> dict[str, Any]:
    said = f"{dataset['procedures_with_pathology']} of {dataset['procedures']} procedures show pathology"
    count, frames = dataset["findings"], dataset["frames_per_finding"]
    if count:
        said += (
            f"; {count} findings of {frames['lowest']} to {frames['highest']} frames (median {frames['median']:.0f}), "
            f"size and morphology of {dataset['described_findings']}"
        )
    else:
        said += "; no findings named"
    text = "The data are described: procedures, those with pathology, findings, and the frames of each finding."
    return _point(text, bool(count), said)


def _split(config: EvaluateConfig, dataset: dict[str, Any]) -> dict[str, Any]:
    text = "No procedure is on both sides of a split."
    if not config.needs_patients:
        return _point(text, False, "split at random: the data set has no patients")
    where = "groups as patients" if config.images else "patients"
    return _point(text, True, f"{config.folds} folds of {dataset['patients']} {where}")


def _diverse(dataset: dict[str, Any]) -> dict[str, Any]:
    ill, procedures = dataset["procedures_with_pathology"], dataset["procedures"]
    return _point(
        "Normal frames show the variety of the domain: evenly spaced in time, from every procedure, with and without "
        "pathology.",
        0 < ill < procedures and dataset["normal_judged"]["lowest"] > 0,
        f"{procedures - ill} procedures without pathology; {dataset['normal_judged']['lowest']:,.0f} normal frames in "
        "the one with the fewest",
    )


def _normal(dataset: dict[str, Any]) -> dict[str, Any]:
    lowest, (normal, *others) = dataset["normal_judged"]["lowest"], dataset["frames_judged"].values()
    ratio = normal / max(1, sum(others))
    return _point(
        f"There are more normal frames than others, at least {NORMAL_PER_STUDY:,} in each procedure.",
        ratio > 1 and lowest >= NORMAL_PER_STUDY,
        f"{ratio:,.1f} normal frames to one; {lowest:,.0f} in the procedure with the fewest, median "
        f"{dataset['normal_judged']['median']:,.0f}",
    )


def _folds(config: EvaluateConfig, pooled: dict[str, Any]) -> dict[str, Any]:
    interval = "no interval" if pooled["low"] is None else f"AUC {pooled['low']:.3f} to {pooled['high']:.3f}"
    return _point("Small data sets are cross-validated.", True, f"{config.folds} folds; {interval}")


def _recall(mean: Mapping[str, Any]) -> dict[str, Any]:
    values = {level: mean.get(f"sensitivity_at_{level}", {}).get("mean") for level in LEVELS}
    known = {level: value for level, value in values.items() if value is not None}
    said = ", ".join(f"{value:.3f} at {level} %" for level, value in known.items())
    text = "Recall is reported at specificities of 95, 90 and 80 %, to compare with others."
    return _point(text, len(known) == len(LEVELS), said or "not defined")


def _shown(config: EvaluateConfig) -> dict[str, Any]:
    said = f"CAM of up to {config.shown} frames of each kind per fold" if config.shown else "no frames shown"
    return _point("Right and wrong decisions are shown, with what they rest on.", bool(config.shown), said)


def _point(text: str, is_met: bool, number: str) -> dict[str, Any]:
    return {"text": text, "is_met": is_met, "number": number}
