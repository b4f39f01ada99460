"""What a benchmark will cost, and how many frames a pretraining draws where hours are given."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from training.benchmark.comparison import NO_PRETRAINING, Comparison, find_comparison
from training.runs.folder import write_json
from training.runs.reporter import Reporter

PASSES = {"time-triplet": 1.0, "simclr": 2.0, "pirl": 4.1, "pgcon": 4.1, "wincon": 5.1}
"""What drawing a frame costs a method, in whole frames forward and backward; told, never compared.

Seconds of CPU of a step of the budget `small` beside SimCLR's, one run; PIRL's is taken to be PGCon's.
"""
JUDGING_FRAMES = 8.0
"""What judging a labelled frame costs, in frames learned from: two spaces, two views, the dense layers."""


@dataclass(frozen=True)
class Plan:
    """The pretrainings of a benchmark."""

    comparison: Comparison
    methods: Sequence[str]
    """Those that take part."""
    seeds: Sequence[int]
    labelled: int
    """Labelled frames."""

    def frames(self) -> float:
        """Frames that go through the network forward and backward, in all."""
        drawn = self.comparison.steps * self.comparison.batch
        pretraining = sum(drawn * PASSES.get(name, 2.0) for name in self.methods if name not in NO_PRETRAINING)
        return len(self.seeds) * (pretraining + JUDGING_FRAMES * self.labelled * len(self.methods))

    def sentences(self, frames_per_second: float | None) -> list[str]:
        """What is told before anything starts."""
        made = self.comparison
        told = [
            f"{_counted(len(self.methods), 'method')}, {_counted(len(self.seeds), 'seed')} "
            f"({', '.join(map(str, self.seeds))}); each pretraining draws {made.steps * made.batch:,} frames in "
            f"{made.steps:,} steps; {made.backbone} at {made.input_size} px."
        ]
        if not made.is_comparison:
            told.append("This budget only shows that everything works: not a comparison.")
        if frames_per_second:
            minutes = self.frames() / frames_per_second / 60
            told.append(f"About {minutes:,.0f} minutes at {frames_per_second:,.0f} frames a second on this device.")
        return told


def fit_to_hours(plan: Plan, hours: float, frames_per_second: float) -> Comparison:
    """The comparison with as many frames a pretraining as fill the hours, never more than the paper's; checked.

    Raises:
        UserError: the hours are too few to compare anything.
    """
    fixed = replace(plan, comparison=replace(plan.comparison, frames=0)).frames()
    per_frame = (plan.frames() - fixed) / max(1, plan.comparison.steps * plan.comparison.batch)
    affordable = int((hours * 3600 * frames_per_second - fixed) / max(per_frame, 1e-9))
    frames = max(1, min(affordable, find_comparison("paper").frames))
    made = replace(plan.comparison, frames=frames, name=f"{plan.comparison.name}-{hours:g}h")
    made.check()
    return made


def settled(cells: Path, plan: Plan, hours: float, frames_per_second: float, digest: str) -> Comparison:
    """The comparison for so many hours; measured by the first call, and kept for those that go on with its cells."""
    name = f"frames-{plan.comparison.name}-{hours:g}h-{len(plan.methods)}-{len(plan.seeds)}-{digest}.json"
    kept = cells / name
    try:
        frames = int(json.loads(kept.read_text(encoding="utf-8"))["frames"])
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or damaged: measured anew
        made = fit_to_hours(plan, hours, frames_per_second)
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_json(kept, {"frames": made.frames})
        return made
    return replace(plan.comparison, frames=frames, name=f"{plan.comparison.name}-{hours:g}h")


def frames_per_second(comparison: Comparison, device: str, threads: int | None, reporter: Reporter) -> float:
    """How many frames a second a training learns from on this device, tried out on noise."""
    from training.reproduce.budgets import SMALL
    from training.reproduce.device_pace import images_per_second

    like = replace(SMALL, backbone=comparison.backbone, input_size=comparison.input_size, batch_size=comparison.batch)
    return images_per_second(like, device, threads, reporter)


def _counted(count: int, what: str) -> str:
    """ "1 method", "2 methods"."""
    return f"{count} {what}{'' if count == 1 else 's'}"
