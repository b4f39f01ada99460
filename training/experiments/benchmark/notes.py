"""The sentences under a report's table: what its figures are, and what they are not."""

from collections.abc import Mapping
from typing import Any

from training.experiments.benchmark.comparison import needs_video
from training.experiments.benchmark.finetuning_course import EVALUATIONS, LARGEST_BATCH, epochs_of


def notes(report: Mapping[str, Any]) -> list[str]:
    """In the order in which they are printed, the report's warnings last."""
    made, asked = report["comparison"], report["asked"]
    said = [] if made["is_comparison"] else ["Not a comparison: this budget only checks that everything works."]
    said += [
        *_split_notes(report),
        f"kNN and the sphere's figures: projection of {_seen(report)}; linear and few-shot: pooled embedding.",
    ]
    said += [
        f"{method['name']} draws runs of successive frames; a run shorter than a sequence makes a batch smaller."
        for method in report["methods"]
        if needs_video(method["name"]) and method["figures"]
    ]
    said += [_finetuning_note(report)] if asked["finetune"] else []
    said += [_best_note(report)] if asked["finetune"] or asked["shares"] else []
    said += [f"{method['name']}: {method['absent'].rstrip('.')}." for method in report["methods"] if method["absent"]]
    return [*said, *report["warnings"]]


def _split_notes(report: Mapping[str, Any]) -> list[str]:
    """What the mean is taken over, what a pretraining saw, and what a group is."""
    made, split = report["comparison"], report["split"]
    sides = {side: len(split[side]["groups"]) for side in ("training", "judged")}
    by, how = ("groups", "by group") if has_groups(report) else ("frames", "of single frames, at random")
    said = [
        f"Mean ± standard deviation over {_seeds(report)} on one fixed split {how} ({split['name']}: "
        f"{sides['training']} {by} for training, {sides['judged']} for testing); the deviation does not include other "
        "splits.",
        f"Each pretraining drew {made['frames']:,} frames of the training {by}, without labels, in {made['steps']:,} "
        f"steps; {made['backbone']} at {made['input_size']} px from {made['pretrain'].get('init', 'auto')} weights. "
        "Computing time differs between methods.",
    ]
    if has_groups(report):
        said.append("by group: accuracy within each group, averaged over groups, so that large groups do not dominate.")
    return said


def _finetuning_note(report: Mapping[str, Any]) -> str:
    """How long a finetuning took, and how often it was evaluated."""
    made, shares = report["comparison"], sorted(report["asked"]["finetune_shares"])
    steps, batch = made["finetune_steps"], min(made["batch"], LARGEST_BATCH)
    if steps is None:
        epochs = ", ".join(f"{epochs_of(share, made['epochs_factor'])} for {100 * share:g} %" for share in shares)
        course = f"epochs by the share of the labels as in Vats et al. ({epochs}), evaluated after each epoch"
        course += "" if made["epochs_factor"] == 1 else f"; {made['epochs_factor']:g} times as many as in the paper"
    else:
        course = (
            f"{steps:,} steps of {batch} frames for every share of the labels (a limit of this budget; Vats et al. "
            "train for 100, 200 and 300 epochs on 1, 10 and 100 %); evaluated "
            f"{min(EVALUATIONS, steps)} times at equal intervals"
        )
    return f"finetuned: the whole network with batch normalisation, with our own rates and augmentation; {course}."


def _best_note(report: Mapping[str, Any]) -> str:
    """Which frames chose the best epoch, or the best step of a finetuning."""
    asked = report["asked"]
    words = " and ".join(["best epoch"] * bool(asked["shares"]) + ["best of finetuned"] * asked["finetune"])
    by = "groups" if has_groups(report) else "frames"
    if not is_optimistic(report):
        return f"{words}: chosen on {by} used for neither training nor testing. Other columns: last epoch or step."
    apart = ", and no test group was used for training" if has_groups(report) else ""
    return (
        f"{words}: chosen on the test frames themselves, as Vats et al. do for three of their four data sets, and "
        f"therefore optimistic. All other columns are of the last epoch or step{apart}."
    )


def _seen(report: Mapping[str, Any]) -> str:
    """What the encoders saw."""
    if report["asked"].get("sees", "frames") == "frames":
        return "whole frames"
    return "prior views (the square around the reddest pixel of each frame, for every method alike)"


def has_groups(report: Mapping[str, Any]) -> bool:
    """Whether it is known which group each frame belongs to."""
    return bool(report["split"].get("by", "groups") == "groups")


def is_optimistic(report: Mapping[str, Any]) -> bool:
    """Whether the best epoch or step was chosen on the test frames themselves."""
    return "choosing" not in report["split"]


def _seeds(report: Mapping[str, Any]) -> str:
    return "1 seed" if len(report["seeds"]) == 1 else f"{len(report['seeds'])} seeds"
