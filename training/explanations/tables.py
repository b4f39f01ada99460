"""The report's tables as CSV files, for those who want to calculate on."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from training.evaluation.tables import write_csv
from training.explanations.figures import area
from training.explanations.judging import JudgedMap

FIGURES = ("chance", "pointing", "over_chance", "iou", "iou_at_30", "iou_at_50", "deletion", "insertion")
PARTS = ("value", "low", "high", "group_mean")


def write_tables(folder: Path, report: dict[str, Any], judged: Sequence[JudgedMap]) -> None:
    """figures.csv (a row for each subset and way of explaining) and frames.csv (a row for each map)."""
    write_csv(folder / "figures.csv", *_figures(report))
    write_csv(folder / "frames.csv", *_frames(judged))


def _figures(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    header = [
        "subset",
        "explain",
        "frames",
        "groups",
        "empty",
        *(f"{name}_{part}" for name in FIGURES for part in PARTS),
    ]
    rows = [
        [subset, kind, row["frames"], row["groups"], row["empty"]]
        + [row.get(name, {}).get(part) for name in FIGURES for part in PARTS]
        for subset, kinds in report["table"].items()
        for kind, row in kinds.items()
    ]
    return header, rows


def _frames(judged: Sequence[JudgedMap]) -> tuple[list[str], Iterable[list[Any]]]:
    thresholds = sorted(judged[0].iou) if judged else []
    header = ["filename", "group", "fold", "model", "class", "score", "recognised", "sampled", "chance", "explain"]
    header += [
        "hit",
        "peak_x",
        "peak_y",
        *(f"iou_at_threshold_{share:g}" for share in thresholds),
        "deletion",
        "insertion",
    ]
    return header, ([*_frame(item), *(item.iou[share] for share in thresholds), *_areas(item)] for item in judged)


def _frame(item: JudgedMap) -> list[Any]:
    frame, peak = item.frame, item.peak or (None, None)
    told = [frame.filename, frame.group, frame.fold + 1, frame.model_id, frame.class_name, f"{frame.score:.6f}"]
    return [
        *told,
        int(frame.is_recognised),
        int(frame.is_sampled),
        f"{frame.chance:.6f}",
        item.explain,
        item.hit,
        *peak,
    ]


def _areas(item: JudgedMap) -> list[float | None]:
    return [None if curve is None else area(curve) for curve in (item.deletion, item.insertion)]
