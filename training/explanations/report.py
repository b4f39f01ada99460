"""From judged maps to what report.json says, and to the table that the shell prints."""

import datetime
import platform
from collections.abc import Sequence
from typing import Any

import numpy as np

from training.datasets.image_set import ImageSet
from training.explanations.config import EvaluateExplanationsConfig
from training.explanations.figures import table
from training.explanations.judged_model import JudgedModel
from training.explanations.judging import JudgedMap

SCHEMA_VERSION = 1
NOTICE = "Research use only, not for diagnosis."


def make_report(
    config: EvaluateExplanationsConfig,
    images: ImageSet,
    models: Sequence[JudgedModel],
    judged: Sequence[JudgedMap],
    warnings: Sequence[str],
) -> dict[str, Any]:
    """Every figure, as JSON values without the paths of the machine."""
    frames = {item.frame.filename: item.frame for item in judged}
    groups = images.labelled.patients
    return {
        "schema_version": SCHEMA_VERSION,
        "notice": NOTICE,
        "finished": True,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        **_asked(config),
        "data": {
            "frames": len(frames),
            "sampled": sum(frame.is_sampled for frame in frames.values()),
            "recognised": sum(frame.is_recognised for frame in frames.values()),
            "groups": len({frame.group for frame in frames.values()}),
            "labelled": images.labelled.counts(),
            "labelled_groups": len(np.unique(groups)),
        },
        "models": [_model(model, frames.values()) for model in models],
        "table": table(config, judged),
        "warnings": list(warnings),
        "versions": _versions(),
    }


def text_table(report: dict[str, Any]) -> str:
    """The headline as a table in plain text: every subset that has rows."""
    heads = f"{'chance':>7} {'by group':>9} {'IoU':>6} {'del.':>6} {'ins.':>6}"
    lines = [f"{'':<20}{'frames':>7} {'pointing (95 %)':>24} {heads}"]
    for subset, rows in report["table"].items():
        lines += [f"{subset}:"] if rows else []
        lines += [f"  {kind:<18}{_cells(row)}" for kind, row in rows.items()]
    return "\n".join(lines)


def _cells(row: dict[str, Any]) -> str:
    pointing, spread = row["pointing"], ""
    if pointing["low"] is not None:
        spread = f" ({pointing['low']:.3f} to {pointing['high']:.3f})"
    areas = [f"{row[name]['value']:.3f}" if name in row else "-" for name in ("deletion", "insertion")]
    said = f"{pointing['value']:.3f}{spread}"
    chance, by_group, iou = row["chance"]["value"], pointing["group_mean"], row["iou"]["value"]
    return f"{row['frames']:>7} {said:>24} {chance:>7.3f} {by_group:>9.3f} {iou:>6.3f} {areas[0]:>6} {areas[1]:>6}"


def _asked(config: EvaluateExplanationsConfig) -> dict[str, Any]:
    paths = {"images", "labels", "boxes", "out", "models", "model", "init", "resume"}
    named = config.init in ("random", "imagenet")
    init = config.init if named else config.init.rstrip("/").rsplit("/", 1)[-1]
    return {"asked": config.model_dump(mode="json", exclude=paths) | ({} if config.model else {"init": init})}


def _model(model: JudgedModel, frames: Any) -> dict[str, Any]:
    mine = [frame for frame in frames if frame.fold == model.number]
    return {
        "fold": model.number,
        "model_id": model.model_id,
        "sha256": model.sha256,
        "backbone": model.backbone,
        "input_size": model.input_size,
        "frames": len(mine),
        "recognised": sum(frame.is_recognised for frame in mine),
        "groups": len({frame.group for frame in mine}),
        "figures": dict(model.figures),
    }


def _versions() -> dict[str, str]:
    import torch

    return {"python": platform.python_version(), "torch": str(torch.__version__), "numpy": np.__version__}
