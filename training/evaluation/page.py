"""The report as a self-contained page, and the pages of frames beside it; jinja2 is imported when writing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.evaluation.pictures import read_shown
from training.evaluation.plots import draw_all
from training.evaluation.report_folder import ReportFolder
from training.files.outputs import written_beside

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
FIGURES = {
    "auc": "AUC",
    "sensitivity_at_95": "Sensitivity at 95 % specificity",
    "sensitivity_at_90": "Sensitivity at 90 % specificity",
    "sensitivity_at_80": "Sensitivity at 80 % specificity",
    "accuracy": "Accuracy",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "f1": "F1",
    "mcc": "MCC",
    "p0": "p0 (share of frames classified correctly)",
}
"""Name in report.json -> in words."""
CLASS_FIGURES = ("auc", "sensitivity_at_95", "sensitivity_at_90", "sensitivity_at_80", "f1", "mcc")
"""What the page says of each class; classes.csv says more."""
KIND_TEXTS = {
    "false positive": "Normal frames that were flagged, highest scores first.",
    "false negative": "Frames with a finding that were not flagged, lowest scores first.",
    "true positive": "Frames with a finding that were flagged, highest scores first.",
}


def write_pages(folder: ReportFolder, report: dict[str, Any], folds: Sequence[int], count: int) -> None:
    """Write report.html, and in pages/ one page for each kind of frame that there are pictures of.

    Raises:
        ImportError: jinja2 or matplotlib is not installed.
    """
    environment = page_environment(share=share, percent=percent, spread=spread)
    shown = read_shown(folder.pages, folds, count)
    links = {kind: f"pages/{page_name(kind)}" for kind, frames in shown.items() if frames}
    context = {
        "report": report,
        "figure_names": FIGURES,
        "class_figures": CLASS_FIGURES,
        "links": links,
        "kind_texts": KIND_TEXTS,
    }
    page = environment.get_template("report.html.j2").render(plots=draw_all(report), **context)
    write_text(folder.page, page)
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


def write_text(path: Path, text: str) -> None:
    """Write beside and rename."""
    with written_beside(path) as beside:
        beside.write_text(text, encoding="utf-8")


def share(value: float | None) -> str:
    """A figure in [0, 1] with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    """A share as per cent."""
    return "–" if value is None else f"{100 * value:.3g} %"


def spread(row: dict[str, Any]) -> str:
    """Mean with its deviation, where there is one."""
    if row["mean"] is None:
        return "–"
    return f"{row['mean']:.3f}" + ("" if row["deviation"] is None else f" ± {row['deviation']:.3f}")
