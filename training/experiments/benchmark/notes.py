"""The sentences under a report's table: what its figures are, and what they are not."""

from collections.abc import Mapping
from typing import Any

from training.experiments.benchmark.comparison import needs_video
from training.experiments.benchmark.finetuning_course import JUDGINGS, LARGEST_BATCH, epochs_of


def notes(report: Mapping[str, Any]) -> list[str]:
    """In the order in which they are printed, the report's warnings last."""
    made, asked = report["comparison"], report["asked"]
    said = [] if made["is_comparison"] else ["Not a comparison: this budget only shows that everything works."]
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
    """Over what the mean is, what a pretraining saw, and what a group is."""
    made, split = report["comparison"], report["split"]
    sides = {side: len(split[side]["groups"]) for side in ("training", "judged")}
    by, how = ("groups", "by group") if has_groups(report) else ("frames", "of single frames, at random")
    said = [
        f"Mean ± standard deviation over {_seeds(report)} on one fixed split {how} ({split['name']}: "
        f"{sides['training']} {by} teach, {sides['judged']} judge); the deviation says nothing of other splits.",
        f"Each pretraining drew {made['frames']:,} frames of the training {by}, without labels, in {made['steps']:,} "
        f"steps; {made['backbone']} at {made['input_size']} px from {made['pretrain'].get('init', 'auto')} weights. "
        "What a method does with a frame, and so its computing, differs.",
    ]
    if has_groups(report):
        said.append("by group: the accuracy within each group, averaged, so that a large one does not decide.")
    return said


def _finetuning_note(report: Mapping[str, Any]) -> str:
    """How long a finetuning took, and how often it was judged."""
    made, shares = report["comparison"], sorted(report["asked"]["finetune_shares"])
    steps, batch = made["finetune_steps"], min(made["batch"], LARGEST_BATCH)
    if steps is None:
        epochs = ", ".join(f"{epochs_of(share, made['epochs_factor'])} for {100 * share:g} %" for share in shares)
        course = f"epochs by the share of the labels as in Vats et al. ({epochs}), judged after each epoch"
        course += "" if made["epochs_factor"] == 1 else f"; {made['epochs_factor']:g} times as many as theirs"
    else:
        course = (
            f"{steps:,} steps of {batch} frames whatever the share of the labels, which is what this budget can "
            "afford and not the 100, 200 and 300 epochs that Vats et al. take for 1, 10 and 100 %; judged "
            f"{min(JUDGINGS, steps)} times at equal distances"
        )
    return f"finetuned: the whole network, batch normalisation included, with rates and augmentation of ours; {course}."


def _best_note(report: Mapping[str, Any]) -> str:
    """Who chose the best epoch, or the best moment of a finetuning."""
    asked = report["asked"]
    words = " and ".join(["best epoch"] * bool(asked["shares"]) + ["best of finetuned"] * asked["finetune"])
    by = "groups" if has_groups(report) else "frames"
    if not is_optimistic(report):
        return f"{words}: chosen on {by} that neither teach nor judge. Other columns are of the last epoch or step."
    apart = ", and groups that judge taught nothing" if has_groups(report) else ""
    return (
        f"{words}: chosen on the very frames that are judged, as Vats et al. do for three of their four sets: "
        f"optimistic. The columns without these words are those of the last epoch or step{apart}."
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
    """Whether the judged frames themselves chose what is called best."""
    return "choosing" not in report["split"]


def _seeds(report: Mapping[str, Any]) -> str:
    return "1 seed" if len(report["seeds"]) == 1 else f"{len(report['seeds'])} seeds"
