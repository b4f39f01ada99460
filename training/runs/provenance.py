"""What weights were trained on and came from: patients, so that they are not held out later, and the first start."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import read_json_object
from training.texts import Text

RUN_PARTS = ("checkpoints", "kept")
"""Folders of a run folder that hold weights."""


CLASSIFIER_PATIENTS = "classifier_patients"
"""In a card's split: patients that were held out, and from whom the classifier learned after its evaluation."""


def patients_of_run(path: Path) -> frozenset[str] | None:
    """Patients that a run was trained on, from its split.json; None where it cannot be read."""
    try:
        split = read_json_object(path / "split.json")
        return _names(split["training_patients"]) | _names(split.get("earlier_patients", []))
    except (UserError, KeyError, ValueError):
        return None


def patients_of_card(card: Mapping[str, Any]) -> frozenset[str]:
    """Patients that a model was trained on, from its card, including those of the weights it started from.

    For who starts from the model: without those that only its classifier learned from after the evaluation, see
    `training.models.linear_classifier.read_evaluated`.
    """
    return _patients_of_card(card, "training_patients")


def patients_seen(card: Mapping[str, Any]) -> frozenset[str]:
    """All patients that a model's scores learned from, for who evaluates the model as it is."""
    return _patients_of_card(card, "training_patients", CLASSIFIER_PATIENTS)


def _patients_of_card(card: Mapping[str, Any], *names: str) -> frozenset[str]:
    split, lineage = (card.get(name, {}) for name in ("split", "lineage"))
    if not isinstance(split, dict) or not isinstance(lineage, dict):
        raise UserError("The model's card.json is damaged.", "Copy the model folder again from where it came.")
    try:
        given = [split.get(name, []) for name in names]
        return frozenset().union(*map(_names, (*given, lineage.get("taught_patients", []))))
    except ValueError as error:
        raise UserError(
            "The model's card.json is damaged: {error}.", "Copy the model folder again from where it came.", error
        ) from error


def _names(values: Any) -> frozenset[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("patients are not a list of names")
    return frozenset(values)


def patients_of_file(weights: Path) -> frozenset[str] | None:
    """Patients that a weights file was trained on, from the run or model folder it is in.

    None where it is in neither, or where the folder does not say.
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
    """A warning for weights whose training patients are unknown; empty for published weights of ImageNet.

    Their files end in the first digits of their checksum, as torchvision's do: resnet18-f37072fd.pth.
    """
    if re.search(r"-[0-9a-f]{8}\.pth$", weights.name):
        return ""
    return Text(
        "It is unknown which patients {name} was trained on, because it is in no run or model folder. Held-out "
        "patients may be among them.",
        weights.name,
    )


def first_start(card: Mapping[str, Any]) -> str:
    """What the first model or pretraining of a lineage started from, such as imagenet; empty if unknown."""
    lineage = card.get("lineage")
    if not isinstance(lineage, Mapping):
        return ""
    start = lineage.get("first_start") if lineage.get("init") in ("model", "pretrained") else lineage.get("init")
    return start if isinstance(start, str) else ""
