"""The report as a table for a person, and as CSV with every figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.benchmark.comparison import NEEDS_VIDEO
from training.evaluation.tables import write_csv
from training.reproduce.printed import aligned

NOTHING = "-"
ABSENT = "none"
CSV_HEADER = ("method", "figure", "mean", "deviation", "seeds", "values")


def columns(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Heading and key of each column of the printed table; only what was asked for."""
    asked = report["asked"]
    made = [("kNN accuracy", "knn/projection/accuracy"), ("kNN by group", "knn/projection/group_accuracy")]
    made += [("kNN macro F1", "knn/projection/macro_f1")]
    for share in asked["shares"]:
        made.append((f"linear {100 * share:g} %", f"linear/{share:g}/last/accuracy"))
        made.append((f"{100 * share:g} % best epoch", f"linear/{share:g}/best/accuracy"))
    if asked["shares"]:
        made.append(
            (f"{100 * max(asked['shares']):g} % by group", f"linear/{max(asked['shares']):g}/last/group_accuracy")
        )
    made += [(f"{shots}-shot", f"few_shot/{shots}/accuracy") for shots in asked["shots"]]
    if asked["finetune"]:
        made += [(f"finetuned {100 * s:g} %", f"finetuned/{s:g}/last/accuracy") for s in asked["finetune_shares"]]
    return [
        *made,
        ("alignment", "sphere/alignment"),
        ("of views", "sphere/alignment_views"),
        ("uniformity", "sphere/uniformity"),
    ]


def told(figure: Mapping[str, Any] | None) -> str:
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
        made.append([method["name"], seeds, *(told(method["figures"].get(key)) for key in keys)])
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


def notes(report: Mapping[str, Any]) -> list[str]:
    """Sentences under the table: what the figures are, and what they are not."""
    made, split = report["comparison"], report["split"]
    said = [] if made["is_comparison"] else ["Not a comparison: this budget only shows that everything works."]
    groups = {side: len(split[side]["groups"]) for side in ("training", "judged")}
    said += [
        f"Mean ± standard deviation over {_seeds(report)} on one fixed split by group ({split['name']}: "
        f"{groups['training']} groups teach, {groups['judged']} judge); the deviation says nothing of other splits.",
        f"Each pretraining drew {made['frames']:,} frames of the training groups, without labels, in {made['steps']:,} "
        f"steps; {made['backbone']} at {made['input_size']} px from {made['pretrain'].get('init', 'auto')} weights. "
        "What a method does with a frame, and so its computing, differs.",
        "by group: the accuracy within each group, averaged, so that a large one does not decide.",
        "kNN and the sphere's figures: projection of whole frames; linear and few-shot: pooled embedding.",
    ]
    said += [
        f"{method['name']} draws runs of successive frames; a run shorter than a sequence makes a batch smaller."
        for method in report["methods"]
        if method["name"] in NEEDS_VIDEO and method["figures"]
    ]
    if split["name"] == "60:40":
        said.append(
            "best epoch: chosen on the very frames that are judged, as Vats et al. do for three of their four sets: "
            "optimistic. The columns without these words are those of the last epoch, and groups that judge taught "
            "nothing."
        )
    else:
        said.append("best epoch: chosen on groups that neither teach nor judge.")
    said += [f"{method['name']}: {method['absent'].rstrip('.')}." for method in report["methods"] if method["absent"]]
    return [*said, *report["warnings"]]


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


def _seeds(report: Mapping[str, Any]) -> str:
    return "1 seed" if len(report["seeds"]) == 1 else f"{len(report['seeds'])} seeds"
