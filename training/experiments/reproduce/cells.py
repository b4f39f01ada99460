"""One cell: one row trained with one seed, kept under the digest of all that decides it, and never done twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.experiments.engine import FEWEST_STEPS, Cells, refuse_short
from training.experiments.reproduce.budgets import PROTOCOL, Budget, finetune_settings
from training.experiments.reproduce.data import TableData
from training.experiments.reproduce.tables import Paper, Training
from training.pretraining.config import RATE_FALLS, PretrainConfig, stored_config
from training.runs.reporter import Cancelled, Reporter
from training.tasks import parts

Job = Callable[[Mapping[str, Any], Reporter], dict[str, Any]]
"""Fields of a command's config, reporter -> its result."""
Check = Callable[[Mapping[str, Any], Reporter], object]
"""The same fields, reporter; only what it raises counts."""


NO_FOLDER = Path("-")
"""Output of what is only checked."""
ANY_FINDING = "finding"
"""Name of the one class of binary tables where the data have several kinds."""


@dataclass(frozen=True)
class Engine:
    """What cells are made with; tests put quick ones in."""

    pretrain: Job
    evaluate: Job
    check_pretrain: Check
    check_evaluate: Check
    """Raise `UserError` where a pretraining, or that of a fold, could not draw a batch."""


def real_engine() -> Engine:
    """The commands `pretrain` and `evaluate`; imports torch."""
    from training.evaluation.cross_validation import check_pretrainings, cross_validate
    from training.evaluation.evaluate_config import EvaluateConfig
    from training.experiments.benchmark.pretraining import real_pretrain
    from training.pretraining.studies import pretrain_studies

    return Engine(
        real_pretrain,
        lambda fields, reporter: cross_validate(EvaluateConfig.checked(**fields), reporter),
        lambda fields, reporter: pretrain_studies(stored_config(fields), reporter),
        lambda fields, reporter: check_pretrainings(EvaluateConfig.checked(**fields), reporter),
    )


@dataclass(frozen=True)
class Setting:
    """What all cells of a table share."""

    paper: Paper
    budget: Budget
    data: TableData
    cells: Cells
    """Tables share them, so what two tables have in common is trained once."""
    weights: Mapping[str, Any]
    """Where ImageNet weights are; not part of a key either."""
    is_binary: bool = True
    """Whether findings of all kinds are one class."""

    @property
    def computing(self) -> dict[str, Any]:
        """What each training computes on; part of every cell's key."""
        return {"device": self.cells.device, "threads": self.cells.threads}


def pretrain_fields(setting: Setting, training: Training, seed: int) -> dict[str, Any]:
    """Fields of `PretrainConfig` that decide a pretraining; neither its place nor the device."""
    budget = setting.budget
    return {
        "preset": "paper",
        "method": training.pretrain,
        "init": training.start,
        "backbone": budget.backbone,
        "input_size": budget.input_size,
        "steps": budget.pretrain_steps,
        "step_every": max(1, round(budget.pretrain_steps * RATE_FALLS)),
        **budget.pretrain,
        **budget.of_method.get(training.pretrain, {}),
        **training.pretrain_settings,
        "seed": seed,
    }


def evaluate_fields(setting: Setting, training: Training, seed: int) -> dict[str, Any]:
    """Fields of `EvaluateConfig` that decide a cross-validation; neither data nor start, place nor device."""
    budget = setting.budget
    # A preset whose rate falls in steps keeps its shape when the steps are fewer: three equal parts, as in Pascual 4.2.
    course = {"step_every": max(1, round(budget.finetune_steps / 3))} if budget.finetune_steps else {}
    return {
        "method": training.method,
        "preset": budget.presets[setting.paper],
        "backbone": budget.backbone,
        "input_size": budget.input_size,
        "steps": budget.finetune_steps,
        "batch_size": budget.batch_size,
        "settings": {**course, **finetune_settings(budget, setting.paper, training.method), **training.settings},
        "folds": budget.folds,
        "fold_seed": 0,  # the same folds whatever the seed: rows and seeds are compared on the same patients
        "seeds": 1,
        "seed": seed,
        "normal_per_study": budget.normal_per_study,
        "shown": 0,
        "imbalance": training.imbalance,
        "merged_class": ANY_FINDING if setting.is_binary else "",
    }


