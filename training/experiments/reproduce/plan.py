"""The cost of a table, and the number of steps that fit into given hours.

The first call measures those steps, and they are kept for the calls that continue its trainings.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.experiments.engine import ONLY_A_TRIAL, counted, measured_once
from training.experiments.reproduce.budgets import PASCUAL_STEPS, Budget, scaled
from training.experiments.reproduce.tables import Row, Table

SCORING_COST = 1 / 3
"""Cost of scoring a frame, in training frames: no backward pass."""
OVERHEAD = 1.15
"""Reading, augmentation, start and end of trainings."""


@dataclass(frozen=True)
class Plan:
    """The trainings of a table."""

    table: Table
    budget: Budget
    rows: tuple[Row, ...]
    """Rows that are trained."""
    seeds: tuple[int, ...]

    @property
    def pretrainings(self) -> int:
        """Different pretrainings of each seed."""
        return len({repr((row.training.pretrain, row.training.start, dict(row.training.pretrain_settings)))
                    for row in self.rows if row.training and row.training.pretrain})  # fmt: skip

    @property
    def finetunings(self) -> int:
        """Trainings of folds, of all seeds."""
        return len(self.rows) * self.budget.folds * len(self.seeds)

    def images(self) -> float:
        """Training images, plus scored images weighted by their cost."""
        budget = self.budget
        a_batch = int(budget.pretrain.get("sequence_length", 72)) * int(budget.pretrain.get("sequences", 1))
        pretraining = self.pretrainings * len(self.seeds) * budget.pretrain_steps * a_batch
        finetuning = self.finetunings * (budget.finetune_steps or PASCUAL_STEPS) * (budget.batch_size or 64)
        scored = len(self.rows) * len(self.seeds) * budget.phantom.patients * budget.phantom.frames
        return OVERHEAD * (pretraining + finetuning + SCORING_COST * scored)

    def seconds(self, images_per_second: float) -> float:
        """Estimated duration."""
        return self.images() / images_per_second

    def sentences(self, images_per_second: float | None) -> list[str]:
        """A description, shown before the start."""
        budget = self.budget
        steps = f"{budget.finetune_steps:,} steps" if budget.finetune_steps else "the preset's number of steps"
        sentences = [
            f"{self.table.title}: {len(self.rows)} rows to train, {budget.folds} folds, "
            f"{counted(len(self.seeds), 'repeat')} (seeds {', '.join(map(str, self.seeds))}).",
            f"Each fine-tuning takes {steps}, each pretraining {budget.pretrain_steps:,}; {budget.backbone} at "
            f"{budget.input_size} x {budget.input_size} px.",
        ]
        if not budget.is_comparison:
            sentences.append(ONLY_A_TRIAL)
        if images_per_second:
            minutes = self.seconds(images_per_second) / 60
            sentences.append(
                f"About {minutes:,.0f} minutes at {images_per_second:,.0f} images per second on this device."
            )
        return sentences


def fit_to_hours(plan: Plan, hours: float, images_per_second: float) -> Plan:
    """The same plan with the steps that fill the hours, between 200 and the paper's.

    Raises:
        UserError: not even the fewest steps fit.
    """
    wanted = hours * 3600 * images_per_second / plan.images()
    try:
        return Plan(plan.table, scaled(plan.budget, wanted), plan.rows, plan.seeds)
    except UserError as error:
        raise UserError(
            f"{hours:g} hours are too few for {plan.table.name} on this device. {error.message}", error.hint
        ) from error


def absence(row: Row, *, weights_there: bool, can_pretrain: bool) -> str:
    """Why a row has no figure of ours; empty where it is trained."""
    if row.training is None:
        return "not implemented"
    if row.training.start == "imagenet" and not weights_there:
        return "weights absent"
    if row.training.pretrain and not can_pretrain:
        return "no videos to pretrain on"
    return ""


def settled(out: Path, plan: Plan, hours: float, images_per_second: float, digest: str) -> Budget:
    """The plan's budget with its steps for so many hours.

    A second call would measure another speed; with other steps the trainings that are there would not be its own.

    Args:
        out: folder of the results.
        plan: with the budget's own steps.
        hours: for all of the table.
        images_per_second: measured now; used by the first call only.
        digest: of the data.

    Raises:
        UserError: the hours are too few to compare anything, or the folder cannot be written.
    """
    name = f"{plan.budget.name}-{hours:g}h"
    kept = out / "cells" / f"steps-{plan.table.name}-{name}-{len(plan.seeds)}-{digest}.json"
    names = ("pretrain_steps", "finetune_steps")

    def measure() -> dict[str, Any]:
        budget = fit_to_hours(plan, hours, images_per_second).budget
        return {name: getattr(budget, name) for name in names}

    steps = measured_once(kept, measure, names)
    return replace(
        plan.budget, name=name, pretrain_steps=steps["pretrain_steps"], finetune_steps=steps["finetune_steps"]
    )
