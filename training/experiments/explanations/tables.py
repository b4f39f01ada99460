"""The report's tables as CSV files, for further analysis."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from training.evaluation.tables import write_csv
from training.experiments.explanations.figures import area
from training.experiments.explanations.frame_evaluation import EvaluatedOverlay

FIGURES = ("chance", "pointing", "over_chance", "iou", "iou_at_30", "iou_at_50", "deletion", "insertion")
PARTS = ("value", "low", "high", "group_mean")


def write_tables(folder: Path, report: dict[str, Any], evaluated: Sequence[EvaluatedOverlay]) -> None:
    """figures.csv (subset, labelled kind, way of explaining; no kind: all of them) and frames.csv (a row a map)."""
    write_csv(folder / "figures.csv", *_figures(report))
    write_csv(folder / "frames.csv", *_frames(evaluated))


def _figures(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    header = [
        "subset",
        "kind",
        "explain",
        "frames",
        "groups",
        "empty",
        *(f"{name}_{part}" for name in FIGURES for part in PARTS),
    ]
    cells = [(subset, None, ways) for subset, ways in report["table"].items()]
    cells += [(subset, kind, ways) for subset, kinds in report["by_kind"].items() for kind, ways in kinds.items()]
    rows = [
        [subset, kind, way, row["frames"], row["groups"], row["empty"]]
        + [row.get(name, {}).get(part) for name in FIGURES for part in PARTS]
        for subset, kind, ways in cells
        for way, row in ways.items()
    ]
    return header, rows


def _frames(evaluated: Sequence[EvaluatedOverlay]) -> tuple[list[str], Iterable[list[Any]]]:
    thresholds = sorted(evaluated[0].iou) if evaluated else []
    header = ["filename", "group", "fold", "model", "kind", "class", "score"]
    header += [
        "recognised",
        "sampled",
        "chance",
        "explain",
        "hit",
        "peak_x",
        "peak_y",
        *(f"iou_at_threshold_{share:g}" for share in thresholds),
        "deletion",
        "insertion",
    ]
    return header, ([*_frame(item), *(item.iou[share] for share in thresholds), *_areas(item)] for item in evaluated)


def _frame(item: EvaluatedOverlay) -> list[Any]:
    frame, peak = item.frame, item.peak or (None, None)
    cells = [frame.filename, frame.group, frame.fold + 1, frame.model_id, frame.kind, frame.class_name]
    return [
        *cells,
        f"{frame.score:.6f}",
        int(frame.is_recognised),
        int(frame.is_sampled),
        f"{frame.chance:.6f}",
        item.explain,
        item.hit,
        *peak,
    ]


def _areas(item: EvaluatedOverlay) -> list[float | None]:
    return [None if curve is None else area(curve) for curve in (item.deletion, item.insertion)]
