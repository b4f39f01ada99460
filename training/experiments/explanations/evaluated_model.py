"""A model whose explanations are evaluated: a classifier, or a pretraining without classes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.inference.explained_model import ExplainedModel
from training.models.folder import ModelFolder, file_sha256
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.provenance import patients_of_card


@dataclass(frozen=True)
class EvaluatedModel:
    """Facts about a model that is not loaded yet."""

    path: Path
    """Model folder, or a pretraining's run folder."""
    model_id: str
    sha256: str
    backbone: str
    input_size: int
    """Side in px of the frames that it explains."""
    trained_on: frozenset[str]
    """Groups that it was trained on, as far as known."""
    has_classes: bool
    number: int = 0
    """Of the fold."""
    held_out: frozenset[str] = frozenset()
    """Groups whose frames it explains."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Of a fold's model on its held-out images; see `training.metrics.protocol.fold_figures`."""

    @staticmethod
    def of_folder(folder: ModelFolder) -> "EvaluatedModel":
        """A classifier."""
        config, trained_on = folder.config, patients_of_card(folder.card)
        return EvaluatedModel(
            folder.path, config.model_id, folder.sha256, config.backbone, config.input_size, trained_on, True
        )

    @staticmethod
    def of_run(run: Path, step: int | None) -> "EvaluatedModel":
        """A pretraining's weights: those kept at a step, or its newest."""
        found = Pretrained.open(run, step)
        config, sha256 = found.config, file_sha256(found.weights)
        return EvaluatedModel(run, found.model_id, sha256, config.backbone, config.input_size, found.patients, False)

    @staticmethod
    def of_config(config: EvaluateExplanationsConfig, groups: frozenset[str]) -> "EvaluatedModel":
        """The requested model, to explain frames of `groups`; if `unseen`, only of those that it was not trained on.

        Raises:
            UserError: neither a model folder nor a pretraining's run, damaged, or without weights of the step.
        """
        assert config.model is not None
        is_run = is_pretraining(config.model)
        found = (
            EvaluatedModel.of_run(config.model, config.at_step)
            if is_run
            else EvaluatedModel.of_folder(ModelFolder.open(config.model))
        )
        held_out = groups - found.trained_on if config.unseen else groups
        return replace(found, held_out=held_out, input_size=config.input_size or found.input_size)

    def open(self, config: EvaluateExplanationsConfig) -> ExplainedModel:
        """Load it."""
        step = None if self.has_classes else config.at_step
        ready = ExplainedModel.open(self.path, device=config.device, precision=config.precision, step=step)
        ready.input_size = self.input_size
        return ready
