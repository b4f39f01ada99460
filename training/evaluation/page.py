"""The report as a self-contained page, and the pages of frames beside it; jinja2 is imported when writing.

The report's plots, as SVG text that goes into the page; matplotlib is imported when the first one is drawn.
"""

import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.evaluation import pictures, report_folder
from training.files.outputs import write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREY, INK = "#1f5fa8", "#c8641b", "#b9c0c7", "#1d2329"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7d4f9e", "#8c6d31", "#4f8a3c", "#999999")
"""Of classes (Okabe and Ito, then ours)."""
SHOWN_FIGURES = {
    "auc": "AUC",
    "sensitivity_at_95": "sens. at 95 %",
    "sensitivity_at_90": "sens. at 90 %",
    "sensitivity_at_80": "sens. at 80 %",
    "accuracy": "accuracy",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
}


def draw_all(report: dict[str, Any]) -> dict[str, str]:
    """Name -> SVG element, for every plot that the report has figures for."""
    drawn = {"roc": roc, "precision": precision, "folds": folds, "review_budget": review_budget, "imbalance": imbalance}
    if report["findings"]:
        drawn["findings"] = findings
    if report["calibration"]:
        drawn["calibration"] = calibration
    width = {"folds": 5.6}
    return {
        name: with_own_ids(svg(partial(draw, report=report), width.get(name, 4.6)), name)
        for name, draw in drawn.items()
    }


def roc(axes: "Axes", report: dict[str, Any]) -> None:
    """Every training's curve, and their mean with its deviation."""
    _curves(axes, report["curves"]["roc"], "lower right")
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    _percent(axes, "false positive rate", "sensitivity")


def precision(axes: "Axes", report: dict[str, Any]) -> None:
    """Precision over recall, of every training and on average."""
    _curves(axes, report["curves"]["precision"], "lower left")
    _percent(axes, "recall (sensitivity)", "precision")


def _curves(axes: "Axes", curves: dict[str, Any], place: str) -> None:
    across = curves["across"]
    for name, curve in curves["classes"].items() if len(curves["classes"]) > 1 else ():
        axes.plot(across, curve, linewidth=1.0, label=name.replace("_", " "))
    if len(curves["trainings"]) > 1:
        for number, curve in enumerate(curves["trainings"]):
            axes.plot(across, curve, color=GREY, linewidth=0.8, label="one training" if number == 0 else None)
        low = [max(0.0, m - d) for m, d in zip(curves["mean"], curves["deviation"], strict=True)]
        high = [min(1.0, m + d) for m, d in zip(curves["mean"], curves["deviation"], strict=True)]
        axes.fill_between(across, low, high, color=BLUE, alpha=0.15, linewidth=0)
        axes.plot(across, curves["mean"], color=BLUE, linewidth=1.8, label="mean, one deviation")
        axes.legend(loc=place, frameon=False)
    elif curves["mean"]:
        axes.plot(across, curves["mean"], color=INK, linewidth=1.8, label="any finding")
        if len(curves["classes"]) > 1:
            axes.legend(loc=place, frameon=False, fontsize=7 if len(curves["classes"]) > 6 else 8)


def folds(axes: "Axes", report: dict[str, Any]) -> None:
    """Each figure in each training, with the mean."""
    for place, name in enumerate(SHOWN_FIGURES):
        values = [row["figures"][name] for row in report["folds_detail"] if row["figures"][name] is not None]
        axes.scatter([place] * len(values), values, color=BLUE, s=16, alpha=0.6, linewidths=0)
        mean = report["mean"][name]["mean"]
        if mean is not None:
            axes.plot([place - 0.25, place + 0.25], [mean, mean], color=ORANGE, linewidth=2)
    axes.set_xticks(range(len(SHOWN_FIGURES)), list(SHOWN_FIGURES.values()), rotation=28, ha="right")
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("dots: trainings; line: mean")


def findings(axes: "Axes", report: dict[str, Any]) -> None:
    """Laiz, Fig. 8: share of findings detected against specificity."""
    curve = report["findings"]["curve"]
    axes.plot([row["specificity"] for row in curve], [row["detected"] for row in curve], color=BLUE, marker="o", ms=3)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("specificity of the fold's threshold")
    axes.set_ylabel("findings detected")


def calibration(axes: "Axes", report: dict[str, Any]) -> None:
    """Of each class the share of frames that have it against its score, calibrated where it can be."""
    for name, row in report["calibration"]["classes"].items():
        score, share, _ = zip(*row["bins"], strict=True)
        axes.plot(score, share, marker="o", ms=3, linewidth=1, label=name.replace("_", " "))
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    _percent(axes, "score" if report["model"] else "calibrated score", "share with the class")
    axes.legend(loc="upper left", frameon=False, fontsize=7 if len(report["classes"]) > 7 else 8)


def review_budget(axes: "Axes", report: dict[str, Any]) -> None:
    """Share of positive frames and of findings seen against the share of each study that is looked at."""
    rows = report["review_budget"]["rows"]
    share = [100 * row["share"] for row in rows]
    axes.plot(share, [row["frame_sensitivity"] for row in rows], color=BLUE, marker="o", ms=3, label="frames")
    result = [row["finding_sensitivity"] for row in rows]
    if None not in result:
        axes.plot(share, result, color=ORANGE, marker="o", ms=3, label="findings")
    axes.set_xscale("log")
    ticks = [0.1, 1, 5, 10, 50, 100]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("top % of each study reviewed")
    axes.set_ylabel("found")
    axes.legend(loc="upper left", frameon=False)


