"""A table of Xiang et al. 2023: encoders trained once and kept, the paper's figures beside ours."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.engine import NOT_REACHED, NOTHING, ONLY_A_TRIAL, aligned, counted, machine_sentence
from training.experiments.reproduce import figures, outcome, reproduce_config, xiang_cells, xiang_rows, xiang_studies
from training.experiments.reproduce.data import rendered
from training.experiments.reproduce.pages import xiang
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.published import paper_text, published_figures, sources_of
from training.metrics.detector import Interval
from training.metrics.retrieval import mean_interval
from training.runs.reporter import Reporter

COLUMNS = ("row", "figure", "paper", "ours", "chance", "gallery", "relevant", "seeds", "steps", "data")
DIFFERENCES = "Differences in mAP over the same queries, with 95 % intervals from drawing whole patients:"
SPREAD = "± is the standard deviation over the seeds, with their number in brackets."


def reproduce_xiang(config: reproduce_config.ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; both tables share the trainings, which are kept.

    What is returned and raised is that of `reproduction.reproduce`.
    """
    table, budget = xiang_rows.XIANG_TABLES[config.table], changed(xiang_rows.XIANG_BUDGETS[config.budget], config)
    what = _what(config, budget)
    names = outcome.result_names(table.name, budget.name, what)
    outcome.check_results(config.out, names, overwrite=config.overwrite)
    setting = (
        xiang_cells.XiangSetting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
        if config.studies is None
        else xiang_studies.studies_setting(config, budget, reporter)
    )
    untrained = xiang_cells.untrained_cell(setting)
    keys = [row.key for row in table.rows if row.key in xiang_rows.TRAINED]
    trained = setting.run(
        [(seed, key) for seed in setting.seeds for key in keys],
        lambda cell: xiang_cells.trained_cell(setting, cell[1], cell[0]),
        lambda cell: f"Encoder of clips: {cell[1]}, seed {cell[0]}",
    )
    published = published_figures(config.published)
    result = differences(table, untrained, trained)
    seeds = len({cell["seed"] for cell in trained})
    printed = outcome.PrintedTable(
        xiang_rows.TITLE,
        xiang_rows.PROTOCOL,
        table,
        budget.name,
        budget.is_comparison,
        setting.sentence,
        table_lines(setting, table, untrained, trained),
        [*_notes(setting, table, untrained, seeds), *sources_of(published, table.name)],
        COLUMNS,
        f"{DIFFERENCES}\n\n{aligned(('row', 'less', 'mAP'), result)}" if result else "",
        {
            "differences": [dict(zip(("row", "less", "mAP"), line, strict=True)) for line in result],
            "cells": {"untrained": untrained, "trained": trained},
        },
    )
    finished = len(trained) == len(keys) * len(setting.seeds)
    drawn = partial(xiang.figures, setting, table, untrained, trained)
    return printed.write(config.out, what, finished=finished, overwrite=config.overwrite, figures=drawn)


def changed(budget: xiang_rows.XiangBudget, config: reproduce_config.ReproduceConfig) -> xiang_rows.XiangBudget:
    """The budget with the clips that were asked for."""
    is_published = config.studies is not None and budget is xiang_rows.PAPER
    step = config.clip_step or (xiang_rows.VIDEOMAE_STEP if is_published else budget.frame_step)
    frames, stride = config.clip_length or budget.encoder.frames, config.clip_stride or budget.clips.stride * step
    gallery = config.gallery or budget.clips.gallery
    clips = budget.clips.model_copy(update={"length": frames * step, "gallery": gallery, "stride": stride})
    encoder = type(budget.encoder)(**{**budget.encoder.model_dump(), "frames": frames})
    return replace(budget, clips=clips, encoder=encoder, frame_step=step)


def table_lines(
    setting: xiang_cells.XiangSetting, table: xiang_rows.XiangTable, untrained: Cell, trained: Sequence[Cell]
) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    published = published_figures(setting.config.published)
    data = setting.sentence
    gallery, relevant = (f"{np.mean(untrained[name]):.1f}" for name in ("gallery", "relevant"))
    result: list[tuple[str, ...]] = []
    for row in table.rows:
        values = _values(row.key, untrained, trained)
        mine = [cell["steps"] for cell in trained if cell["key"] == row.key]
        seeds = str(len(mine)) if mine else NOTHING
        steps = " + ".join(f"{step:,}" for step in mine[0]) if mine and mine[0] else NOTHING
        for figure in (
            *xiang_rows.FIGURES,
            *(() if row.key == xiang_rows.CHANCE or not values else (xiang_rows.INTERVAL,)),
        ):
            paper = paper_text(published, table.name, row.name, figure)
            if not values:
                lacks = (
                    row.key
                    if row.key in (xiang_rows.ABSENT, xiang_rows.NOT_BUILT)
                    else xiang_rows.ABSENT
                    if row.key == xiang_rows.LITE0
                    else NOT_REACHED
                )
                result.append((row.name, figure, paper, lacks, *[NOTHING] * 5, data))
                continue
            chance = _chance(untrained, figure)
            ours = _ours(figure, values, untrained)
            result.append((row.name, figure, paper, ours, chance, gallery, relevant, seeds, steps, data))
    return result


