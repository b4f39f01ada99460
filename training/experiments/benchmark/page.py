"""A benchmark's report for a person: printed table, CSV files with every figure, and a self-contained page.

The page's plot is Fig. 4a of Vats et al. 2022: alignment against uniformity, each method a point coloured by accuracy.
jinja2 and matplotlib are imported when writing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.evaluation.page import page_environment, svg, with_own_ids
from training.experiments.benchmark.class_figures import FIGURES, WORDS
from training.experiments.benchmark.report import has_groups, is_optimistic, notes
from training.experiments.engine import NOTHING, aligned, spread_text
from training.files.csv_text import write_csv
from training.files.outputs import write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ABSENT = "none"
CSV_HEADER = ("method", "figure", "mean", "deviation", "seeds", "values")


def columns(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Heading and key of each column of the printed table; only what was asked for."""
    asked = report["asked"]
    result = [("kNN accuracy", "knn/projection/accuracy")]
    result += [("kNN by group", "knn/projection/group_accuracy")] if has_groups(report) else []
    result += [("kNN macro F1", "knn/projection/macro_f1")]
    result += _of_shares("linear", asked["shares"], ("linear {}", "{} best epoch", "{} by group"), has_groups(report))
    result += [(f"{shots}-shot", f"few_shot/{shots}/accuracy") for shots in asked["shots"]]
    if asked["finetune"]:
        words = ("finetuned {}", "finetuned {} best", "finetuned {} by group")
        result += _of_shares("finetuned", asked["finetune_shares"], words, has_groups(report))
    return [
        *result,
        ("alignment", "sphere/alignment"),
        ("of views", "sphere/alignment_views"),
        ("uniformity", "sphere/uniformity"),
    ]


def _of_shares(
    kind: str, shares: Sequence[float], words: tuple[str, str, str], by_group: bool
) -> list[tuple[str, str]]:
    """Of each share of the labels the last epoch or step and the best one; of the largest also by group."""
    columns = [
        (name.format(f"{100 * share:g} %"), f"{kind}/{share:g}/{moment}/accuracy")
        for share in shares
        for name, moment in zip(words, ("last", "best"), strict=False)
    ]
    if by_group and shares:
        columns.append((words[2].format(f"{100 * max(shares):g} %"), f"{kind}/{max(shares):g}/last/group_accuracy"))
    return columns


def figure_text(figure: Mapping[str, Any] | None) -> str:
    """ "0.812 ± 0.014"."""
    return NOTHING if figure is None else spread_text(figure["mean"], figure["deviation"])


def rows(report: Mapping[str, Any]) -> list[list[str]]:
    """The table's cells; of a method without figures the notes say why."""
    result = []
    keys = [key for _, key in columns(report)]
    for method in report["methods"]:
        if not method["figures"]:
            result.append([method["name"], ABSENT, *[NOTHING] * len(keys)])
            continue
        seeds = f"{len(method['seeds'])} of {len(report['seeds'])}"
        result.append([method["name"], seeds, *(figure_text(method["figures"].get(key)) for key in keys)])
    return result


def text_table(report: Mapping[str, Any]) -> str:
    """Table and notes, as Markdown that reads well in a terminal."""
    heads = ["method", "seeds", *(heading for heading, _ in columns(report))]
    return "\n\n".join(
        [
            f"Data: {report['data']['sentence']}",
            aligned(heads, rows(report)),
            *([aligned(SURE_HEADS, sure), INTERVALS] if (sure := interval_rows(report)) else []),
            "\n".join(f"* {note}" for note in notes(report)),
        ]
    )


SURE_HEADS = ("method", "evaluation", "accuracy", "AUC against normal", "less that of the baseline")
INTERVALS = (
    "Mean over the seeds [95 % interval from drawing whole groups of test frames]. AUC against normal: each class "
    "against normal frames of its own source, mean over the classes. The baseline is imagenet, else random. A "
    "difference whose interval includes 0 is no order."
)


def interval_rows(report: Mapping[str, Any]) -> list[list[str]]:
    """The cells of the table of intervals; empty where none were computed."""
    result = []
    for method in report["methods"]:
        for evaluation, figures in method.get("intervals", {}).items():
            normal = figures["auc_normal"]
            values = (figures["accuracy"], normal, normal.get("less"))
            words = evaluation.replace("/", " ")
            result.append([method["name"], words, *map(_interval_text, values)])
    return result


def _interval_text(figure: Mapping[str, Any] | None) -> str:
    """ "0.812 [0.790, 0.831]", with a sign for a difference."""
    if figure is None or figure["value"] is None:
        return NOTHING
    form = "+z.3f" if "baseline" in figure else ".3f"
    value, low, high = (figure[name] for name in ("value", "low", "high"))
    return f"{value:{form}}" + ("" if low is None else f" [{low:{form}}, {high:{form}}]")


