"""The report of an evaluation of explanations: its folder, report.json, the printed table and the CSV files."""

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.datasets.image_set import ImageSet
from training.experiments.engine import machine, machine_sentence, report_head
from training.experiments.explanations import fold_models, frame_evaluation
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.explanations.figures import area, by_kind, kind_counts, table
from training.files.csv_text import write_csv
from training.version import versions


def picture_name(filename: str) -> str:
    """File of an image's picture; slashes and the like are not part of a file's name."""
    return f"{re.sub(r'[^A-Za-z0-9._-]', '_', filename)}.png"


SCHEMA_VERSION = 1


def make_report(
    config: EvaluateExplanationsConfig,
    images: ImageSet,
    models: Sequence[fold_models.EvaluatedModel],
    evaluated: Sequence[frame_evaluation.EvaluatedOverlay],
    warnings: Sequence[str],
    shown: Collection[str],
) -> dict[str, Any]:
    """Every figure, as JSON values without the paths of the machine; `shown` are the images that have a picture."""
    frames = {item.frame.filename: item.frame for item in evaluated}
    groups, kinds = images.labelled.patients, kind_counts(list(frames.values()))
    paths = {"images", "labels", "boxes", "out", "models", "model", "init", "resume"}
    init = {} if config.model else {"init": config.init.rstrip("/").rsplit("/", 1)[-1]}
    return {
        **report_head(SCHEMA_VERSION, finished=True),
        "machine": machine(config.device, config.threads)
        | ({"precision": config.precision} if config.precision != "auto" else {}),
        "asked": config.model_dump(mode="json", exclude=paths) | init,
        "data": {
            "frames": len(frames),
            "sampled": sum(frame.is_sampled for frame in frames.values()),
            "recognised": sum(frame.is_recognised for frame in frames.values()),
            "groups": len({frame.group for frame in frames.values()}),
            "labelled": images.labelled.counts(),
            "labelled_groups": len(np.unique(groups)),
            "kinds": kinds,
        },
        "models": [_model(model, frames.values()) for model in models],
        "table": table(config, evaluated),
        "by_kind": by_kind(config, evaluated, list(kinds)),
        "pictures": _pictures(config, [frame for name, frame in frames.items() if name in shown], list(kinds)),
        "warnings": list(warnings),
        "versions": versions(),
    }


def text_table(report: dict[str, Any]) -> str:
    """The headline as a table in plain text: every subset that has rows, then kind by kind."""
    heads = f"{'chance':>7} {'by group':>9} {'IoU':>6} {'del.':>6} {'ins.':>6}"
    lines = [f"{'':<20}{'frames':>7} {'pointing (95 %)':>24} {heads}"]
    # Where kinds were drawn alike, the sample's figures are not those of the frames as they come.
    alike = {"sample": ", kinds drawn equally"} if report["asked"]["sample_by"] == "kinds" else {}
    for subset, rows in report["table"].items():
        lines += [f"{subset}{alike.get(subset.split()[0], '')}:"] if rows else []
        lines += [f"  {way:<18}{_cells(row)}" for way, row in rows.items()]
    for subset, kinds in report["by_kind"].items():  # the rarest first; none where there is one kind
        heads = f"{'frames':>7} {'groups':>7} {'pointing (95 %)':>24} {'chance':>7} {'by group':>9}"
        lines += ["", f"{subset + ', by kind:':<34}{heads}"]
        for kind, ways in kinds.items():
            lines += [
                f"  {kind:<20} {way:<10} {row['frames']:>7} {row['groups']:>7} {_pointing_cells(row)}"
                for way, row in ways.items()
            ]
    return "\n".join([*lines, "", machine_sentence(report.get("machine"))])


def _cells(row: dict[str, Any]) -> str:
    areas = [f"{row[name]['value']:.3f}" if name in row else "-" for name in ("deletion", "insertion")]
    return f"{row['frames']:>7} {_pointing_cells(row)} {row['iou']['value']:>6.3f} {areas[0]:>6} {areas[1]:>6}"


