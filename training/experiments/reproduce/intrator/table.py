"""A table of Intrator et al. 2023 on the phantom: encoders trained once and kept, the paper's figures beside ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.experiments.engine import NOTHING, ONLY_A_TRIAL, counted
from training.experiments.reproduce.intrator.cells import IntratorSetting, classifier_cell, trained_cell, untrained_cell
from training.experiments.reproduce.intrator.page import page
from training.experiments.reproduce.intrator.rows import (
    CHANCE,
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    PROTOCOL,
    TITLE,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.intrator.values import Values, is_trained
from training.experiments.reproduce.outcome import PrintedTable, check_results, result_names
from training.experiments.reproduce.phantom_set import rendered
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.published import Figures, published_figures, sources_of
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.files.written import WrittenFiles
from training.runs.reporter import Reporter

SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."


def reproduce_intrator(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; all tables share the trainings, which are kept.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json, csv and page (paths).

    Raises:
        UserError: unusable input, or a loss that is not finite.
        Cancelled: as the reporter asked, or a stop before the first training was done.
    """
    table, budget = INTRATOR_TABLES[config.table], INTRATOR_BUDGETS[config.budget]
    names = result_names(table.name, budget.name, budget.phantom.key)
    check_results(config.out, (*names, page_name(config)), overwrite=config.overwrite)
    setting = IntratorSetting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
    untrained = untrained_cell(setting)
    trained = setting.run(
        setting.seeds,
        lambda seed: trained_cell(setting, seed),
        lambda seed: f"Encoders of re-identification, seed {seed}",
    )
    classifiers = setting.run(
        setting.seeds if table.kind == "votes" else (),
        lambda seed: classifier_cell(setting, seed),
        lambda seed: f"Classifier of single frames, seed {seed}",
    )
    values = Values(table, untrained, trained, classifiers)
    published = published_figures(config.published)
    printed = PrintedTable(
        TITLE,
        PROTOCOL,
        table,
        budget.name,
        budget.is_comparison,
        budget.phantom.sentence,
        table_lines(setting, values, published),
        [*_notes(setting, table, untrained, len(trained)), *sources_of(published, table.name)],
        more={"cells": {"untrained": untrained, "trained": trained, "classifiers": classifiers}},
    )
    finished = len(trained) == len(setting.seeds) and len(classifiers) in (0, len(setting.seeds))
    result = printed.write(config.out, budget.phantom.key, finished=finished, overwrite=config.overwrite)
    return {**result, "page": str(_write_page(setting, values, printed.notes))}


def page_name(config: ReproduceConfig) -> str:
    """Name of the page with the figures of a table."""
    as_json, _ = result_names(config.table, config.budget, INTRATOR_BUDGETS[config.budget].phantom.key)
    return f"{as_json.removesuffix('.json')}.html"


def table_lines(setting: IntratorSetting, values: Values, published: Figures) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    table = values.table
    made: list[tuple[str, ...]] = []
    for row in rows_of(table, weights_there=setting.starts_from_imagenet):
        seeds = values.seeds_of(row)
        steps = NOTHING
        if seeds and is_trained(row.key):
            steps = " + ".join(f"{step:,}" for step in values.trained[0]["steps"])
        for figure in (*table.figures, *(() if row.key == CHANCE else table.ours)):
            known = None if row.is_ours else published.get((table.name, row.name, figure))
            paper, said = known.text if known else NOTHING, str(seeds) if seeds else NOTHING
            ours = values.text(row, figure)
            made.append((row.name, figure, paper, ours, said, steps, setting.budget.phantom.sentence))
    return made


def _notes(setting: IntratorSetting, table: IntratorTable, untrained: Cell, seeds: int) -> list[str]:
    """Sentences under the table."""
    budget, training, is_same = setting.budget, untrained["training"], untrained["is_same"]
    sentences = [] if budget.is_comparison else [ONLY_A_TRIAL]
    batch = min(budget.encoders.procedures, training["procedures"])
    sentences += [
        f"Evaluated on {len(is_same):,} pairs, {sum(is_same):,} of them of the same finding, of "
        f"{len(untrained['procedures']):,} tracklets of {len(set(untrained['procedures']))} procedures "
        "(paper: 600 pairs, 252 of the same).",
        f"Trained on {training['tracklets']:,} tracklets ({training['frames']:,} frames) of {training['procedures']} "
        f"procedures of other patients (paper: 15,465 tracklets), {batch} in a batch; {counted(seeds, 'seed')}, "
        f"budget {budget.name}.",
        "Steps: of the single-frame encoder + of the multi-view encoder, which goes on from its weights.",
        SPREAD,
        *table.notes,
        *departures(budget),
        "The phantom's polyps stand for those of the paper's colonoscopies.",
    ]
    return sentences


def _write_page(setting: IntratorSetting, values: Values, notes: Sequence[str]) -> Path:
    """The figures beside the table; returns the page's path."""
    out, name = setting.config.out, page_name(setting.config)
    written = WrittenFiles(out, "reproduction")
    written.check([name], overwrite=setting.config.overwrite)
    made = page(values, values.table.title, setting.budget.phantom.sentence, notes)
    with written.writing(name) as beside:
        beside.write_text(made, encoding="utf-8")
    return out / name