def write_tables(folder: Path, report: Mapping[str, Any]) -> list[Path]:
    """figures.csv with every figure of every method, and table.csv as printed."""

    def values(figure: Mapping[str, Any]) -> str:
        return " ".join(NOTHING if value is None else f"{value:.6g}" for value in figure["values"])

    every: Sequence[Sequence[Any]] = [
        [method["name"], key, figure["mean"], figure["deviation"], len(method["seeds"]), values(figure)]
        for method in report["methods"]
        for key, figure in method["figures"].items()
    ]
    heads = ["method", "seeds", *(heading for heading, _ in columns(report))]
    return [
        write_csv(folder / "figures.csv", CSV_HEADER, every),
        write_csv(folder / "table.csv", heads, rows(report)),
        write_csv(folder / "intervals.csv", SURE_HEADS, interval_rows(report)),
    ]


TEMPLATES = Path(__file__).parent / "templates"


def write_page(path: Path, report: dict[str, Any]) -> None:
    """Write report.html."""
    points, coloured = sphere_points(report), colour_words(report)
    draw = partial(_draw, points=points, coloured=coloured)
    plot = with_own_ids(svg(draw, 5.6), "sphere") if points else ""  # empty where no method has both figures
    page = (
        page_environment(TEMPLATES, figure=figure_text)
        .get_template("benchmark.html.j2")
        .render(
            report=report,
            heads=[heading for heading, _ in columns(report)],
            rows=rows(report),
            notes=notes(report),
            interval_heads=SURE_HEADS,
            intervals=interval_rows(report),
            interval_note=INTERVALS,
            evaluations=evaluations(report),
            figures=FIGURES,
            words=WORDS,
            plot=plot,
            coloured=coloured,
        )
    )
    write_text(path, page)


def evaluations(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Words and key of each evaluation that has all the figures of a classifier."""
    asked = report["asked"]
    best = "best {}, chosen on the test frames: optimistic" if is_optimistic(report) else "best {}"
    result = [("kNN on the projection", "knn/projection"), ("kNN on the pooled embedding (ours)", "knn/backbone")]
    for share in asked["shares"]:
        words = f"Linear, {100 * share:g} % of the labels"
        result.append((f"{words}, last epoch", f"linear/{share:g}/last"))
        result.append((f"{words}, {best.format('epoch')}", f"linear/{share:g}/best"))
    result += [(f"{shots} frames of each class", f"few_shot/{shots}") for shots in asked["shots"]]
    for share in asked["finetune_shares"] if asked["finetune"] else ():
        words = f"Full fine-tuning, {100 * share:g} % of the labels"
        result.append((f"{words}, last step", f"finetuned/{share:g}/last"))
        result.append((f"{words}, {best.format('step')}", f"finetuned/{share:g}/best"))
    return result


MARKERS, COLOURS, INK = "osD^vPX", "viridis", "#1d2329"


def colour_key(report: Mapping[str, Any]) -> str:
    """The paper colours by finetuning accuracy; where nothing was finetuned, linear evaluation stands in (ours)."""
    asked = report["asked"]
    if asked["finetune"]:
        return f"finetuned/{max(asked['finetune_shares']):g}/last/accuracy"
    return f"linear/{max(asked['shares']):g}/last/accuracy" if asked["shares"] else "knn/projection/accuracy"


def colour_words(report: Mapping[str, Any]) -> str:
    """What the colour means."""
    kind = colour_key(report).split("/")
    named = {
        "finetuned": "accuracy at the end of fine-tuning",
        "linear": "linear accuracy of the last epoch",
        "knn": "kNN accuracy",
    }
    return named[kind[0]] + (f", {100 * float(kind[1]):g} % of the labels" if kind[0] != "knn" else "")


def sphere_points(report: Mapping[str, Any]) -> list[tuple[str, float, float, float]]:
    """Method, uniformity, alignment, accuracy; each seed a point."""
    result = []
    for method in report["methods"]:
        figures = method["figures"]
        keys = ("sphere/uniformity", "sphere/alignment", colour_key(report))
        if any(key not in figures for key in keys):
            continue
        seeds = zip(*(figures[key]["values"] for key in keys), strict=True)
        result += [(str(method["name"]), float(x), float(y), float(z)) for x, y, z in seeds if None not in (x, y, z)]
    return result


def _draw(axes: "Axes", points: list[tuple[str, float, float, float]], coloured: str) -> None:
    """Shape and name say the method, colour its accuracy."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    accuracy = [point[3] for point in points]
    scale = Normalize(max(0.0, min(accuracy) - 0.01), min(1.0, max(accuracy) + 0.01))
    for number, name in enumerate(dict.fromkeys(point[0] for point in points)):
        mine = [point for point in points if point[0] == name]
        across, up, values = ([point[place] for point in mine] for place in (1, 2, 3))
        marker = MARKERS[number % len(MARKERS)]
        axes.scatter(
            across, up, c=values, norm=scale, cmap=COLOURS, s=46, marker=marker, edgecolors=INK, linewidths=0.5
        )
        axes.annotate(name, (across[0], up[0]), xytext=(6, 4), textcoords="offset points", fontsize=8)
    axes.margins(0.2)
    axes.set_xlabel("uniformity (less is more uniform)")
    axes.set_ylabel("alignment of a category (less is closer)")
    figure = axes.get_figure()
    assert figure is not None
    figure.colorbar(ScalarMappable(scale, COLOURS), ax=axes).set_label(coloured, fontsize=8)
