"""The report as a table for a person, and as CSV with every figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.evaluation.tables import write_csv
from training.experiments.benchmark.notes import has_groups, notes
from training.experiments.text_table import aligned

NOTHING = "-"
ABSENT = "none"
CSV_HEADER = ("method", "figure", "mean", "deviation", "seeds", "values")


def columns(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Heading and key of each column of the printed table; only what was asked for."""
    asked = report["asked"]
    made = [("kNN accuracy", "knn/projection/accuracy")]
    made += [("kNN by group", "knn/projection/group_accuracy")] if has_groups(report) else []
    made += [("kNN macro F1", "knn/projection/macro_f1")]
    for share in asked["shares"]:
        made.append((f"linear {100 * share:g} %", f"linear/{share:g}/last/accuracy"))
        made.append((f"{100 * share:g} % best epoch", f"linear/{share:g}/best/accuracy"))
    if asked["shares"] and has_groups(report):
        made.append(
            (f"{100 * max(asked['shares']):g} % by group", f"linear/{max(asked['shares']):g}/last/group_accuracy")
        )
    made += [(f"{shots}-shot", f"few_shot/{shots}/accuracy") for shots in asked["shots"]]
    if asked["finetune"]:
        made += _finetuned_columns(asked["finetune_shares"], has_groups(report))
    return [
        *made,
        ("alignment", "sphere/alignment"),
        ("of views", "sphere/alignment_views"),
        ("uniformity", "sphere/uniformity"),
    ]


def _finetuned_columns(shares: Sequence[float], by_group: bool) -> list[tuple[str, str]]:
    """Of each share the last step and the best one; of the largest also by group."""
    made = []
    for share in shares:
        made.append((f"finetuned {100 * share:g} %", f"finetuned/{share:g}/last/accuracy"))
        made.append((f"finetuned {100 * share:g} % best", f"finetuned/{share:g}/best/accuracy"))
    if by_group and shares:
        words = f"finetuned {100 * max(shares):g} % by group"
        made.append((words, f"finetuned/{max(shares):g}/last/group_accuracy"))
    return made


def figure_text(figure: Mapping[str, Any] | None) -> str:
    """ "0.812 ± 0.014"."""
    if figure is None or figure["mean"] is None:
        return NOTHING
    return f"{figure['mean']:.3f}" + ("" if figure["deviation"] is None else f" ± {figure['deviation']:.3f}")


def rows(report: Mapping[str, Any]) -> list[list[str]]:
    """The table's cells; of a method without figures the notes say why."""
    made = []
    keys = [key for _, key in columns(report)]
    for method in report["methods"]:
        if not method["figures"]:
            made.append([method["name"], ABSENT, *[NOTHING] * len(keys)])
            continue
        seeds = f"{len(method['seeds'])} of {len(report['seeds'])}"
        made.append([method["name"], seeds, *(figure_text(method["figures"].get(key)) for key in keys)])
    return made


def text_table(report: Mapping[str, Any]) -> str:
    """Table and notes, as Markdown that reads well in a terminal."""
    heads = ["method", "seeds", *(heading for heading, _ in columns(report))]
    return "\n\n".join(
        [
            f"Data: {report['data']['sentence']}",
            aligned(heads, rows(report)),
            "\n".join(f"* {note}" for note in notes(report)),
        ]
    )


def write_tables(folder: Path, report: Mapping[str, Any]) -> list[Path]:
    """figures.csv with every figure of every method, and table.csv as printed."""
    every: Sequence[Sequence[Any]] = [
        [method["name"], key, figure["mean"], figure["deviation"], len(method["seeds"]), _listed(figure["values"])]
        for method in report["methods"]
        for key, figure in method["figures"].items()
    ]
    heads = ["method", "seeds", *(heading for heading, _ in columns(report))]
    return [
        write_csv(folder / "figures.csv", CSV_HEADER, every),
        write_csv(folder / "table.csv", heads, rows(report)),
    ]


def _listed(values: Sequence[float | None]) -> str:
    return " ".join(NOTHING if value is None else f"{value:.6g}" for value in values)
