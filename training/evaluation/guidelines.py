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
    ill, procedures = dataset["procedures_with_pathology"], dataset["procedures"]
    count, frames = dataset["findings"], dataset["frames_per_finding"]
    described = f"{ill} of {procedures} procedures show pathology; "
    described += (
        f"{count} findings of {frames['lowest']} to {frames['highest']} frames (median {frames['median']:.0f}), "
        f"size and morphology of {dataset['described_findings']}"
        if count
        else "no findings named"
    )
    split = "split at random: the data set has no patients"
    is_finished = config.model is not None
    if is_finished:
        split = f"a finished model; {dataset['patients']} patients that it was not trained on"
    elif config.needs_patients:
        split = f"{config.folds} folds of {dataset['patients']} {'groups as patients' if config.images else 'patients'}"
    lowest, (normal, *others) = dataset["normal_judged"]["lowest"], dataset["frames_judged"].values()
    ratio = normal / max(1, sum(others))
    interval = "no interval" if pooled["low"] is None else f"AUC {pooled['low']:.3f} to {pooled['high']:.3f}"
    recalls = {level: mean.get(f"sensitivity_at_{level}", {}).get("mean") for level in LEVELS}
    known = [f"{value:.3f} at {level} %" for level, value in recalls.items() if value is not None]
    points = (
        (
            "The data are described: procedures, those with pathology, findings, and the frames of each finding.",
            bool(count),
            described,
        ),
        ("No procedure is on both sides of a split.", config.needs_patients, split),
        (
            "Normal frames show the variety of the domain: evenly spaced in time, from every procedure, with and "
            "without pathology.",
            0 < ill < procedures and lowest > 0,
            f"{procedures - ill} procedures without pathology; {lowest:,.0f} normal frames in the one with the fewest",
        ),
        (
            f"There are more normal frames than others, at least {NORMAL_PER_STUDY:,} in each procedure.",
            ratio > 1 and lowest >= NORMAL_PER_STUDY,
            f"{ratio:,.1f} normal frames to one; {lowest:,.0f} in the procedure with the fewest, median "
            f"{dataset['normal_judged']['median']:,.0f}",
        ),
        (
            "Small data sets are cross-validated.",
            not is_finished,
            f"{'a finished model' if is_finished else f'{config.folds} folds'}; {interval}",
        ),
        (
            "Recall is reported at specificities of 95, 90 and 80 %, to compare with others.",
            len(known) == len(LEVELS),
            ", ".join(known) or "not defined",
        ),
        (
            "Right and wrong decisions are shown, with what they rest on.",
            bool(config.shown),
            f"CAM of up to {config.shown} frames of each kind per fold" if config.shown else "no frames shown",
        ),
    )
    return [{"text": text, "is_met": is_met, "number": number} for text, is_met, number in points]
