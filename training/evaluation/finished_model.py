"""A finished model, evaluated as it is on labelled frames of patients that it was not trained on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from training.datasets.folds import Fold
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import WITHOUT_GROUPS, EvaluationSet, evaluation_set
from training.metrics.calibration import Platt, calibrated_by
from training.models.config import plain_name
from training.models.folder import ModelFolder
from training.runs.provenance import patients_seen
from training.runs.reporter import Reporter
from training.texts import Text, count_text


@dataclass(frozen=True)
class FinishedModel:
    """A model, and what of a data set it can be evaluated on."""

    folder: ModelFolder
    class_names: dict[str, str]
    """Its class by the label of the data set, where the names differ."""

    @classmethod
    def open(cls, config: EvaluateConfig) -> "FinishedModel | None":
        """None where the config trains in each fold.

        Raises:
            UserError: no model folder, or `class_names` names a class that the model does not have.
        """
        if config.model is None:
            return None
        folder = ModelFolder.open(config.model)
        for name in config.class_names.values():
            if name not in folder.config.classes[1:]:
                raise UserError(
                    "The model has no class {name}.", "It has {classes}.", name, ", ".join(folder.config.classes[1:])
                )
        return cls(folder, dict(config.class_names))

    def columns(self, classes: tuple[str, ...]) -> tuple[str, ...]:
        """The model's class of each class of the data set; names may differ in capitals, hyphens and underscores."""
        own = self.folder.config.classes
        alike = {plain_name(name): name for name in own}
        return tuple(
            self.class_names.get(name) or (name if name in own else alike.get(plain_name(name), name))
            for name in classes
        )

    def evaluation_set(self, config: EvaluateConfig, reporter: Reporter) -> EvaluationSet:
        """The frames with labels that the model knows, of patients that it was not trained on.

        Raises:
            UserError: see `evaluation_set`; no label is a class of the model, or it was trained on every patient.
        """
        data = evaluation_set(config, reporter, without_groups=WITHOUT_GROUPS)
        there = data.labelled.classes[1:]
        shared = tuple(name for name in there if self.columns((name,))[0] in self.folder.config.classes[1:])
        if not shared:
            raise UserError(
                "No label of the data is a class of the model.",
                "The data have {there}, the model {classes}. Say which is which: --set class_names=…, see --help.",
                ", ".join(there),
                ", ".join(self.folder.config.classes[1:]),
            )
        warnings = []
        if len(shared) < len(there):
            unknown = ", ".join(name for name in there if name not in shared)
            warnings.append(
                Text(
                    "The model has no class for {unknown}: these labels are left out. If it has a class of another "
                    "name for them: --set class_names=…, see --help.",
                    unknown,
                )
            )
            data = evaluation_set(config.model_copy(update={"classes": shared}), reporter)
        seen = patients_seen(self.folder.card)
        rows = np.flatnonzero(~np.isin(data.labelled.patients, sorted(seen)))
        if not len(rows):
            raise UserError(
                "The model was trained on every patient of the data.", "Evaluate it on data of other patients."
            )
        if len(rows) < len(data.labelled):
            count = len(np.unique(data.labelled.patients)) - len(np.unique(data.labelled.patients[rows]))
            warnings.append(
                count_text(
                    "The model was trained on {count} patient of the data, who is left out.",
                    "The model was trained on {count} patients of the data, who are left out.",
                    count,
                )
            )
            everything = data.everything
            others = everything.select(np.flatnonzero(~np.isin(everything.patients, sorted(seen))))
            data = replace(data.selected(rows), everything=others)
        elif not seen:
            warnings.append(
                Text("The model does not say which patients it was trained on: whether some are here is not known.")
            )
        _check_classes(data)
        class_names = dict(zip(shared, self.columns(shared), strict=True))
        return replace(data, warnings=(*data.warnings, *warnings), class_names=class_names)

    def calibration(self, classes: Sequence[str]) -> dict[str, Platt]:
        """What its card says of the calibration of the data set's classes.

        Empty where scores that are shared among all its classes are shared among fewer here.
        """
        config = self.folder.config
        if config.scores != "against_normal" and len(classes) < len(config.classes):
            return {}
        of_class = {name: calibrated_by(self.folder.card, self.columns((name,))[0]) for name in classes[1:]}
        return {name: platt for name, platt in of_class.items() if platt is not None}

    def facts(self) -> dict[str, Any]:
        """What the report says of it."""
        return {
            "model_id": self.folder.config.model_id,
            "sha256": self.folder.sha256,
            "classes": list(self.folder.config.classes),
            "class_names": self.class_names,
            "training_patients": len(patients_seen(self.folder.card)),
        }


def whole_set(data: EvaluationSet) -> list[Fold]:
    """One fold that holds out every frame."""
    rows = np.arange(len(data.labelled))
    return [Fold(0, rows[:0], rows, (), tuple(np.unique(data.labelled.patients).tolist()))]


def _check_classes(data: EvaluationSet) -> None:
    for name, count in data.labelled.counts().items():
        if not count:
            raise UserError(
                "All frames labelled {name} are of patients that the model was trained on.",
                "Evaluate it on data of other patients, or without this class.",
                Text(name),
            )
