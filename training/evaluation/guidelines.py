"""Laiz et al. 2020 on how a detector for capsule endoscopy should be evaluated: seven points, each with its number.

The wording is ours, based on what the paper's protocol asks for: its own wording was not available. What
counts as met is ours.
"""

from typing import Any

from training.evaluation.evaluate_config import EvaluateConfig

NORMAL_PER_STUDY = 2000
ENOUGH_FOLDS = 5


def guidelines(config: EvaluateConfig, dataset: dict[str, Any], pooled: dict[str, Any]) -> list[dict[str, Any]]:
    """Each point as {text, is_met, number}, from the dataset report and the settings."""
    ill, procedures = dataset["procedures_with_pathology"], dataset["procedures"]
    return [
        _procedures(ill, procedures),
        _findings(dataset),
        _descriptions(dataset),
        _normal(dataset),
        _split(config, dataset),
        _repeats(config, pooled),
        _by_finding(config, dataset),
    ]


def _procedures(ill: int, procedures: int) -> dict[str, Any]:
    return _point(
        "The data include procedures with and without pathology, and state the number of both.",
        0 < ill < procedures,
        f"{ill} of {procedures} procedures show pathology",
    )


def _findings(dataset: dict[str, Any]) -> dict[str, Any]:
    count = dataset["findings"]
    if not count:
        return _point(
            "It is said how many findings there are, and of how many frames each.", False, "no findings named"
        )
    frames = dataset["frames_per_finding"]
    return _point(
        "It is said how many findings there are, and of how many frames each.",
        True,
        f"{count} findings of {frames['lowest']} to {frames['highest']} frames (median {frames['median']:.0f})",
    )


def _descriptions(dataset: dict[str, Any]) -> dict[str, Any]:
    count, described = dataset["findings"], dataset["described_findings"]
    return _point(
        "Size and morphology of every finding are stated.",
        bool(count) and described == count,
        f"{described} of {count} findings",
    )


def _normal(dataset: dict[str, Any]) -> dict[str, Any]:
    lowest = dataset["normal_judged"]["lowest"]
    return _point(
        f"Normal frames come from whole procedures, evenly spaced in time, at least {NORMAL_PER_STUDY:,} per "
        "procedure.",
        lowest >= NORMAL_PER_STUDY,
        f"{lowest:,.0f} in the study with the fewest, median {dataset['normal_judged']['median']:,.0f}",
    )


def _split(config: EvaluateConfig, dataset: dict[str, Any]) -> dict[str, Any]:
    text = "No patient is on both sides of a split."
    if not config.needs_patients:
        return _point(text, False, "split at random: the data set has no patients")
    where = "groups as patients" if config.images else "patients"
    return _point(text, True, f"{config.folds} folds of {dataset['patients']} {where}")


def _repeats(config: EvaluateConfig, pooled: dict[str, Any]) -> dict[str, Any]:
    interval = "no interval" if pooled["low"] is None else f"interval {pooled['low']:.3f} to {pooled['high']:.3f}"
    return _point(
        "Figures come from cross-validation, are reported with their spread, and do not depend on the number of normal "
        "frames.",
        config.folds >= ENOUGH_FOLDS,
        f"AUC and sensitivity at 95, 90, 80 % specificity over {config.folds} folds; {interval}",
    )


def _by_finding(config: EvaluateConfig, dataset: dict[str, Any]) -> dict[str, Any]:
    count = dataset["findings"]
    said = f"{count} findings evaluated" if count else "evaluated by frame only"
    said += f", CAM of up to {config.shown} frames of each kind per fold" if config.shown else ", no frames shown"
    text = "Findings are evaluated as well as frames, and explanations of the detector are shown."
    return _point(text, bool(count and config.shown), said)


def _point(text: str, is_met: bool, number: str) -> dict[str, Any]:
    return {"text": text, "is_met": is_met, "number": number}
