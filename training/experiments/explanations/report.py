"""From evaluated overlays to report.json and the printed table."""

import datetime
import platform
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from training.datasets.image_set import ImageSet
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.explanations.figures import by_kind, kind_counts, table
from training.experiments.explanations.fold_models import EvaluatedModel
from training.experiments.explanations.frame_evaluation import EvaluatedFrame, EvaluatedOverlay
from training.experiments.explanations.report_folder import picture_name
from training.version import version

SCHEMA_VERSION = 1
NOTICE = "Research use only, not for diagnosis."


def make_report(
    config: EvaluateExplanationsConfig,
    images: ImageSet,
    models: Sequence[EvaluatedModel],
    evaluated: Sequence[EvaluatedOverlay],
    warnings: Sequence[str],
    shown: Collection[str],
) -> dict[str, Any]:
    """Every figure, as JSON values without the paths of the machine; `shown` are the images that have a picture."""
    frames = {item.frame.filename: item.frame for item in evaluated}
    groups, kinds = images.labelled.patients, kind_counts(list(frames.values()))
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
            "kinds": kinds,
        },
        "models": [_model(model, frames.values()) for model in models],
        "table": table(config, evaluated),
        "by_kind": by_kind(config, evaluated, list(kinds)),
        "pictures": _pictures(config, [frame for name, frame in frames.items() if name in shown], list(kinds)),
        "warnings": list(warnings),
        "versions": _versions(),
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
    return "\n".join([*lines, *_kind_lines(report)])


def _kind_lines(report: dict[str, Any]) -> list[str]:
    """Chance and pointing game of each labelled kind, the rarest first; none where there is one kind."""
    lines: list[str] = []
    for subset, kinds in report["by_kind"].items():
        heads = f"{'frames':>7} {'groups':>7} {'pointing (95 %)':>24} {'chance':>7} {'by group':>9}"
        lines += ["", f"{subset + ', by kind:':<34}{heads}"]
        for kind, ways in kinds.items():
            lines += [
                f"  {kind:<20} {way:<10} {row['frames']:>7} {row['groups']:>7} {_pointing_cells(row)}"
                for way, row in ways.items()
            ]
    return lines


def _cells(row: dict[str, Any]) -> str:
    areas = [f"{row[name]['value']:.3f}" if name in row else "-" for name in ("deletion", "insertion")]
    return f"{row['frames']:>7} {_pointing_cells(row)} {row['iou']['value']:>6.3f} {areas[0]:>6} {areas[1]:>6}"


def _pointing_cells(row: dict[str, Any]) -> str:
    pointing, spread = row["pointing"], ""
    if pointing["low"] is not None:
        spread = f" ({pointing['low']:.3f} to {pointing['high']:.3f})"
    said = f"{pointing['value']:.3f}{spread}"
    return f"{said:>24} {row['chance']['value']:>7.3f} {pointing['group_mean']:>9.3f}"


def _asked(config: EvaluateExplanationsConfig) -> dict[str, Any]:
    paths = {"images", "labels", "boxes", "out", "models", "model", "init", "resume"}
    named = config.init in ("random", "imagenet")
    init = config.init if named else config.init.rstrip("/").rsplit("/", 1)[-1]
    return {"asked": config.model_dump(mode="json", exclude=paths) | ({} if config.model else {"init": init})}


def _pictures(
    config: EvaluateExplanationsConfig, frames: Sequence[EvaluatedFrame], kinds: Sequence[str]
) -> list[dict[str, str]]:
    """Frames that the page shows: by file name, or, where the sample was drawn by kind, the rarest kind first."""
    names = [{"file": picture_name(frame.filename), "image": frame.filename, "kind": frame.kind} for frame in frames]
    names.sort(key=lambda name: name["file"])
    return sorted(names, key=lambda name: kinds.index(name["kind"])) if config.sample_by == "kinds" else names


def _model(model: EvaluatedModel, frames: Any) -> dict[str, Any]:
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


def _versions() -> dict[str, str]:
    import torch

    used = {"wce_desktop": version(), "python": platform.python_version()}
    return {**used, "torch": str(torch.__version__), "numpy": np.__version__}
