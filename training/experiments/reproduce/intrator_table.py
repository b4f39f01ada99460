"""A table of Intrator et al. 2023 on the phantom: encoders trained once and kept, the paper's figures beside ours."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.reproduce.figures import CANNOT, WHOLE, Measured
from training.experiments.reproduce.intrator import (
    CHANCE,
    INTERVAL,
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    JOINED,
    LITE0,
    PROTOCOL,
    TITLE,
    TRACKING,
    UNTRAINED,
    IntratorRow,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.intrator_cells import Cell, Setting, trained_cells, untrained_cell
from training.experiments.reproduce.outcome import COLUMNS, NOTHING, check_results, result_names, write_results
from training.experiments.reproduce.phantom_set import rendered
from training.experiments.reproduce.plan import seeds_from
from training.experiments.reproduce.published import Figures, published_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.text_table import aligned, shortened
from training.metrics.pooled import pooled_auc
from training.reidentification.fragmentation import fragmentation, limit_of_distance, merged_groups
from training.reidentification.matching import (
    TECHNIQUES,
    pair_figures,
)
from training.runs.reporter import Reporter

BOOTSTRAPS = 1000
SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."


def reproduce_intrator(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; both tables share the trainings, which are kept.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json and csv (paths).

    Raises:
        UserError: unusable input, or a loss that is not finite.
        Cancelled: as the reporter asked, or a stop before the first training was done.
    """
    table, budget = INTRATOR_TABLES[config.table], INTRATOR_BUDGETS[config.budget]
    check_results(config.out, result_names(table.name, budget.name, budget.phantom.key), overwrite=config.overwrite)
    setting = Setting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
    seeds = seeds_from(config.seed, config.seeds or budget.seeds)
    untrained = untrained_cell(setting)
    trained = trained_cells(setting, seeds)
    lines = table_lines(setting, table, untrained, trained)
    notes = _notes(setting, table, untrained, len(trained))
    as_json, as_csv = _write(setting, table, lines, notes, {"untrained": untrained, "trained": trained})
    return {
        "text": _text(setting, table, lines, notes),
        "table": table.name,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "finished": len(trained) == len(seeds),
        "json": str(as_json),
        "csv": str(as_csv),
    }


def table_lines(
    setting: Setting, table: IntratorTable, untrained: Cell, trained: Sequence[Cell]
) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    published = published_figures(setting.config.published)
    made: list[tuple[str, ...]] = []
    for row in rows_of(table, weights_there=setting.starts_from_imagenet):
        found = [] if row.key in UNTRAINED else trained
        seeds = str(len(found)) if found and row.key else NOTHING
        steps = " + ".join(f"{step:,}" for step in found[0]["steps"]) if found and row.key else NOTHING
        why_not = _why_not(row, untrained, trained)
        for figure in (*table.figures, *(() if row.key == CHANCE else table.ours)):
            paper = _paper(published, table, row, figure)
            ours = why_not or _ours(table, row.key, figure, untrained, trained)
            made.append((row.name, figure, paper, ours, seeds, steps, setting.budget.phantom.sentence))
    return made


def _why_not(row: IntratorRow, untrained: Cell, trained: Sequence[Cell]) -> str:
    """Why a row has no figures of ours; empty where it has."""
    if not row.key or (row.key == LITE0 and LITE0 not in untrained["similarities"]):
        return "weights absent"
    return "not reached" if row.key in TECHNIQUES and not trained else ""


def _paper(published: Figures, table: IntratorTable, row: IntratorRow, figure: str) -> str:
    known = None if row.is_ours else published.get((table.name, row.name, figure))
    return known.text if known else NOTHING


def _ours(table: IntratorTable, key: str, figure: str, untrained: Cell, trained: Sequence[Cell]) -> str:
    """A figure as text: the mean over the seeds with its deviation; of what has no seeds, the value alone."""
    is_same = np.array(untrained["is_same"], np.bool_)
    if key == CHANCE:
        chance = {"AUROC": 0.5, "AUPRC": float(is_same.mean())}
        return f"{chance[figure]:.3f}"
    if figure == INTERVAL:
        tracks = [similarities for _, similarities in _similarities(key, untrained, trained)]
        return _interval(is_same, tracks, untrained)
    values = {}
    if key == TRACKING:
        values[0, WHOLE] = _fragmentation(untrained, None).get(table.figures.get(figure, figure))
    for seed, similarities in _similarities(key, untrained, trained):
        found = (
            pair_figures(is_same, similarities) if _evaluates_pairs(table) else _fragmentation(untrained, similarities)
        )
        values[seed, WHOLE] = found.get(table.figures.get(figure, figure))
    measured = Measured({at: value for at, value in values.items() if value is not None})
    if key in UNTRAINED:
        return CANNOT if measured.mean is None else f"{measured.mean:.3f}"
    return measured.sentence


