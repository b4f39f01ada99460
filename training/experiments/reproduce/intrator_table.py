"""A table of Intrator et al. 2023 on the phantom: encoders trained once and kept, the paper's figures beside ours.

A self-contained page beside the table shows supplementary figures 3 to 5; jinja2 and matplotlib are imported when
writing it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.page import BLUE, GREY, ORANGE, page_environment, svg, with_own_ids
from training.experiments.engine import NOTHING, ONLY_A_TRIAL, counted, machine_sentence
from training.experiments.reproduce import intrator_rows, intrator_values, reproduce_config
from training.experiments.reproduce.data import RenderedPhantom, rendered
from training.experiments.reproduce.intrator_cells import IntratorSetting, classifier_cell, trained_cell, untrained_cell
from training.experiments.reproduce.intrator_studies import StudiesSetting, studies_key
from training.experiments.reproduce.outcome import PrintedTable, check_results, result_names
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.published import Figures, paper_text, published_figures, sources_of
from training.files.written import WrittenFiles
from training.runs.reporter import Reporter

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TEMPLATES = Path(__file__).parent / "templates"
NAMES: Mapping[str, tuple[str, str]] = {
    "min": ("single-frame Min", "#7d4f9e"),
    "max": ("single-frame Max", "#2f8f8f"),
    "mean": ("single-frame Mean", "#4f8a3c"),
    "averaging": ("multi-view Averaging", ORANGE),
    "joint": ("multi-view Joint Embedding", BLUE),
    intrator_rows.HISTOGRAM: ("colour histogram", GREY),
}
"""Key of a row -> name and colour in the curves."""
Counts = NDArray[np.int64]
Curve = Callable[[NDArray[np.bool_], NDArray[np.float64]], tuple[list[float], list[float]]]
"""Which pairs are of the same finding, and their similarities -> the curve's places across and up."""
FINDING_COLOURS = ("#1f5fa8", "#c8641b", "#4f8a3c", "#7d4f9e", "#2f8f8f", "#b23b3b", "#8a6d1f", "#5b6770")


def page(values: intrator_values.Values, title: str, data: str, notes: Sequence[str]) -> str:
    """The page as HTML text."""
    draws: dict[str, tuple[Callable[[Axes], None], float]] = {
        "tracklets": (partial(_draw_tracklets, values=values), 7.0),
        "roc": (partial(_draw_curves, values=values, curve=roc_curve), 4.6),
        "precision_recall": (partial(_draw_curves, values=values, curve=precision_recall_curve), 4.6),
    }
    if values.trained:
        draws["inside"] = partial(_draw_inside, cosines=np.array(values.trained[0]["inside"], np.float64)), 4.6
    plots = {"inside": ""} | {
        name: with_own_ids(svg(draw, width), name.replace("_", "-")) for name, (draw, width) in draws.items()
    }
    seed = values.trained[0]["seed"] if values.trained else None
    template = page_environment(TEMPLATES).get_template("intrator.html.j2")
    return template.render(title=title, paper=intrator_rows.TITLE, data=data, plots=plots, seed=seed, notes=notes)


def roc_curve(is_same: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """False positive rates and sensitivities, from (0, 0) to (1, 1); pairs of one score are taken in together."""
    right, wrong = _cumulated(is_same, scores)
    return (
        [0.0, *(wrong / max(1, int((~is_same).sum()))).tolist()],
        [0.0, *(right / max(1, int(is_same.sum()))).tolist()],
    )


def precision_recall_curve(is_same: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """Recalls and precisions, by falling score; pairs of one score are taken in together."""
    right, wrong = _cumulated(is_same, scores)
    return (right / max(1, int(is_same.sum()))).tolist(), (right / (right + wrong)).tolist()


def _cumulated(is_same: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[Counts, Counts]:
    """Pairs of the same finding and of different ones at or above each score that occurs, highest first."""
    order = np.argsort(-scores, kind="stable")
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    hits = is_same[order].astype(np.int64)
    return np.cumsum(hits)[last], np.cumsum(1 - hits)[last]


def _draw_curves(axes: "Axes", values: intrator_values.Values, curve: Curve) -> None:
    """Of each row the first seed, with what chance reaches."""
    for key, (name, colour) in NAMES.items():
        if similarities := values.similarities(key):
            axes.plot(*curve(values.is_same, similarities[0][1]), color=colour, label=name, linewidth=1.4)
    if curve is roc_curve:
        across, up, place = "false positive rate", "sensitivity", "lower right"
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    else:
        across, up, place = "recall", "precision", "upper right"
        axes.axhline(float(values.is_same.mean()), color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend(loc=place, frameon=False, fontsize=7)


def _draw_inside(axes: "Axes", cosines: NDArray[np.float64]) -> None:
    shown = axes.imshow(cosines, vmin=-1, vmax=1, cmap="viridis")
    axes.grid(visible=False)
    axes.set_xlabel("frame of the tracklet")
    axes.set_ylabel("frame of the tracklet")
    figure = axes.get_figure()
    assert figure is not None
    figure.colorbar(shown, ax=axes).set_label("cosine", fontsize=8)


def _draw_tracklets(axes: "Axes", values: intrator_values.Values) -> None:
    """One procedure: each tracklet in a row above, each group in a row below."""
    names, counts = np.unique(values.procedures, return_counts=True)
    rows = np.flatnonzero(values.procedures == names[np.argmax(counts)])
    rows = rows[np.argsort(np.array(values.untrained["starts"])[rows], kind="stable")]
    merged = (values.groups("joint") or values.groups(intrator_rows.HISTOGRAM))[0][1][rows]
    _, group = np.unique(merged, return_inverse=True)
    _, finding = np.unique(values.findings[rows], return_inverse=True)
    groups = int(group.max()) + 1
    for at, row in enumerate(rows):
        start, stop = values.untrained["starts"][row], values.untrained["stops"][row]
        colour = FINDING_COLOURS[finding[at] % len(FINDING_COLOURS)]
        for height in (groups + 1 + at, group[at]):
            axes.barh(height, stop - start, left=start, color=colour, height=0.8)
    axes.axhline(groups, color=GREY, linewidth=0.8)
    axes.set_yticks(
        [(groups - 1) / 2, groups + 1 + (len(rows) - 1) / 2], [f"{groups} merged", f"{len(rows)} tracklets"]
    )
    axes.set_xlabel("time (s)")


SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."


def reproduce_intrator(config: reproduce_config.ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; all tables share the trainings, which are kept.

    What is returned and raised is that of `reproduction.reproduce`. `page` is the path of the figures beside the table.
    """
    table, budget = intrator_rows.INTRATOR_TABLES[config.table], intrator_rows.INTRATOR_BUDGETS[config.budget]
    key = studies_key(config) or budget.phantom.key
    names = result_names(table.name, budget.name, key)
    page_name = f"{names[0].removesuffix('.json')}.html"
    check_results(config.out, (*names, page_name), overwrite=config.overwrite)
    setting = _setting(config, budget, reporter)
    untrained = setting.compared(untrained_cell(setting))
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
    result = printed.write(config.out, key, finished=finished, overwrite=config.overwrite)
    written = WrittenFiles(config.out, "reproduction")
    written.check([page_name], overwrite=config.overwrite)
    content = page(values, table.title, setting.sentence, printed.notes)
    with written.writing(page_name) as beside:
        beside.write_text(content, encoding="utf-8")
    return {**result, "page": str(config.out / page_name)}


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
