"""The report as a self-contained page; jinja2 and matplotlib are imported when writing."""

from pathlib import Path
from typing import Any

from training.evaluation.page import TEMPLATES as SHARED_TEMPLATES
from training.evaluation.page import write_text
from training.experiments.benchmark.class_figures import FIGURES, WORDS
from training.experiments.benchmark.notes import is_optimistic, notes
from training.experiments.benchmark.plots import colour_words, sphere_plot
from training.experiments.benchmark.tables import columns, figure_text, rows

TEMPLATES = Path(__file__).parent / "templates"


def write_page(path: Path, report: dict[str, Any]) -> None:
    """Write report.html.

    Raises:
        ImportError: jinja2 or matplotlib is not installed.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([TEMPLATES, SHARED_TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"figure": figure_text}
    page = environment.get_template("benchmark.html.j2").render(
        report=report,
        heads=[heading for heading, _ in columns(report)],
        rows=rows(report),
        notes=notes(report),
        evaluations=evaluations(report),
        figures=FIGURES,
        words=WORDS,
        plot=sphere_plot(report),
        coloured=colour_words(report),
    )
    write_text(path, page)


def evaluations(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Words and key of each evaluation that has all the figures of a classifier."""
    asked = report["asked"]
    best = "best {}, chosen on the test frames: optimistic" if is_optimistic(report) else "best {}"
    made = [("kNN on the projection", "knn/projection"), ("kNN on the pooled embedding (ours)", "knn/backbone")]
    for share in asked["shares"]:
        words = f"Linear, {100 * share:g} % of the labels"
        made.append((f"{words}, last epoch", f"linear/{share:g}/last"))
        made.append((f"{words}, {best.format('epoch')}", f"linear/{share:g}/best"))
    made += [(f"{shots} frames of each class", f"few_shot/{shots}") for shots in asked["shots"]]
    for share in asked["finetune_shares"] if asked["finetune"] else ():
        words = f"Full fine-tuning, {100 * share:g} % of the labels"
        made.append((f"{words}, last step", f"finetuned/{share:g}/last"))
        made.append((f"{words}, {best.format('step')}", f"finetuned/{share:g}/best"))
    return made
