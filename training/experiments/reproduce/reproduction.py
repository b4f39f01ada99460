"""A reproduction from settings to a printed table: what is planned, trained, compared and written, in that order."""

from dataclasses import replace
from typing import Any

from training.errors import UserError
from training.experiments.engine import NOT_REACHED, Cells, Runner, images_per_second
from training.experiments.reproduce.budgets import BUDGETS, Budget, of_table
from training.experiments.reproduce.cells import Engine, Setting, real_engine, run_cell
from training.experiments.reproduce.data import TableData, images_data, phantom_data, studies_data
from training.experiments.reproduce.outcome import Outcome, check_results, result_names
from training.experiments.reproduce.plan import Plan, absence, settled
from training.experiments.reproduce.published import find_table, published_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.tables import Table, planned_rows
from training.models.backbones import has_imagenet_weights
from training.runs.reporter import Reporter

Reports = dict[str, list[dict[str, Any]]]


def reproduce(config: ReproduceConfig, reporter: Reporter, engine: Engine | None = None) -> dict[str, Any]:
    """Compute a table and write it beside the trainings. Each is kept: the same call continues where it stopped.

    A stop ends after the running training; the table is printed with what there is.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json and csv (paths).

    Raises:
        UserError: unusable input, or too few steps to compare anything.
        Cancelled: as the reporter asked.
    """
    table = find_table(config.table)
    budget = of_table(BUDGETS[config.budget], table)
    published = published_figures(config.published)
    budget.check()
    weights_there = _weights_there(config, budget, reporter)
    rows = planned_rows(table, weights_there=weights_there)
    data = _data(config, budget, table, reporter)
    check_results(config.out, result_names(table.name, budget.name, data.digest), overwrite=config.overwrite)
    absent = {
        row.name: absence(row, weights_there=weights_there, can_pretrain=data.can_pretrain) or NOT_REACHED
        for row in rows
    }
    trained = tuple(row for row in rows if absent[row.name] == NOT_REACHED)
    plan = Plan(table, budget, trained, tuple(range(config.seed, config.seed + (config.seeds or budget.seeds))))
    plan = _announced(config, plan, data, reporter)
    cells = Cells(config.out / "cells", config.device, config.threads)
    # A folder of the person's own is named, the usual one goes without saying.
    named = {"weights_cache": str(config.weights_cache)} if "weights_cache" in config.model_fields_set else {}
    weights = {"download": config.download, **named}
    setting = Setting(table.paper, plan.budget, data, cells, weights, is_binary=table.is_binary)
    reports, failed = _trained(setting, plan, engine or real_engine(), reporter)
    absent |= {name: f"failed: {sentence}" for name, sentence in failed.items() if name not in reports}
    printed = Outcome(plan, data, rows, reports, absent, published).printed()
    finished = all(len(reports.get(row.name, ())) == len(plan.seeds) for row in plan.rows)
    result = printed.write(config.out, data.digest, finished=finished, overwrite=config.overwrite)
    return {**result, "budget": budget.name}


def _trained(setting: Setting, plan: Plan, engine: Engine, reporter: Reporter) -> tuple[Reports, dict[str, str]]:
    """Row -> reports, and row -> why a training of it could not be done (a loss that diverged).

    Seed by seed, so that a stop leaves whole comparisons; what it did not reach is missing.

    Raises:
        UserError: no row at all could be trained: the first row's reason.
        Cancelled: as the reporter asked.
    """
    trainings = {row.name: row.training for row in plan.rows if row.training is not None}
    runner: Runner[tuple[int, str], dict[str, Any]] = Runner(reporter, "rows", plan.table.name)
    results = runner.run(
        [(seed, name) for seed in plan.seeds for name in trainings],
        lambda key: run_cell(setting, trainings[key[1]], key[0], engine, reporter),
        lambda key: f"{plan.table.name}: {key[1]}, seed {key[0]}",
        announce=True,
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
