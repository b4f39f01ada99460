"""Figures 7, 8 and 13 of Laiz et al. from made-up reports, and which tables have none."""

from typing import Any

import pytest

from training.experiments.reproduce.figures import Measured
from training.experiments.reproduce.pages import laiz
from training.experiments.reproduce.published import find_table, shipped_figures

CURVE = [{"specificity": 0.8, "detected": 0.9}, {"specificity": 0.95, "detected": 0.5}]
REPORTS: dict[str, list[dict[str, Any]]] = {
    "TL_BA": [{"findings": {"curve": CURVE}}, {"findings": {"curve": CURVE}}],
    "ours: ResNet": [{"findings": {}}],
}
DEGREES = {
    f"{method}, {degree} to 1": {"auc": Measured({(0, 0): 0.6, (0, 1): 0.7})}
    for method in ("ResNet", "TL_BA")
    for degree in (1, 10, 100)
}


@pytest.mark.parametrize(("name", "words"), [("laiz-figure8", "findings detected"), ("laiz-figure13", "100 to 1")])
def test_a_figure_is_drawn_of_what_is_there(name: str, words: str) -> None:
    (figure,) = laiz.figures(find_table(name), REPORTS, DEGREES, shipped_figures())
    (plot,) = figure.plots
    assert words in plot
    assert "TL_BA" in plot
    assert laiz.figures(find_table(name), {"TL_BA": [{"findings": {}}]}, {}, shipped_figures()) == []


def test_the_curves_of_all_rows_are_drawn_in_one_figure() -> None:
    roc = {"trainings": [[0.0, 0.8, 1.0], [0.0, 0.6, 1.0]]}
    nothing: dict[str, Any] = {"trainings": []}
    reports: dict[str, list[dict[str, Any]]] = {
        "ResNet": [{"curves": {"roc": roc}}],
        "TL_BH": [{"curves": {"roc": nothing}}],
        "TL_BA": [{"curves": {"roc": roc}}, {"curves": {"roc": roc}}],
    }
    (figure,) = laiz.figures(find_table("laiz-table6"), reports, {}, {})
    (plot,) = figure.plots
    assert "Figure 7" in figure.title
    assert ("ResNet" in plot, "TL_BH" in plot, "TL_BA" in plot) == (True, False, True)
    assert laiz.figures(find_table("laiz-table6"), {}, {}, {}) == []


def test_tables_have_no_figure() -> None:
    assert laiz.figures(find_table("laiz-table7"), REPORTS, DEGREES, {}) == []
