"""Figures 7, 8 and 13 of Laiz et al. 2020; matplotlib is imported when drawing."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.page import COLOURS, GREY, INK, svg, with_own_ids
from training.experiments.reproduce.figures import Measured
from training.experiments.reproduce.pages.page import Figure
from training.experiments.reproduce.published import Figures
from training.experiments.reproduce.tables import Table
from training.metrics.detector import SPECIFICITIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Reports = Mapping[str, Sequence[Mapping[str, Any]]]
"""Row -> reports, a seed each."""


def figures(
    table: Table, reports: Reports, measured: Mapping[str, Mapping[str, Measured]], published: Figures
) -> list[Figure]:
    """The figure that a table is, or that its trainings give (Fig. 7), if there is anything to draw; else none."""
    draw: Callable[[Axes], None]
    title = table.title
    curves = {
        row: [report["findings"]["curve"] for report in each if report.get("findings")] for row, each in reports.items()
    }
    if table.name == "laiz-figure8" and any(curves.values()):
        text = "Lines: ours, mean of the seeds. Diamonds: the values of TL_BA in the paper."
        draw = partial(_detected, curves={row: each for row, each in curves.items() if each}, published=published)
    elif table.name == "laiz-table6" and (roc := _roc_curves(reports)):
        title, text = "Figure 7: ROC curves", "Mean and standard deviation of the trainings. Dotted: the specificities."
        draw = partial(_roc, curves=roc)
    elif table.name == "laiz-figure13" and measured:
        text = "Dots: AUC of each training. Lines: their mean. The paper draws its values without numbers."
        draw = partial(_degrees, measured=measured)
    else:
        return []
    return [Figure(title, text, [with_own_ids(svg(draw, 6.4), table.name)])]


def _roc_curves(reports: Reports) -> dict[str, NDArray[np.float64]]:
    """Row -> (trainings, places) sensitivities at false positive rates from 0 to 1; of rows that have any."""
    curves = {
        row: [curve for report in each if "curves" in report for curve in report["curves"]["roc"]["trainings"]]
        for row, each in reports.items()
    }
    return {row: np.array(each, np.float64) for row, each in curves.items() if each}


def _roc(axes: "Axes", curves: Mapping[str, NDArray[np.float64]]) -> None:
    """Sensitivity against the false positive rate, of each row the mean of its trainings."""
    for (row, each), colour in zip(curves.items(), COLOURS, strict=False):
        across, mean = np.linspace(0, 1, each.shape[1]), each.mean(axis=0)
        axes.plot(across, mean, color=colour, label=row)
        if len(each) > 1:
            spread = each.std(axis=0, ddof=1)
            low, high = np.clip([mean - spread, mean + spread], 0, 1)
            axes.fill_between(across, low, high, color=colour, alpha=0.15, linewidth=0)
    for specificity in SPECIFICITIES:
        axes.axvline(1 - specificity, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("sensitivity")
    axes.legend(loc="lower right", frameon=False, fontsize=7)


Curve = Sequence[Mapping[str, float]]
"""Points with specificity and the share of findings detected."""


def _detected(axes: "Axes", curves: Mapping[str, Sequence[Curve]], published: Figures) -> None:
    """Share of findings detected against specificity, of each row the mean of its seeds."""
    for number, (row, each) in enumerate(curves.items()):
        across = [point["specificity"] for point in each[0]]
        up = [fmean(point["detected"] for point in points) for points in zip(*each, strict=True)]
        axes.plot(across, up, color=COLOURS[number % len(COLOURS)], marker="o", ms=3, label=row)
    for (table, _, key), known in published.items():
        if table == "laiz-figure8" and key.startswith("found_"):
            value = float(known.text.removesuffix("%").strip()) / 100
            axes.plot(int(key.removeprefix("found_")) / 100, value, color=INK, marker="D", ms=5, linestyle="none")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("specificity of the fold's threshold")
    axes.set_ylabel("findings detected")
    axes.legend(frameon=False, fontsize=7)


def _degrees(axes: "Axes", measured: Mapping[str, Mapping[str, Measured]]) -> None:
    """AUC of each method against the degree of imbalance."""
    methods: dict[str, dict[int, Measured]] = {}
    for row, of_row in measured.items():
        method, _, ratio = row.rpartition(", ")
        methods.setdefault(method, {})[int(ratio.removesuffix(" to 1"))] = of_row["auc"]
    for number, (method, of_degree) in enumerate(methods.items()):
        colour = COLOURS[number % len(COLOURS)]
        for degree, each in of_degree.items():
            axes.scatter([degree] * len(each.values), list(each.values.values()), color=colour, s=12, alpha=0.5)
        known = {degree: mean for degree, each in of_degree.items() if (mean := each.spread.mean) is not None}
        axes.plot(list(known), list(known.values()), color=colour, linewidth=1.8, label=method)
    degrees = sorted({degree for each in methods.values() for degree in each})
    axes.set_xscale("log")
    axes.set_xticks(degrees, [f"{degree} to 1" for degree in degrees])
    axes.minorticks_off()
    axes.set_xlabel("normal frames to a frame with a finding")
    axes.set_ylabel("AUC")
    axes.legend(frameon=False, fontsize=7)
