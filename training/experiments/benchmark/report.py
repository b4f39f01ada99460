"""From cells to what report.json says, and the notes under its table: what the figures are, and what they are not."""

from collections.abc import Mapping, Sequence
from typing import Any

from training.experiments.benchmark.comparison import EVALUATIONS, LARGEST_BATCH, epochs_of, needs_video, protocol_of
from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.benchmark.data import OPTIMISTIC, BenchmarkData
from training.experiments.benchmark.plan import Plan
from training.experiments.engine import (
    NOT_REACHED,
    ONLY_A_TRIAL,
    Spread,
    counted,
    large_groups,
    machine_sentence,
    report_head,
)
from training.version import versions

SCHEMA_VERSION = 1
BASELINE = "random"


def make_report(
    config: BenchmarkConfig,
    plan: Plan,
    data: BenchmarkData,
    cells: Mapping[str, Mapping[int, Mapping[str, Any]]],
    absent: Mapping[str, str],
    pretrainings: Mapping[str, Sequence[Mapping[str, Any]]],
    intervals: Mapping[str, Any],
) -> dict[str, Any]:
    """Every figure as JSON values, without the paths of the machine.

    Args:
        cells: method -> seed -> what was found.
        absent: method -> why it has no figures, or not all.
        pretrainings: method -> what is reported of its pretrainings.
        intervals: see `benchmark.intervals`.
    """
    values = {method: {seed: flat(cell) for seed, cell in found.items()} for method, found in cells.items()}
    methods = [_method(name, values.get(name, {}), absent, pretrainings.get(name, ())) for name in config.methods]
    for row in methods:
        row["intervals"] = intervals.get(row["name"], {})
        row["against_random"] = _against(values.get(row["name"], {}), values.get(BASELINE, {}))
    finished = all(len(values.get(name, {})) == len(plan.seeds) for name in plan.methods)
    paths = {
        "images",
        "studies",
        "pretrain_studies",
        "pretrain_images",
        "labels",
        "video_frames",
        "video",
        "out",
        "cells",
        "weights_cache",
        "resume",
    }
    return {
        **report_head(SCHEMA_VERSION, finished=finished),
        "machine": data.cells.machine,
        "asked": {
            **config.model_dump(mode="json", exclude=paths),
            "pretrains_on_others": data.other.sentence if data.other else "",
        },
        "protocol": {name: protocol_of(name) for name in config.methods},
        "comparison": _comparison(plan),
        "seeds": list(plan.seeds),
        "data": {"sentence": data.sentence, "digest": data.digest, "labelled": data.frames.labelled.counts()},
        "split": data.split.to_json(data.frames.labelled),
        "methods": methods,
        "warnings": _warnings(data),
        "versions": versions(),
    }


def flat(cell: Mapping[str, Any], prefix: str = "") -> dict[str, float | None]:
    """Every number of a cell by its path: "linear/0.1/last/accuracy"."""
    result: dict[str, float | None] = {}
    for name, value in cell.items():
        if isinstance(value, Mapping):
            result |= flat(value, f"{prefix}{name}/")
        elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            result[prefix + name] = value
    return result


