"""From cells to what report.json says, and to the table that the shell prints."""

import datetime
import platform
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np

from training.datasets.labelled_frames import LabelledFrames
from training.experiments.benchmark.comparison import protocol_of
from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.benchmark.data import BenchmarkData
from training.experiments.benchmark.plan import Plan
from training.experiments.benchmark.split import OPTIMISTIC
from training.version import version

SCHEMA_VERSION = 1
NOTICE = "Research use only, not for diagnosis."
NOT_REACHED = "not reached"
BASELINE = "random"
LARGE_GROUP = 0.2
"""Share of the test frames from which one group dominates the figures."""


def make_report(
    config: BenchmarkConfig,
    plan: Plan,
    data: BenchmarkData,
    cells: Mapping[str, Mapping[int, Mapping[str, Any]]],
    absent: Mapping[str, str],
    pretrainings: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, Any]:
    """Every figure as JSON values, without the paths of the machine.

    Args:
        config: what was asked for.
        plan: with the comparison as it was run.
        data: frames and split.
        cells: method -> seed -> what was found.
        absent: method -> why it has no figures, or not all.
        pretrainings: method -> what is reported of its pretrainings.
    """
    values = {method: {seed: flat(cell) for seed, cell in found.items()} for method, found in cells.items()}
    methods = [_method(name, values.get(name, {}), absent, pretrainings.get(name, ())) for name in config.methods]
    for row in methods:
        row["against_random"] = _against(values.get(row["name"], {}), values.get(BASELINE, {}))
    paths = {"images", "studies", "labels", "video_frames", "video", "out", "cells", "weights_cache", "resume"}
    return {
        "schema_version": SCHEMA_VERSION,
        "notice": NOTICE,
        "finished": all(len(values.get(name, {})) == len(plan.seeds) for name in plan.methods),
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "asked": config.model_dump(mode="json", exclude=paths),
        "protocol": {name: protocol_of(name) for name in config.methods},
        "comparison": _comparison(plan),
        "seeds": list(plan.seeds),
        "data": {"sentence": data.sentence, "digest": data.digest, "labelled": data.frames.labelled.counts()},
        "split": data.split.to_json(data.frames.labelled),
        "methods": methods,
        "warnings": _warnings(data),
        "versions": _versions(),
    }


def flat(cell: Mapping[str, Any], prefix: str = "") -> dict[str, float | None]:
    """Every number of a cell by its path: "linear/0.1/last/accuracy"."""
    found: dict[str, float | None] = {}
    for name, value in cell.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}/")
        elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            found[prefix + name] = value
    return found


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
        "figures": {key: _spread([values[seed].get(key) for seed in sorted(values)]) for key in keys},
        "pretrainings": [dict(found) for found in pretrainings],
    }


def _spread(values: Sequence[float | None]) -> dict[str, Any]:
    """Mean and standard deviation (n - 1) over the seeds that have a figure."""
    known = [float(value) for value in values if value is not None]
    return {
        "mean": fmean(known) if known else None,
        "deviation": stdev(known) if len(known) > 1 else None,
        "values": list(values),
    }


HEADLINES = ("knn/projection/accuracy", "knn/projection/macro_f1", "linear/0.1/last/accuracy", "linear/1/last/accuracy")


def _against(
    values: Mapping[int, Mapping[str, float | None]], baseline: Mapping[int, Mapping[str, float | None]]
) -> dict[str, Any]:
    """Seed by seed, a method less the random network; seeds that both have."""
    made = {}
    for key in HEADLINES:
        pairs = [(values[seed].get(key), baseline[seed].get(key)) for seed in values if seed in baseline]
        known = [ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None]
        if known:
            made[key] = {**_spread(known), "better": sum(value > 0 for value in known), "of": len(known)}
    return made


def _comparison(plan: Plan) -> dict[str, Any]:
    made = plan.comparison
    return {
        "name": made.name,
        "is_comparison": made.is_comparison,
        "backbone": made.backbone,
        "input_size": made.input_size,
        "frames": made.steps * made.batch,
        "steps": made.steps,
        "batch": made.batch,
        "epochs_factor": made.epochs_factor,
        "finetune_steps": made.finetune_steps,
        "pretrain": dict(made.pretrain),
    }


def _warnings(data: BenchmarkData) -> list[str]:
    test = data.frames.labelled.select(data.split.test)
    said = [OPTIMISTIC] if data.split.by == "frames" else _large_groups(test)
    said += [f"No test frame shows {name}." for name, count in test.counts().items() if not count]
    return [*said, *data.frames.warnings]


def _large_groups(test: LabelledFrames) -> list[str]:
    names, counts = np.unique(test.patients, return_counts=True)
    return [
        f"{count} of the {len(test)} test frames are of one group ({name}), which dominates the figures."
        for name, count in zip(names.tolist(), counts.tolist(), strict=True)
        if count > LARGE_GROUP * len(test) and len(names) > 1
    ]


def _versions() -> dict[str, str]:
    import torch

    used = {"wce_desktop": version(), "python": platform.python_version()}
    return {**used, "torch": str(torch.__version__), "numpy": np.__version__}