def _evaluates_pairs(table: IntratorTable) -> bool:
    """Whether a table evaluates pairs; else it counts fragments."""
    return "AUROC" in table.figures


def _similarities(key: str, untrained: Cell, trained: Sequence[Cell]) -> list[tuple[int, NDArray[np.float64]]]:
    """(seed, similarities of the pairs) of a row; one of seed 0 where nothing was trained."""
    if key in TECHNIQUES:
        return [(int(cell["seed"]), np.array(cell["similarities"][key], np.float64)) for cell in trained]
    known = untrained["similarities"]
    return [(0, np.array(known[key], np.float64))] if key in known else []


def _interval(is_same: NDArray[np.bool_], tracks: list[NDArray[np.float64]], untrained: Cell) -> str:
    """ "0.612 to 0.801": of the AUROC, by drawing whole procedures."""
    procedures = np.array(untrained["procedures"], np.str_)
    whose = procedures[np.array(untrained["pairs"], np.int64)[:, 0]]
    found = pooled_auc(is_same, [np.asarray(track) for track in tracks], whose, BOOTSTRAPS, 0)
    return CANNOT if found.low is None else f"{found.low:.3f} to {found.high:.3f}"


def _fragmentation(untrained: Cell, similarities: NDArray[np.float64] | None) -> dict[str, float | None]:
    """The figures of Table 2 after joining by similarities; None: before."""
    procedures = np.array(untrained["procedures"], np.str_)
    findings, pairs = np.array(untrained["findings"], np.str_), np.array(untrained["pairs"], np.int64)
    is_same = np.array(untrained["is_same"], np.bool_)
    groups = np.arange(len(procedures), dtype=np.int64)
    if similarities is not None:
        groups = merged_groups(procedures, pairs, similarities, limit_of_distance(is_same, similarities))
    joined = groups[pairs[~is_same, 0]] == groups[pairs[~is_same, 1]]
    return {**fragmentation(procedures, findings, groups)._asdict(), JOINED: float(joined.mean())}


def _notes(setting: Setting, table: IntratorTable, untrained: Cell, seeds: int) -> list[str]:
    """Sentences under the table."""
    budget, training, is_same = setting.budget, untrained["training"], untrained["is_same"]
    sentences = [] if budget.is_comparison else ["Not a comparison: this budget only checks that everything works."]
    batch = min(budget.encoders.procedures, training["procedures"])
    sentences += [
        f"Evaluated on {len(is_same):,} pairs, {sum(is_same):,} of them of the same finding, of "
        f"{len(untrained['procedures']):,} tracklets of {len(set(untrained['procedures']))} procedures "
        "(paper: 600 pairs, 252 of the same).",
        f"Trained on {training['tracklets']:,} tracklets ({training['frames']:,} frames) of {training['procedures']} "
        f"procedures of other patients (paper: 15,465 tracklets), {batch} in a batch; {seeds} "
        f"seed{'' if seeds == 1 else 's'}, budget {budget.name}.",
        "Steps: of the single-frame encoder + of the multi-view encoder, which goes on from its weights.",
        SPREAD,
        *table.notes,
        *departures(budget),
        "The phantom replaces the paper's colonoscopies: findings of all kinds stand for its polyps.",
    ]
    sources = {known.source for (name, _, _), known in published_figures().items() if name == table.name}
    return [*sentences, *(f"The paper's figures: {source}." for source in sorted(sources))]


def _text(setting: Setting, table: IntratorTable, lines: Sequence[tuple[str, ...]], notes: Sequence[str]) -> str:
    return "\n\n".join(
        [
            f"{TITLE}\n{table.title}\nData: {setting.budget.phantom.sentence}",
            aligned(COLUMNS[:-1], shortened([line[:-1] for line in lines])),
            "\n".join(f"* {note}" for note in notes),
        ]
    )


def _write(
    setting: Setting,
    table: IntratorTable,
    lines: Sequence[tuple[str, ...]],
    notes: Sequence[str],
    cells: Mapping[str, Any],
) -> tuple[Path, Path]:
    """JSON and CSV beside the cells; returns their paths."""
    budget = setting.budget
    content = {
        "schema_version": 1,
        "table": table.name,
        "title": table.title,
        "paper": TITLE,
        "protocol": PROTOCOL,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "lines": [dict(zip(COLUMNS, line, strict=True)) for line in lines],
        "notes": list(notes),
        "cells": dict(cells),
    }
    names = result_names(table.name, budget.name, budget.phantom.key)
    return write_results(setting.config.out, names, content, lines, overwrite=setting.config.overwrite)
