"""The steps that fill the hours given: measured by the first call, and kept for those that continue its trainings."""

from dataclasses import replace
from pathlib import Path

from training.errors import UserError
from training.experiments.reproduce.budgets import Budget
from training.experiments.reproduce.plan import Plan, fit_to_hours
from training.files.json_text import read_json_object
from training.runs.folder import write_json


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
    try:
        steps = read_json_object(kept)
        pretrain, finetune = int(steps["pretrain_steps"]), int(steps["finetune_steps"])
    except (UserError, ValueError, KeyError, TypeError):  # none yet, or damaged: measured again
        budget = fit_to_hours(plan, hours, images_per_second).budget
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_json(kept, {"pretrain_steps": budget.pretrain_steps, "finetune_steps": budget.finetune_steps})
    else:
        budget = replace(plan.budget, pretrain_steps=pretrain, finetune_steps=finetune)
    return replace(budget, name=name)