def run_cell(setting: Setting, training: Training, seed: int, engine: Engine, reporter: Reporter) -> dict[str, Any]:
    """The report of one row with one seed: from the cells' folder, else made now.

    Raises:
        Cancelled: as the reporter asked, or a stop before the cell was done; what is done in it is resumed next time.
    """
    fields, start = evaluate_fields(setting, training, seed), _start(setting, training, seed)
    decides = {**fields, **start, "data": setting.data.digest, "protocol": PROTOCOL}
    if training.pretrain and setting.data.outside is not None:
        run = _pretrained(setting, pretrain_fields(setting, training, seed), engine, reporter)
        start = {"init": str(run)}
        decides["init"] = run.parent.name  # the pretraining's own key, wherever the cells lie

    def compute(place: Path) -> dict[str, Any]:
        report = engine.evaluate(_asked(setting, training, fields, start, place / "report"), reporter)
        if not report.get("finished", True):
            raise Cancelled
        if setting.budget.is_comparison:  # where a preset gives epochs, the number of steps depends on the data
            hint = "The preset's epochs are too short for so few labels: add labels, or use --budget small."
            refuse_short(min(report.get("steps", ()), default=FEWEST_STEPS), "per training", hint)
        return report

    return setting.cells.cell(training.method, decides, compute)


def _start(setting: Setting, training: Training, seed: int) -> dict[str, Any]:
    """Fields of `EvaluateConfig` that say what folds start from, but for a pretraining on outside studies."""
    if not training.pretrain or setting.data.outside is not None:
        return {"init": training.start}
    pretraining = pretrain_fields(setting, training, seed)
    own = {name: value for name, value in pretraining.items() if name not in ("preset", "method", "seed")}
    own |= setting.weights if training.start == "imagenet" else {}
    return {"init": "random", "pretrain": training.pretrain, "pretrain_preset": "paper", "pretrain_settings": own}


def _asked(
    setting: Setting, training: Training, fields: Mapping[str, Any], start: Mapping[str, Any], out: Path
) -> dict[str, Any]:
    """All fields of `EvaluateConfig`; see `evaluate_fields` and `_start`."""
    asked = dict(start)
    if "pretrain_settings" in start:  # without those that a budget has for other methods
        known = PretrainConfig.known({**start["pretrain_settings"], "method": training.pretrain})
        asked["pretrain_settings"] = {name: value for name, value in known.items() if name != "method"}
    return {
        **fields,
        **asked,
        **setting.data.evaluate,
        "settings": {**fields["settings"], **(setting.weights if training.start == "imagenet" else {})},
        **setting.computing,
        "out": out,
        "resume": out.is_dir(),
    }


def cannot_pretrain(setting: Setting, training: Training, seed: int, engine: Engine, reporter: Reporter) -> str:
    """Why a row's pretraining could not begin; empty where it can, where it is kept, and where there is none."""
    if not training.pretrain or parts.kept_or_none(partial(run_cell, setting, training, seed, engine, reporter)):
        return ""
    try:
        if setting.data.outside is None:
            fields, start = evaluate_fields(setting, training, seed), _start(setting, training, seed)
            engine.check_evaluate(_asked(setting, training, fields, start, NO_FOLDER), reporter)
        else:
            given = _outside_fields(setting, pretrain_fields(setting, training, seed), NO_FOLDER)
            engine.check_pretrain(given, reporter)
    except UserError as error:
        return error.message
    return ""


def shared_pretraining(setting: Setting, training: Training, seed: int) -> str:
    """What rows have in common that start from the same pretraining on outside studies; empty for others."""
    if not training.pretrain or setting.data.outside is None:
        return ""
    return repr(pretrain_fields(setting, training, seed))


def _pretrained(setting: Setting, fields: Mapping[str, Any], engine: Engine, reporter: Reporter) -> Path:
    """The run folder of a pretraining on the outside studies, finished."""
    decides = {**fields, "data": setting.data.digest, "protocol": PROTOCOL}
    name = f"pretrain-{fields['method']}"

    def compute(place: Path) -> dict[str, Any]:
        result = engine.pretrain(_outside_fields(setting, fields, place / "run"), reporter)
        if not result.get("finished", True):
            raise Cancelled
        return result

    setting.cells.cell(name, decides, compute)
    return setting.cells.place(name, decides) / "run"


def _outside_fields(setting: Setting, fields: Mapping[str, Any], run: Path) -> dict[str, Any]:
    """All fields of `PretrainConfig`, for a pretraining on the outside studies."""
    return {
        **fields,
        **(setting.weights if fields["init"] == "imagenet" else {}),
        **setting.computing,
        "studies": setting.data.outside,
        "held_out_patients": setting.data.labelled_patients,
        "out": run,
        "resume": run.is_dir(),
    }
