"""A table of Intrator et al. 2023: encoders trained once and kept, the paper's figures beside ours.

A page beside the table shows supplementary figures 3 to 6.
"""

from functools import partial
from typing import Any

import numpy as np

from training.errors import UserError
from training.experiments.engine import NOTHING, ONLY_A_TRIAL, counted, machine_sentence
from training.experiments.reproduce import intrator_rows, intrator_values, reproduce_config
from training.experiments.reproduce.data import RenderedPhantom, rendered
from training.experiments.reproduce.intrator_cells import (
    IntratorSetting,
    classifier_cell,
    shown_folder,
    trained_cell,
    untrained_cell,
)
from training.experiments.reproduce.intrator_studies import StudiesSetting, studies_key
from training.experiments.reproduce.outcome import PrintedTable, check_results, result_names
from training.experiments.reproduce.pages import intrator
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.published import Figures, paper_text, published_figures, sources_of
from training.reidentification.matching import check_both_kinds
from training.runs.reporter import Reporter

SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."


def reproduce_intrator(config: reproduce_config.ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; all tables share the trainings, which are kept.

    What is returned and raised is that of `reproduction.reproduce`.
    """
    table, budget = intrator_rows.INTRATOR_TABLES[config.table], intrator_rows.INTRATOR_BUDGETS[config.budget]
    key = studies_key(config) or budget.phantom.key
    names = result_names(table.name, budget.name, key)
    check_results(config.out, names, overwrite=config.overwrite)
    setting = _setting(config, budget, reporter)
    untrained = setting.compared(untrained_cell(setting))
    check_both_kinds(np.array(untrained["is_same"], np.bool_))
    if setting.has_classes and len(set(untrained["is_positive"])) < 2:
        raise UserError(
            "The {count} evaluated tracklets are not of two kinds, adenomas and others.",
            "Give the classes, or the histologies in findings.csv, that some findings have and others do not.",
            len(untrained["is_positive"]),
        )
    trained = setting.run(
        setting.seeds,
        lambda seed: setting.compared(trained_cell(setting, seed)),
        lambda seed: f"Encoders of re-identification, seed {seed}",
    )
    classifiers = setting.run(
        setting.seeds if table.kind == "votes" else (),
        lambda seed: classifier_cell(setting, seed),
        lambda seed: f"Classifier of single frames, seed {seed}",
    )
    values = intrator_values.Values(table, untrained, trained, classifiers)
    published = published_figures(config.published)
    printed = PrintedTable(
        intrator_rows.TITLE,
        intrator_rows.PROTOCOL,
        table,
        budget.name,
        budget.is_comparison,
        setting.sentence,
        table_lines(setting, values, published),
        [*_notes(setting, table, untrained, len(trained)), *sources_of(published, table.name)],
        more={"cells": {"untrained": untrained, "trained": trained, "classifiers": classifiers}},
    )
    finished = len(trained) == len(setting.seeds) and len(classifiers) in (0, len(setting.seeds))
    figures = partial(intrator.figures, values, shown_folder(setting))
    return printed.write(config.out, key, finished=finished, overwrite=config.overwrite, figures=figures)


def _setting(
    config: reproduce_config.ReproduceConfig, budget: intrator_rows.IntratorBudget, reporter: Reporter
) -> IntratorSetting:
    """The data: studies with boxes, else the phantom, which is rendered where it is not there yet."""
    if config.studies is None or config.boxes is None:
        return IntratorSetting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
    return StudiesSetting(config, budget, RenderedPhantom(config.studies, config.boxes, config.studies), reporter)


def table_lines(setting: IntratorSetting, values: intrator_values.Values, published: Figures) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    table = values.table
    result: list[tuple[str, ...]] = []
    for row in intrator_rows.rows_of(table, weights_there=setting.starts_from_imagenet):
        seeds = values.seeds_of(row)
        is_trained = seeds and row.key not in intrator_rows.UNTRAINED
        steps = " + ".join(f"{step:,}" for step in values.trained[0]["steps"]) if is_trained else NOTHING
        for figure in (*table.figures, *(() if row.key == intrator_rows.CHANCE else table.ours)):
            paper, said = paper_text(published, table.name, row.name, figure), str(seeds) if seeds else NOTHING
            ours = values.text(row, figure)
            result.append((row.name, figure, paper, ours, said, steps, setting.sentence))
    return result


def _notes(setting: IntratorSetting, table: intrator_rows.IntratorTable, untrained: Cell, seeds: int) -> list[str]:
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
        machine_sentence(setting.cells.machine),
        "Steps: of the single-frame encoder + of the multi-view encoder, which goes on from its weights.",
        SPREAD,
        *table.notes,
        *intrator_rows.departures(budget, setting.whose_boxes),
        *setting.notes,
    ]
    return sentences
