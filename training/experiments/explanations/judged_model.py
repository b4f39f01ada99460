"""A model whose explanations are judged: a classifier, or a pretraining that knows no classes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.inference.explained_model import ExplainedModel
from training.models.folder import ModelFolder, file_sha256
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.taught import patients_of_card


@dataclass(frozen=True)
class JudgedModel:
    """What is known of a model before it is loaded."""

    path: Path
    """Model folder, or a pretraining's run folder."""
    model_id: str
    sha256: str
    backbone: str
    input_size: int
    """Side in px of the frames that it explains."""
    taught: frozenset[str]
    """Groups that it learned from, as far as it says so."""
    has_classes: bool
    number: int = 0
    """Of the fold."""
    held_out: frozenset[str] = frozenset()
    """Groups whose frames it explains."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Of a fold's model on its held-out images; see `training.metrics.protocol.fold_figures`."""

    @staticmethod
    def of_folder(folder: ModelFolder) -> "JudgedModel":
        """A classifier."""
        told, taught = folder.config, patients_of_card(folder.card)
        return JudgedModel(folder.path, told.model_id, folder.sha256, told.backbone, told.input_size, taught, True)

    @staticmethod
    def of_run(run: Path, step: int | None) -> "JudgedModel":
        """A pretraining's weights: those kept at a step, or its newest."""
        found = Pretrained.open(run, step)
        told, sha256 = found.config, file_sha256(found.weights)
        return JudgedModel(run, found.model_id, sha256, told.backbone, told.input_size, found.patients, False)

    @staticmethod
    def of_config(config: EvaluateExplanationsConfig, groups: frozenset[str]) -> "JudgedModel":
        """The model that was asked for, to explain frames of `groups`; of those alone that it never saw if `unseen`.

        Raises:
            UserError: neither a model folder nor a pretraining's run, damaged, or without weights of the step.
        """
        assert config.model is not None
        is_run = is_pretraining(config.model)
        found = (
            JudgedModel.of_run(config.model, config.at_step)
            if is_run
            else JudgedModel.of_folder(ModelFolder.open(config.model))
        )
        held_out = groups - found.taught if config.unseen else groups
        return replace(found, held_out=held_out, input_size=config.input_size or found.input_size)

    def open(self, config: EvaluateExplanationsConfig) -> ExplainedModel:
        """Load it."""
        step = None if self.has_classes else config.at_step
        ready = ExplainedModel.open(self.path, device=config.device, precision=config.precision, step=step)
        ready.input_size = self.input_size
        return ready
