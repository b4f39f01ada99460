"""The report as a self-contained page with its pictures; jinja2 and matplotlib are imported when writing."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.evaluation.page import page_environment, share, write_text
from training.evaluation.plots import BLUE, GREY, ORANGE, svg, with_own_ids
from training.experiments.explanations.pictures import WORDS
from training.experiments.explanations.report_folder import ExplanationsFolder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TEMPLATES = Path(__file__).parent / "templates"
COLOURS = {
    "cam": BLUE,
    "score-cam": ORANGE,
    "quick": "#4f8a3c",
    "prior-grid": "#2f8f8f",
    "redness": "#b23b3b",
    "center": "#7d4f9e",
    "random": GREY,
}


def write_page(folder: ExplanationsFolder, report: dict[str, Any]) -> None:
    """Write report.html.

    Raises:
        ImportError: jinja2 or matplotlib is not installed.
    """
    environment = page_environment(TEMPLATES, share=share, interval=interval)
    plots = {name: plot(report, name) for name in ("deletion", "insertion") if has_curves(report)}
    plots |= {"threshold": with_own_ids(svg(partial(by_threshold, report=report), 4.6), "threshold")}
    page = environment.get_template("explanations.html.j2")
    write_text(folder.page, page.render(report=report, words=WORDS, plots=plots, knows=has_classes(report)))


def interval(figure: dict[str, float | None]) -> str:
    """A figure with its interval, where it has one."""
    if figure["low"] is None:
        return share(figure["value"])
    return f"{share(figure['value'])} ({share(figure['low'])} to {share(figure['high'])})"


def has_curves(report: dict[str, Any]) -> bool:
    """Whether pixels went and came."""
    return any(row["curves"] for row in report["table"]["sample"].values())


def has_classes(report: dict[str, Any]) -> bool:
    """Whether the models know classes; a pretraining is asked for the likeness to the frame's own embedding."""
    return all(model["has_classes"] for model in report["models"])


def plot(report: dict[str, Any], name: str) -> str:
    """One of the two curves as an SVG element."""
    return with_own_ids(svg(partial(curve, report=report, name=name), 4.6), name)


def curve(axes: "Axes", report: dict[str, Any], name: str) -> None:
    """Mean score against the share of pixels that went or came."""
    lowest = 0.0
    for way, row in report["table"]["sample"].items():
        values = row["curves"].get(name)
        if values:
            across = [100 * k / (len(values) - 1) for k in range(len(values))]
            axes.plot(across, values, color=COLOURS[way], label=WORDS[way])
            lowest = min(lowest, *values)
    axes.set_xlabel("% of the pixels deleted" if name == "deletion" else "% of the pixels inserted")
    axes.set_ylabel("mean score of the explained class" if has_classes(report) else "mean similarity (cosine)")
    # A cosine may fall below 0, a score cannot.
    axes.set_ylim(lowest - 0.02, 1.02)
    axes.legend(frameon=False, fontsize=8)


def by_threshold(axes: "Axes", report: dict[str, Any]) -> None:
    """Mean IoU of the largest component's box against the threshold, on the sample."""
    for way, row in report["table"]["sample"].items():
        found = row["iou_by_threshold"]
        axes.plot(
            [float(key) for key in found],
            list(found.values()),
            color=COLOURS[way],
            label=WORDS[way],
            marker="o",
            ms=3,
        )
    axes.set_xlabel("threshold, share of the overlay's maximum")
    axes.set_ylabel("mean IoU")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