def differences(table: xiang_rows.XiangTable, untrained: Cell, trained: Sequence[Cell]) -> list[tuple[str, str, str]]:
    """(row, row, difference in mAP with its interval) of the whole method less each other row that is computed."""
    names = {row.key: row.name for row in table.rows}
    whole, patients = _values(xiang_rows.MAE_CRL, untrained, trained), np.array(untrained["patients"], np.str_)
    if not whole:
        return []
    result = []
    for key, name in names.items():
        other = _values(key, untrained, trained)
        if key != xiang_rows.MAE_CRL and other:
            difference = _mean_over_seeds(whole, "mAP") - _mean_over_seeds(other, "mAP")
            result.append(
                (names[xiang_rows.MAE_CRL], name, _interval_text(mean_interval(difference, patients), is_signed=True))
            )
    return result


def _values(key: str, untrained: Cell, trained: Sequence[Cell]) -> list[Mapping[str, list[float]]]:
    """Figure -> value of each query, for each seed; one for what has no seeds, none for what was not computed."""
    if key == xiang_rows.CHANCE:
        return [untrained["chance"]]
    if key in xiang_rows.TRAINED:
        return [cell["values"] for cell in trained if cell["key"] == key]
    return [untrained["values"][key]] if key in untrained["values"] else []


def _mean_over_seeds(values: Sequence[Mapping[str, list[float]]], name: str) -> NDArray[np.float64]:
    return np.asarray(np.mean([each[name] for each in values], axis=0), np.float64)


def _ours(figure: str, values: Sequence[Mapping[str, list[float]]], untrained: Cell) -> str:
    """A figure as text: the mean over the seeds with its deviation; of what has no seeds, the value alone."""
    if figure == xiang_rows.INTERVAL:
        patients = np.array(untrained["patients"], np.str_)
        return _interval_text(mean_interval(_mean_over_seeds(values, "mAP"), patients), with_value=False)
    means = [float(np.mean(each[xiang_rows.FIGURES[figure]])) for each in values]
    text = _number(figure, float(np.mean(means)))
    if len(means) > 1:
        text += f" ± {_number(figure, float(np.std(means, ddof=1)))} ({len(means)})"
    return text


def _number(figure: str, value: float) -> str:
    return f"{100 * value:.1f}" if figure.endswith("(%)") else f"{value:.3f}"


def _chance(untrained: Cell, figure: str) -> str:
    name = "mAP" if figure == xiang_rows.INTERVAL else xiang_rows.FIGURES[figure]
    return _number("mAP" if figure == xiang_rows.INTERVAL else figure, float(np.mean(untrained["chance"][name])))


def _interval_text(found: Interval, *, with_value: bool = True, is_signed: bool = False) -> str:
    """ "0.312 [0.250 to 0.371]"; without its value "0.250 to 0.371"."""
    sign = "+" if is_signed else ""
    if found.low is None or found.high is None:
        return figures.CANNOT
    span = f"{found.low:{sign}z.3f} to {found.high:{sign}z.3f}"
    return f"{found.value:{sign}z.3f} [{span}]" if with_value else span


def _notes(setting: xiang_cells.XiangSetting, table: xiang_rows.XiangTable, untrained: Cell, seeds: int) -> list[str]:
    """Sentences under the table."""
    budget, clips = setting.budget, setting.budget.clips
    count, patients = len(untrained["patients"]), len(set(untrained["patients"]))
    what = "every clip of the other study" if clips.gallery == "all" else "the clips that show a lesion"
    seen = f" (the encoder sees {budget.encoder.frames} of them)" if budget.frame_step > 1 else ""
    sentences = [] if budget.is_comparison else [ONLY_A_TRIAL]
    sentences += [
        f"{count:,} queries of {patients} patients (paper: 62 queries, 30 patients): the clip around each visit of a "
        f"lesion in {setting.query_place}. {untrained['left_out']:,} more have no relevant clip and are left out.",
        f"The gallery is {what} of the patient; clips have {clips.length} frames{seen}, one every {clips.stride}. "
        f"Relevant is a clip in which the same lesion is labelled in at least {clips.fewest_shown} frames. The paper "
        "states none of these.",
        f"{counted(seeds, 'seed')}, budget {budget.name}. {SPREAD} Steps: of VideoMAE, then of the contrast.",
        machine_sentence(setting.cells.machine),
        *table.notes,
        *xiang_rows.departures(budget, setting.config.train_on),
        *setting.notes,
    ]
    return sentences


def _what(config: reproduce_config.ReproduceConfig, budget: xiang_rows.XiangBudget) -> str:
    """Part of the results' names: data and clips."""
    clips = f"{budget.clips.length}x{budget.clips.stride}-{budget.clips.gallery}"
    data = xiang_studies.studies_key(config) or budget.phantom.key
    return f"{data}-{clips}{'' if config.train_on == 'others' else '-same'}"
