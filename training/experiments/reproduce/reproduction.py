"""A reproduction from settings to a printed table: what is planned, trained, compared and written, in that order.

The steps that fit into given hours are measured by the first call and kept for those that continue its trainings.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.experiments.engine import (
    NOT_REACHED,
    ONLY_A_TRIAL,
    Cells,
    Runner,
    counted,
    images_per_second,
    measured_once,
)
from training.experiments.reproduce.budgets import BUDGETS, PASCUAL_STEPS, Budget, of_table, scaled
from training.experiments.reproduce.cells import (
    Engine,
    Setting,
    cannot_pretrain,
    real_engine,
    run_cell,
    shared_pretraining,
)
from training.experiments.reproduce.data import TableData, images_data, phantom_data, studies_data
from training.experiments.reproduce.outcome import Outcome, check_results, result_names
from training.experiments.reproduce.pages import laiz
from training.experiments.reproduce.published import find_table, published_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.tables import Row, Table, planned_rows
from training.models.backbones import has_imagenet_weights
from training.runs.reporter import Reporter

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
    """The plan's budget with its steps for so many hours, by the speed that the first call measured.

    A second call would measure another speed; with other steps the trainings that are there would not be its own.

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


Reports = dict[str, list[dict[str, Any]]]


def reproduce(config: ReproduceConfig, reporter: Reporter, engine: Engine | None = None) -> dict[str, Any]:
    """Compute a table and write it beside the trainings. Each is kept: the same call continues where it stopped.

    A stop ends after the running training; the table is printed with what there is.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json and csv (paths).
    """
    table = find_table(config.table)
    budget = of_table(BUDGETS[config.budget], table)
    published = published_figures(config.published)
    budget.check()
    weights_there = _weights_there(config, budget, reporter)
    rows = planned_rows(table, weights_there=weights_there)
    data = _data(config, budget, table, reporter)
    if table.counts_findings and not data.has_findings:
        raise UserError(
            f"{table.name} counts findings, and these labels name none.",
            "Use the phantom, or studies whose labels have a finding_id.",
        )
    check_results(config.out, result_names(table.name, budget.name, data.digest), overwrite=config.overwrite)
    cells = Cells(config.out / "cells", config.device, config.threads)
    # A folder of the person's own is named, the usual one goes without saying.
    named = {"weights_cache": str(config.weights_cache)} if "weights_cache" in config.model_fields_set else {}
    weights = {"download": config.download, **named}
    setting = Setting(table.paper, budget, data, cells, weights, is_binary=table.is_binary)
    engine = engine or real_engine()
    absent = {
        row.name: absence(row, weights_there=weights_there, can_pretrain=data.can_pretrain)
        or (row.training and cannot_pretrain(setting, row.training, config.seed, engine, reporter))
        or NOT_REACHED
        for row in rows
    }
    trained = tuple(row for row in rows if absent[row.name] == NOT_REACHED)
    plan = Plan(table, budget, trained, tuple(range(config.seed, config.seed + (config.seeds or budget.seeds))))
    plan = _announced(config, plan, data, reporter)
    for row in rows:
        if row.training and absent[row.name] != NOT_REACHED:
            reporter.log(f"{row.name} is left out: {absent[row.name]}")
    setting = replace(setting, budget=plan.budget)
    reports, failed = _trained(setting, plan, engine, reporter)
    absent |= {name: f"failed: {sentence}" for name, sentence in failed.items() if name not in reports}
    outcome = Outcome(plan, data, rows, reports, absent, published, cells.machine)
    finished = all(len(reports.get(row.name, ())) == len(plan.seeds) for row in plan.rows)
    drawn = partial(laiz.figures, table, reports, outcome.measured, published)
    result = outcome.printed().write(
        config.out, data.digest, finished=finished, overwrite=config.overwrite, figures=drawn
    )
    return {**result, "budget": budget.name}


def _trained(setting: Setting, plan: Plan, engine: Engine, reporter: Reporter) -> tuple[Reports, dict[str, str]]:
    """Row -> reports, and row -> why a training of it could not be done (a loss that diverged).

    Seed by seed, so that a stop leaves whole comparisons; what it did not reach is missing.

    Raises:
        UserError: no row at all could be trained: the first row's reason.
    """
    trainings = {row.name: row.training for row in plan.rows if row.training is not None}
    runner: Runner[tuple[int, str], dict[str, Any]] = Runner(reporter, "rows", plan.table.name)
    results = runner.run(
        [(seed, name) for seed in plan.seeds for name in trainings],
        lambda key: run_cell(setting, trainings[key[1]], key[0], engine, reporter),
        lambda key: f"{plan.table.name}: {key[1]}, seed {key[0]}",
        announce=True,
        group=lambda key: shared_pretraining(setting, trainings[key[1]], key[0]) or key,
    )
    reports: Reports = {}
    for (_, name), report in results.items():
        reports.setdefault(name, []).append(report)
    return reports, {name: sentence for (_, name), sentence in runner.failed.items()}


def _weights_there(config: ReproduceConfig, budget: Budget, reporter: Reporter) -> bool:
    """Whether ImageNet weights are at hand; fetches them where the person agreed to that."""
    if not config.download and not has_imagenet_weights(budget.backbone, config.weights_cache):
        return False

    from training.models.imagenet import imagenet_state

    try:
        imagenet_state(budget.backbone, config.weights_cache, download_consented=config.download, reporter=reporter)
    except UserError:
        if config.download:
            raise
        return False
    return True


def _data(config: ReproduceConfig, budget: Budget, table: Table, reporter: Reporter) -> TableData:
    if config.phantom:
        return phantom_data(budget.phantom, config.cache, reporter, is_binary=table.is_binary)
    assert config.labels is not None  # checked by the command
    if config.studies is not None:
        return studies_data(config.studies, config.labels, config.pretrain_studies, config.classes, config.out)
    assert config.images is not None
    shown = {"classes": config.classes, "split": config.split, "normal_label": config.normal_label}
    return images_data(config.images, config.labels, config.pretrain_studies, shown)


def _announced(config: ReproduceConfig, plan: Plan, data: TableData, reporter: Reporter) -> Plan:
    """The plan with its final number of steps; logs it and its cost."""
    if not plan.rows:
        reporter.log(f"No row of {plan.table.name} can be trained here.")
        return plan
    pace = None
    if plan.budget.is_comparison or config.hours:
        network = plan.budget.backbone, plan.budget.input_size, plan.budget.batch_size or 64
        pace = images_per_second(*network, config.device, config.threads, reporter)
    if config.hours and pace:
        plan = replace(plan, budget=settled(config.out, plan, config.hours, pace, data.digest))
    for line in (*plan.sentences(pace), f"Data: {data.sentence}.", *plan.table.notes):
        reporter.log(line)
    return plan
