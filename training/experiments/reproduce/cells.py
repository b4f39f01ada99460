"""One cell: one row trained with one seed, kept under the digest of all that decides it, and never done twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.experiments.engine import FEWEST_STEPS, Cells, refuse_short
from training.experiments.reproduce.budgets import PROTOCOL, Budget, finetune_settings
from training.experiments.reproduce.data import TableData
from training.experiments.reproduce.tables import Paper, Training
from training.pretraining.config import RATE_FALLS, PretrainConfig
from training.runs.reporter import Cancelled, Reporter

Job = Callable[[Mapping[str, Any], Reporter], dict[str, Any]]
"""Fields of a command's config, reporter -> its result."""


ANY_FINDING = "finding"
"""Name of the one class of binary tables where the data have several kinds."""


@dataclass(frozen=True)
class Engine:
    """What cells are made with; tests put quick ones in."""

    pretrain: Job
    evaluate: Job
    checks: "Engine | None" = None
    """Does not train, and raises `UserError` where a pretraining could not draw a batch."""


def real_engine() -> Engine:
    """The commands `pretrain` and `evaluate`; imports torch."""
    from training.evaluation.cross_validation import check_pretrainings, cross_validate
    from training.evaluation.evaluate_config import EvaluateConfig
    from training.experiments.benchmark.pretraining import check_pretrain, real_pretrain

    return Engine(
        real_pretrain,
        lambda fields, reporter: cross_validate(EvaluateConfig.checked(**fields), reporter),
        Engine(check_pretrain, lambda fields, reporter: check_pretrainings(EvaluateConfig.checked(**fields), reporter)),
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
    fields = evaluate_fields(setting, training, seed)
    start: dict[str, Any] = {"init": training.start}
    if training.pretrain:
        pretraining = pretrain_fields(setting, training, seed)
        if setting.data.outside is None:  # in each fold, on its training patients
            own = {name: value for name, value in pretraining.items() if name not in ("preset", "method", "seed")}
            own |= setting.weights if training.start == "imagenet" else {}
            start = {
                "init": "random",
                "pretrain": training.pretrain,
                "pretrain_preset": "paper",
                "pretrain_settings": own,
            }
        else:
            start = {"init": str(_pretrained(setting, pretraining, engine, reporter))}
    decides = {**fields, **start, "data": setting.data.digest, "protocol": PROTOCOL}
    if training.pretrain and setting.data.outside is not None:
        decides["init"] = Path(start["init"]).parent.name  # the pretraining's own key, wherever the cells lie
    settings = {**fields["settings"], **(setting.weights if training.start == "imagenet" else {})}

    def compute(place: Path) -> dict[str, Any]:
        asked = dict(start)
        if "pretrain_settings" in start:  # without those that a budget has for other methods
            known = PretrainConfig.known({**start["pretrain_settings"], "method": training.pretrain})
            asked["pretrain_settings"] = {name: value for name, value in known.items() if name != "method"}
        report = engine.evaluate(
            {
                **fields,
                **asked,
                **setting.data.evaluate,
                "settings": settings,
                **setting.computing,
                "out": place / "report",
                "resume": (place / "report").is_dir(),
            },
            reporter,
        )
        if not report.get("finished", True):
            raise Cancelled
        if setting.budget.is_comparison:  # where a preset gives epochs, the number of steps depends on the data
            hint = "The preset's epochs are too short for so few labels: add labels, or use --budget small."
            refuse_short(min(report.get("steps", ()), default=FEWEST_STEPS), "per training", hint)
        return report

    return setting.cells.cell(training.method, decides, compute)


def cannot_pretrain(setting: Setting, training: Training, seed: int, engine: Engine, reporter: Reporter) -> str:
    """Why a row's pretraining could not begin; empty where it can, where it is kept, and where there is none."""
    if training.pretrain and engine.checks is not None:
        try:
            run_cell(setting, training, seed, engine.checks, reporter)
        except UserError as error:
            return error.message
        except Cancelled:
            pass
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
        given = {
            **fields,
            **(setting.weights if fields["init"] == "imagenet" else {}),
            **setting.computing,
            "studies": setting.data.outside,
            "held_out_patients": setting.data.labelled_patients,
            "out": place / "run",
            "resume": (place / "run").is_dir(),
        }
        result = engine.pretrain(given, reporter)
        if not result.get("finished", True):
            raise Cancelled
        return result

    setting.cells.cell(name, decides, compute)
    return setting.cells.place(name, decides) / "run"
