"""Whose frames taught weights that a run starts from: what keeps those people from being held out later."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RUN_PARTS = ("checkpoints", "kept")
"""Folders of a run folder that hold weights."""


def patients_of_run(path: Path) -> frozenset[str] | None:
    """Everyone whose frames taught a run, by its split.json; None where that cannot be read."""
    try:
        split = json.loads((path / "split.json").read_text(encoding="utf-8"))
        return frozenset(split["training_patients"]) | frozenset(split.get("earlier_patients", []))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def patients_of_card(card: Mapping[str, Any]) -> frozenset[str]:
    """Everyone whose frames taught a model, by its card; those who taught what it started from included."""
    split, lineage = card.get("split", {}), card.get("lineage", {})
    return frozenset(split.get("training_patients", [])) | frozenset(lineage.get("taught_patients", []))


def patients_of_file(weights: Path) -> frozenset[str] | None:
    """Everyone whose frames taught a weights file, by the run or model folder that it lies in.

    None where it lies in neither, or where the folder does not say: then nobody can tell.
    """
    place = weights.resolve().parent
    if place.name in RUN_PARTS:
        return patients_of_run(place.parent)
    try:
        card = json.loads((place / "card.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return patients_of_card(card) if isinstance(card, dict) and "split" in card else None


def unknown(weights: Path) -> str:
    """What is told of weights whose teachers nobody knows; empty for published weights, which no patient taught."""
    if weights.suffix in (".pth", ".pt"):
        return ""
    return (
        f"Whose frames taught {weights.name} cannot be told, for it lies in no run or model folder: patients who are "
        "held out may be among them."
    )
