"""Supplementary figures 3 to 5 of Intrator et al. 2023, as a self-contained page beside the table.

jinja2 and matplotlib are imported when writing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.page import page_environment
from training.evaluation.plots import BLUE, GREY, ORANGE, svg, with_own_ids
from training.experiments.reproduce.intrator.rows import HISTOGRAM, TITLE
from training.experiments.reproduce.intrator.values import Values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TEMPLATES = Path(__file__).parents[1] / "templates"
NAMES: Mapping[str, tuple[str, str]] = {
    "min": ("single-frame Min", "#7d4f9e"),
    "max": ("single-frame Max", "#2f8f8f"),
    "mean": ("single-frame Mean", "#4f8a3c"),
    "averaging": ("multi-view Averaging", ORANGE),
    "joint": ("multi-view Joint Embedding", BLUE),
    HISTOGRAM: ("colour histogram", GREY),
}
"""Key of a row -> name and colour in the curves."""
Counts = NDArray[np.int64]
FINDING_COLOURS = ("#1f5fa8", "#c8641b", "#4f8a3c", "#7d4f9e", "#2f8f8f", "#b23b3b", "#8a6d1f", "#5b6770")


def page(values: Values, title: str, data: str, notes: Sequence[str]) -> str:
    """The page as HTML text.

    Raises:
        ImportError: jinja2 or matplotlib is not installed.
    """
    plots = {
        "tracklets": _plot(partial(_draw_tracklets, values=values), "tracklets", 7.0),
        "inside": "",
        "roc": _plot(partial(_draw_roc, values=values), "roc", 4.6),
        "precision_recall": _plot(partial(_draw_precision_recall, values=values), "precision-recall", 4.6),
    }
    seed: Any = None
    if values.trained:
        seed = values.trained[0]["seed"]
        inside = np.array(values.trained[0]["inside"], np.float64)
        plots["inside"] = _plot(partial(_draw_inside, cosines=inside), "inside", 4.6)
    template = page_environment(TEMPLATES).get_template("intrator.html.j2")
    return template.render(title=title, paper=TITLE, data=data, plots=plots, seed=seed, notes=notes)


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


def _plot(draw: Any, name: str, width: float) -> str:
    return with_own_ids(svg(draw, width), name)


def _curves(values: Values) -> list[tuple[str, str, NDArray[np.float64]]]:
    """Name, colour and similarities; of the first seed."""
    return [(*NAMES[key], found[0][1]) for key in NAMES if (found := values.similarities(key))]


def _draw_roc(axes: "Axes", values: Values) -> None:
    for name, colour, scores in _curves(values):
        axes.plot(*roc_curve(values.is_same, scores), color=colour, label=name, linewidth=1.4)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    _finish(axes, "false positive rate", "sensitivity", "lower right")


def _draw_precision_recall(axes: "Axes", values: Values) -> None:
    for name, colour, scores in _curves(values):
        axes.plot(*precision_recall_curve(values.is_same, scores), color=colour, label=name, linewidth=1.4)
    axes.axhline(float(values.is_same.mean()), color=GREY, linewidth=0.8, linestyle=":")
    _finish(axes, "recall", "precision", "upper right")


def _finish(axes: "Axes", across: str, up: str, place: str) -> None:
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


def _draw_tracklets(axes: "Axes", values: Values) -> None:
    """One procedure: each tracklet in a row above, each group in a row below."""
    names, counts = np.unique(values.procedures, return_counts=True)
    rows = np.flatnonzero(values.procedures == names[np.argmax(counts)])
    rows = rows[np.argsort(np.array(values.untrained["starts"])[rows], kind="stable")]
    merged = (values.groups("joint") or values.groups(HISTOGRAM))[0][1][rows]
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