def imbalance(axes: "Axes", report: dict[str, Any]) -> None:
    """Figures against the number of evaluated normal frames per other frame."""
    rows = [row for row in report["imbalance"] if row["draws"]]
    if not rows:
        axes.text(0.5, 0.5, "too few normal frames", ha="center", transform=axes.transAxes)
        return
    for name, words, colour in (
        ("auc", "AUC", BLUE),
        ("average_precision", "average precision", ORANGE),
        ("f1", "F1", "#4f8a3c"),
        ("mcc", "MCC", "#7d4f9e"),
    ):
        means = [row[name]["mean"] for row in rows]
        spread = [row[name]["deviation"] or 0.0 for row in rows]
        degrees = [row["degree"] for row in rows]
        axes.errorbar(
            degrees, means, yerr=spread, color=colour, marker="o", ms=3, capsize=2, linewidth=1.2, label=words
        )
    axes.set_xscale("log")
    axes.set_xticks([row["degree"] for row in rows], [str(row["degree"]) for row in rows])
    axes.minorticks_off()
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("normal frames per other frame")
    axes.legend(frameon=False, fontsize=8)


def _percent(axes: "Axes", across: str, up: str) -> None:
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def svg(draw: Callable[["Axes"], None], width: float, height: float = 3.6) -> str:
    """One plot as an `<svg>` element of so many inches; made without pyplot, so no window system is asked for."""
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.rcsetup import cycler

    settings = {
        "axes.prop_cycle": cycler(color=COLOURS),
        "svg.fonttype": "none",
        "svg.hashsalt": "wce",
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e6e9ec",
        "axes.axisbelow": True,
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def with_own_ids(svg: str, prefix: str) -> str:
    """The same plot with every id, and every reference to one, prefixed: several plots stand in one page."""
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r"url\(#", f"url(#{prefix}-", svg)
    return re.sub(r'href="#', f'href="#{prefix}-', svg)


if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
FIGURES = {
    "auc": "AUC",
    "sensitivity_at_95": "Sensitivity at 95 % specificity",
    "sensitivity_at_90": "Sensitivity at 90 % specificity",
    "sensitivity_at_80": "Sensitivity at 80 % specificity",
    "average_precision": "Average precision",
    "accuracy": "Accuracy",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "f1": "F1",
    "mcc": "MCC",
    "p0": "p0 (share of frames classified correctly)",
}
"""Name in report.json -> in words."""
CLASS_FIGURES = ("auc", "sensitivity_at_95", "sensitivity_at_90", "sensitivity_at_80", "average_precision", "f1", "mcc")
"""What the page says of each class; classes.csv says more."""
KIND_TEXTS = {
    "false positive": "Normal frames that were flagged, highest scores first.",
    "false negative": "Frames with a finding that were not flagged, lowest scores first.",
    "true positive": "Frames with a finding that were flagged, highest scores first.",
}


def write_pages(folder: report_folder.ReportFolder, report: dict[str, Any], folds: Sequence[int], count: int) -> None:
    """Write report.html, tripod.html, and in pages/ one page for each kind of frame that there are pictures of.

    Raises:
        ImportError: jinja2 or matplotlib is not installed.
    """
    environment = page_environment(share=share, percent=percent, spread=spread, interval=interval, valued=valued)
    shown = pictures.read_shown(folder.pages, folds, count)
    links = {kind: f"pages/{page_name(kind)}" for kind, frames in shown.items() if frames}
    context = {
        "report": report,
        "shown": shown,
        "figure_names": FIGURES,
        "class_figures": CLASS_FIGURES,
        "links": links,
        "kind_texts": KIND_TEXTS,
    }
    page = environment.get_template("report.html.j2").render(plots=draw_all(report), **context)
    write_text(folder.page, page)
    write_text(folder.path / "tripod.html", environment.get_template("tripod.html.j2").render(**context))
    for kind in links:
        frames = environment.get_template("frames.html.j2").render(kind=kind, frames=shown[kind], **context)
        write_text(folder.pages / page_name(kind), frames)


def page_environment(*folders: Path, **filters: Callable[..., str]) -> "Environment":
    """The templates of some folders, then those here, which they may include.

    Raises:
        ImportError: jinja2 is not installed.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment


def page_name(kind: str) -> str:
    """File of the page of a kind of frames."""
    return f"{kind.replace(' ', '-')}s.html"


def share(value: float | None) -> str:
    """A figure in [0, 1] with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:z.3f}"


def interval(row: dict[str, Any]) -> str:
    """From `low` to `high`; a dash where there is none."""
    return "–" if row["low"] is None else f"{row['low']:z.3f} to {row['high']:z.3f}"


def valued(row: dict[str, Any]) -> str:
    """`value` with its interval, where there is one."""
    return share(row["value"]) + ("" if row["low"] is None else f" ({row['low']:z.3f} to {row['high']:z.3f})")


def percent(value: float | None) -> str:
    """A share as per cent."""
    return "–" if value is None else f"{100 * value:.3g} %"


def spread(row: dict[str, Any]) -> str:
    """Mean with its deviation, where there is one."""
    if row["mean"] is None:
        return "–"
    return f"{row['mean']:.3f}" + ("" if row["deviation"] is None else f" ± {row['deviation']:.3f}")