def _pointing_cells(row: dict[str, Any]) -> str:
    pointing, spread = row["pointing"], ""
    if pointing["low"] is not None:
        spread = f" ({pointing['low']:.3f} to {pointing['high']:.3f})"
    text = f"{pointing['value']:.3f}{spread}"
    return f"{text:>24} {row['chance']['value']:>7.3f} {pointing['group_mean']:>9.3f}"


def _pictures(
    config: EvaluateExplanationsConfig, frames: Sequence[frame_evaluation.EvaluatedFrame], kinds: Sequence[str]
) -> list[dict[str, str]]:
    """Frames that the page shows: by file name, or, where the sample was drawn by kind, the rarest kind first."""
    names = [{"file": picture_name(frame.filename), "image": frame.filename, "kind": frame.kind} for frame in frames]
    names.sort(key=lambda name: name["file"])
    return sorted(names, key=lambda name: kinds.index(name["kind"])) if config.sample_by == "kinds" else names


def _model(model: fold_models.EvaluatedModel, frames: Any) -> dict[str, Any]:
    mine = [frame for frame in frames if frame.fold == model.number]
    return {
        "fold": model.number,
        "model_id": model.model_id,
        "sha256": model.sha256,
        "has_classes": model.has_classes,
        "backbone": model.backbone,
        "input_size": model.input_size,
        "frames": len(mine),
        "recognised": sum(frame.is_recognised for frame in mine),
        "groups": len({frame.group for frame in mine}),
        "figures": dict(model.figures),
    }


FIGURES = ("chance", "pointing", "over_chance", "iou", "iou_at_30", "iou_at_50", "deletion", "insertion")
PARTS = ("value", "low", "high", "group_mean")
COUNTS = ("frames", "groups", "empty")


def write_tables(folder: Path, report: dict[str, Any], evaluated: Sequence[frame_evaluation.EvaluatedOverlay]) -> None:
    """figures.csv (subset, labelled kind, way of explaining; no kind: all of them) and frames.csv (a row a map)."""
    write_csv(folder / "figures.csv", *_figures(report))
    write_csv(folder / "frames.csv", *_frames(evaluated))


def _figures(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    parts = [f"{name}_{part}" for name in FIGURES for part in PARTS]
    cells = [(subset, None, ways) for subset, ways in report["table"].items()]
    cells += [(subset, kind, ways) for subset, kinds in report["by_kind"].items() for kind, ways in kinds.items()]
    rows = [
        [subset, kind, way, *(row[name] for name in COUNTS)]
        + [row.get(name, {}).get(part) for name in FIGURES for part in PARTS]
        for subset, kind, ways in cells
        for way, row in ways.items()
    ]
    return ["subset", "kind", "explain", *COUNTS, *parts], rows


FRAME_CELLS: dict[str, Callable[[frame_evaluation.EvaluatedOverlay], object]] = {
    "filename": lambda item: item.frame.filename,
    "group": lambda item: item.frame.group,
    "fold": lambda item: item.frame.fold + 1,
    "model": lambda item: item.frame.model_id,
    "kind": lambda item: item.frame.kind,
    "class": lambda item: item.frame.class_name,
    "score": lambda item: f"{item.frame.score:.6f}",
    "recognised": lambda item: int(item.frame.is_recognised),
    "sampled": lambda item: int(item.frame.is_sampled),
    "chance": lambda item: f"{item.frame.chance:.6f}",
    "explain": lambda item: item.explain,
    "hit": lambda item: item.hit,
    "peak_x": lambda item: item.peak and item.peak[0],
    "peak_y": lambda item: item.peak and item.peak[1],
}
"""Columns of frames.csv, before those of the thresholds and the areas of the curves."""


def _frames(evaluated: Sequence[frame_evaluation.EvaluatedOverlay]) -> tuple[list[str], list[list[object]]]:
    thresholds = sorted(evaluated[0].iou) if evaluated else []
    header = [*FRAME_CELLS, *(f"iou_at_threshold_{share:g}" for share in thresholds), "deletion", "insertion"]
    rows: list[list[object]] = [
        [cell(item) for cell in FRAME_CELLS.values()]
        + [item.iou[share] for share in thresholds]
        + [None if curve is None else area(curve) for curve in (item.deletion, item.insertion)]
        for item in evaluated
    ]
    return header, rows
