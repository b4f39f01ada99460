"""Supplementary figures 3 to 6 of Intrator et al. 2023; matplotlib is imported when drawing."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.evaluation.page import BLUE, COLOURS, GREY, ORANGE, svg, with_own_ids
from training.experiments.engine import counted
from training.experiments.reproduce import intrator_rows
from training.experiments.reproduce.intrator_values import Values
from training.experiments.reproduce.kept_frames import crop_name
from training.experiments.reproduce.pages.page import Figure, Picture, Strip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def figures(values: Values, shown: Path) -> list[Figure]:
    """All figures that there is something to draw of; `shown` has the crops that the untrained cell keeps."""
    seed = f" Encoders of seed {values.trained[0]['seed']}." if values.trained else ""
    result = [
        Figure(
            "Tracklets over time before and after merging (supplementary figure 3)",
            "The procedure with the most tracklets. Colours are the findings that the tracklets show; a row after "
            f"merging is a group.{seed}",
            [_plot("tracklets", partial(_draw_tracklets, values=values), 7.0)],
        )
    ]
    if values.trained:
        cosines = np.array(values.trained[0]["inside"], np.float64)
        result.append(
            Figure(
                "Similarity of frames inside a tracklet (supplementary figure 4)",
                "Cosines of the frames' embeddings by the single-frame encoder, in the longest evaluated tracklet."
                + seed,
                [_plot("inside", partial(_draw_inside, cosines=cosines))],
            )
        )
    curves = {"roc": roc_curve, "precision-recall": precision_recall_curve}
    drawn = [_plot(name, partial(_draw_curves, values=values, curve=curve)) for name, curve in curves.items()]
    title = "ROC and precision-recall curves of pairs of tracklets (supplementary figure 5)"
    result.append(Figure(title, f"Dotted: chance.{seed}", drawn))
    if strips := _groupings(values, shown):
        title = "Grouping of the frames of a finding into tracklets (supplementary figure 6)"
        text = f"The finding with the most tracklets; frames of one border belong to one tracklet, or group.{seed}"
        result.append(Figure(title, text, strips=strips))
    return result


def _plot(name: str, draw: Callable[["Axes"], None], width: float = 4.6) -> str:
    return with_own_ids(svg(draw, width), name)


def _groupings(values: Values, shown: Path) -> list[Strip]:
    """The same frames in a row for annotation, tracking and re-identification; none where no crop is kept."""
    tracklets = [int(row) for row in values.untrained.get("shown", ())]
    rows = {"Annotation": intrator_rows.ANNOTATION, "Tracking": intrator_rows.TRACKING}
    rows |= {"Re-identification": "joint"} if values.trained else {"Colour histogram": intrator_rows.HISTOGRAM}
    strips = []
    for name, key in rows.items() if tracklets else ():
        groups = values.groups(key)[0][1][tracklets]
        numbers = np.unique(groups, return_inverse=True)[1]
        order = list(dict.fromkeys(numbers.tolist()))
        pictures = [
            Picture(shown / crop_name(at), f"{order.index(number) + 1}", COLOURS[order.index(number) % len(COLOURS)])
            for at, number in enumerate(numbers.tolist())
        ]
        strips.append(Strip(f"{name}: {counted(len(order), 'tracklet')}", pictures))
    return strips


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


def _draw_curves(axes: "Axes", values: Values, curve: Curve) -> None:
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


def _draw_tracklets(axes: "Axes", values: Values) -> None:
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