def _method(
    name: str,
    values: Mapping[int, Mapping[str, float | None]],
    absent: Mapping[str, str],
    pretrainings: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    keys = list(dict.fromkeys(key for found in values.values() for key in found))
    return {
        "name": name,
        "absent": absent.get(name, "" if values else NOT_REACHED),
        "seeds": sorted(values),
        "figures": {key: Spread([values[seed].get(key) for seed in sorted(values)]).to_json() for key in keys},
        "pretrainings": [dict(pretraining) for pretraining in pretrainings],
    }


HEADLINES = ("knn/projection/accuracy", "knn/projection/macro_f1", "linear/0.1/last/accuracy", "linear/1/last/accuracy")


def _against(
    values: Mapping[int, Mapping[str, float | None]], baseline: Mapping[int, Mapping[str, float | None]]
) -> dict[str, Any]:
    """Seed by seed, a method less the random network; seeds that both have."""
    result = {}
    for key in HEADLINES:
        pairs = [(values[seed].get(key), baseline[seed].get(key)) for seed in values if seed in baseline]
        known = [ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None]
        if known:
            result[key] = {**Spread(known).to_json(), "better": sum(value > 0 for value in known), "of": len(known)}
    return result


def _comparison(plan: Plan) -> dict[str, Any]:
    result = plan.comparison
    before = {name: getattr(result, name) for name in ("name", "is_comparison", "backbone", "input_size")}
    after = {name: getattr(result, name) for name in ("batch", "epochs_factor", "finetune_steps")}
    length = {"frames": result.steps * result.batch, "steps": result.steps}
    return {**before, **length, **after, "pretrain": dict(result.pretrain)}


def _warnings(data: BenchmarkData) -> list[str]:
    test = data.frames.labelled.select(data.split.test)
    said = [OPTIMISTIC] if data.split.by == "frames" else large_groups(test.patients, "test frames")
    said += [f"No test frame shows {name}." for name, count in test.counts().items() if not count]
    return [*said, *data.frames.warnings]


def notes(report: Mapping[str, Any]) -> list[str]:
    """In the order in which they are printed, the report's warnings last."""
    result, asked = report["comparison"], report["asked"]
    prior = "prior views (the square around the reddest pixel of each frame, for every method alike)"
    seen = "whole frames" if asked.get("sees", "frames") == "frames" else prior
    said = [] if result["is_comparison"] else [ONLY_A_TRIAL]
    said += [
        *_split_notes(report),
        machine_sentence(report.get("machine")),
        f"kNN and the sphere's figures: projection of {seen}; linear and few-shot: pooled embedding.",
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
    result, split = report["comparison"], report["split"]
    sides = {side: len(split[side]["groups"]) for side in ("training", "judged")}
    by, how = ("groups", "by group") if has_groups(report) else ("frames", "of single frames, at random")
    seeds = counted(len(report["seeds"]), "seed")
    sentences = [
        f"Mean ± standard deviation over {seeds} on one fixed split {how} ({split['name']}: "
        f"{sides['training']} {by} for training, {sides['judged']} for testing); the deviation does not include other "
        "splits.",
        f"Each pretraining drew {result['frames']:,} frames of {_pretrained_on(report, by)}, without labels, in "
        f"{result['steps']:,} steps; {result['backbone']} at {result['input_size']} px from "
        f"{result['pretrain'].get('init', 'auto')} weights. Computing time differs between methods.",
    ]
    if has_groups(report):
        sentences.append(
            "by group: accuracy within each group, averaged over groups, so that large groups do not dominate."
        )
    return sentences


def _pretrained_on(report: Mapping[str, Any], by: str) -> str:
    """Whose frames the pretrainings drew."""
    asked = report["asked"]
    if not (others := asked.get("pretrains_on_others")):
        return f"the training {by}"
    each = asked.get("pretrain_per_study")
    return (others if isinstance(others, str) else "other studies") + (
        f" (up to {counted(each, 'frame')} of each)" if each else ""
    )


def _finetuning_note(report: Mapping[str, Any]) -> str:
    """How long a finetuning took, and how often it was evaluated."""
    result, shares = report["comparison"], sorted(report["asked"]["finetune_shares"])
    steps, batch = result["finetune_steps"], min(result["batch"], LARGEST_BATCH)
    if steps is None:
        epochs = ", ".join(f"{epochs_of(share, result['epochs_factor'])} for {100 * share:g} %" for share in shares)
        course = f"epochs by the share of the labels as in Vats et al. ({epochs}), evaluated after each epoch"
        course += "" if result["epochs_factor"] == 1 else f"; {result['epochs_factor']:g} times as many as in the paper"
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


def has_groups(report: Mapping[str, Any]) -> bool:
    """Whether it is known which group each frame belongs to."""
    return bool(report["split"].get("by", "groups") == "groups")


def is_optimistic(report: Mapping[str, Any]) -> bool:
    """Whether the best epoch or step was chosen on the test frames themselves."""
    return "choosing" not in report["split"]
