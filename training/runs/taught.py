"""Whose frames taught weights that a run starts from: what keeps those people from being held out later."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import read_json_object

RUN_PARTS = ("checkpoints", "kept")
"""Folders of a run folder that hold weights."""


def patients_of_run(path: Path) -> frozenset[str] | None:
    """Everyone whose frames taught a run, by its split.json; None where that cannot be read."""
    try:
        return patients_of_split(read_json_object(path / "split.json"))
    except (UserError, KeyError, ValueError):
        return None


def patients_of_card(card: Mapping[str, Any]) -> frozenset[str]:
    """Everyone whose frames taught a model, by its card; those who taught what it started from included.

    Raises:
        UserError: the card holds something else in the place of names.
    """
    split, lineage = (card.get(name, {}) for name in ("split", "lineage"))
    if not isinstance(split, dict) or not isinstance(lineage, dict):
        raise UserError("The model's card.json is damaged.", "Copy the model folder again from where it came.")
    try:
        return _names(split.get("training_patients", [])) | _names(lineage.get("taught_patients", []))
    except ValueError as error:
        raise UserError(
            f"The model's card.json is damaged: {error}.", "Copy the model folder again from where it came."
        ) from error


def patients_of_split(split: Mapping[str, Any]) -> frozenset[str]:
    """Everyone whose frames taught a run, by the content of its split.json.

    Raises:
        KeyError: it does not say.
        ValueError: it holds something else than names.
    """
    return _names(split["training_patients"]) | _names(split.get("earlier_patients", []))


def _names(values: Any) -> frozenset[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("patients are not a list of names")
    return frozenset(values)


def patients_of_file(weights: Path) -> frozenset[str] | None:
    """Everyone whose frames taught a weights file, by the run or model folder that it lies in.

    None where it lies in neither, or where the folder does not say: then nobody can tell.
    """
    place = weights.resolve().parent
    if place.name in RUN_PARTS:
        return patients_of_run(place.parent)
    try:
        card = read_json_object(place / "card.json")
        return patients_of_card(card) if "split" in card else None
    except UserError:
        return None


def unknown(weights: Path) -> str:
    """What is told of weights whose teachers nobody knows; empty for published weights, which no patient taught."""
    if weights.suffix in (".pth", ".pt"):
        return ""
    return (
        f"Whose frames taught {weights.name} cannot be told, for it lies in no run or model folder: patients who are "
        "held out may be among them."
    )
