"""The cost of a benchmark, and the number of frames that fit into given hours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from training.experiments.benchmark.comparison import NO_PRETRAINING, PAPER, Comparison, finetuning_course
from training.experiments.benchmark.data import BenchmarkData
from training.experiments.engine import FEWEST_STEPS, ONLY_A_TRIAL, counted, measured_once
from training.methods.registry import PRETRAINING
from training.runs.folder import key_of

EVALUATION_FRAMES = 8.0
"""Cost of evaluating a labelled frame, in training frames: two spaces, two views, the dense layers."""
FORWARD = 1 / 3
"""Cost of a forward pass, in training frames, whose backward pass takes twice as long."""


@dataclass(frozen=True)
class Finetunings:
    """The full fine-tunings of each cell; one per share."""

    shares: Sequence[float] = ()
    """Shares of the labels."""
    training: int = 0
    """Labelled training frames at a share of 1."""
    looked_at: int = 0
    """Labelled frames that select the best checkpoint."""

    def frames(self, comparison: Comparison) -> float:
        """Training frames of a cell, plus evaluated frames weighted by their cost."""
        courses = [finetuning_course(comparison, share, max(1, round(share * self.training))) for share in self.shares]
        learned = sum(course.steps * course.batch for course in courses)
        return learned + FORWARD * sum(len(course.evaluated_after) * self.looked_at for course in courses)


@dataclass(frozen=True)
class Plan:
    """The pretrainings of a benchmark."""

    comparison: Comparison
    methods: Sequence[str]
    """Methods to compare."""
    seeds: Sequence[int]
    labelled: int
    """Labelled frames."""
    finetunings: Finetunings = Finetunings()
    """Fine-tunings of each cell."""
    most_frames: float = math.inf
    """Largest number of frames of a pretraining, whatever the hours."""

    def frames(self) -> float:
        """Total number of frames in forward and backward passes."""
        drawn = self.comparison.steps * self.comparison.batch
        costs = [PRETRAINING[name].relative_cost for name in self.methods if name not in NO_PRETRAINING]
        cell = EVALUATION_FRAMES * self.labelled + self.finetunings.frames(self.comparison)
        return len(self.seeds) * (drawn * sum(costs) + cell * len(self.methods))

    def sentences(self, frames_per_second: float | None) -> list[str]:
        """A description, shown before the start."""
        result = self.comparison
        sentences = [
            f"{counted(len(self.methods), 'method')}, {counted(len(self.seeds), 'seed')} "
            f"({', '.join(map(str, self.seeds))}); each pretraining draws {result.steps * result.batch:,} frames in "
            f"{result.steps:,} steps; {result.backbone} at {result.input_size} px."
        ]
        if not result.is_comparison:
            sentences.append(ONLY_A_TRIAL)
        if frames_per_second:
            minutes = self.frames() / frames_per_second / 60
            sentences.append(
                f"About {minutes:,.0f} minutes at {frames_per_second:,.0f} frames per second on this device."
            )
        return sentences


def planned(
    comparison: Comparison, methods: Sequence[str], seeds: Sequence[int], data: BenchmarkData, training_frames: int
) -> Plan:
    """The plan of a benchmark; `training_frames`: of its pretrainings (0: unknown).

    Raises:
        UserError: the comparison's pretrainings are too short to compare anything.
    """
    sized, split = comparison.sized(training_frames), data.split
    sized.check()
    chooser = split.test if split.choosing is None else split.choosing
    shares = data.config.finetune_shares if data.config.finetune else ()
    # The paper's epochs at most, but never fewer steps than a comparison needs.
    most = max(PAPER.sized(training_frames).frames, FEWEST_STEPS * comparison.batch) if training_frames else math.inf
    return Plan(
        sized,
        methods,
        seeds,
        labelled=len(data.frames.labelled),
        finetunings=Finetunings(shares, len(split.training), len(chooser)),
        most_frames=most,
    )


def fit_to_hours(plan: Plan, hours: float, frames_per_second: float) -> Comparison:
    """The comparison with as many frames a pretraining as fill the hours, never more than `most_frames`; checked.

    Raises:
        UserError: the hours are too few to compare anything.
    """
    drawn = plan.comparison.steps * plan.comparison.batch
    fixed = replace(plan, comparison=replace(plan.comparison, frames=0)).frames()
    per_frame = (plan.frames() - fixed) / max(1, drawn)
    affordable = (hours * 3600 * frames_per_second - fixed) / max(per_frame, 1e-9)
    frames = int(max(1, min(affordable, plan.most_frames)))
    result = replace(plan.comparison, frames=frames, name=f"{plan.comparison.name}-{hours:g}h")
    result.check()
    return result


def stored_comparison(cells: Path, plan: Plan, hours: float, frames_per_second: float, digest: str) -> Comparison:
    """The comparison for given hours; measured by the first call and stored, so that its cells can be reused.

    Calls with other methods, seeds or fine-tunings measure their own.
    """
    decides = {
        "methods": sorted(plan.methods),
        "seeds": len(plan.seeds),
        "finetuned": sorted(plan.finetunings.shares),
        "data": digest,
    }
    kept = cells / f"frames-{plan.comparison.name}-{hours:g}h-{key_of(decides)}.json"

    def measure() -> dict[str, Any]:
        return {"frames": fit_to_hours(plan, hours, frames_per_second).frames, "decided_by": decides}

    frames = measured_once(kept, measure, ("frames",))["frames"]
    return replace(plan.comparison, frames=frames, name=f"{plan.comparison.name}-{hours:g}h")
