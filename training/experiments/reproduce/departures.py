"""Where a budget's trainings are not the paper's, in words: printed under every table that they make."""

from collections.abc import Mapping
from typing import Any

from training.experiments.reproduce.budgets import Budget
from training.experiments.reproduce.tables import Paper
from training.finetuning.config import finetune_config
from training.pretraining.config import pretrain_config

TOLD_ELSEWHERE = frozenset({"preset", "backbone", "input_size", "steps", "step_every", "epochs", "minutes"})
"""Settings that the table says already, or that only follow from the number of steps."""
NO_MATTER = frozenset(
    {"workers", "checkpoints_kept", "close_ups", "max_frames", "max_normal_per_study", "warmup_share", "step_factor"}
)
"""Settings that change no figure of a cross-validation (it has no boxes, and thins its frames itself), or only together
with one that is listed."""
NOWHERE: dict[str, Any] = {"studies": "-", "labels": "-", "out": "-"}


def departures(budget: Budget, paper: Paper, has_pretraining: bool) -> str:
    """Every setting that differs from the paper's, with the paper's in brackets; empty where none does."""
    parts = []
    if has_pretraining:
        pretrain = pretrain_config(**NOWHERE, preset="paper", **budget.pretrain).model_dump()
        parts.append(("pretraining", _changed(pretrain, pretrain_config(**NOWHERE).model_dump())))
    size = {} if budget.batch_size is None else {"batch_size": budget.batch_size}
    finetune = finetune_config(**NOWHERE, preset=budget.presets[paper], **size, **budget.finetune).model_dump()
    parts.append(("finetuning", _changed(finetune, finetune_config(**NOWHERE, preset=paper).model_dump())))
    said = "; ".join(f"{what} with {changed}" for what, changed in parts if changed)
    if not said:
        return ""
    return f"Settings that differ from the paper's (in brackets), unless a row names its own: {said}."


def _changed(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    silent = TOLD_ELSEWHERE | NO_MATTER | ({"momentum"} if ours["optimizer"] == "adamw" else set())
    odd = [name for name, value in ours.items() if name not in silent and value != theirs[name]]
    return ", ".join(f"{name} {_number(ours[name])} ({_number(theirs[name])})" for name in odd)


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
