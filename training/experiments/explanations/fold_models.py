"""A model for each part of the groups, trained on the others; kept, so that a second call need not train again."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from training.datasets.folds import Fold, make_folds
from training.datasets.frame_store import FrameStore
from training.errors import UserError
from training.evaluation.cross_validation import check_finite
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.evaluation.fold_run import FoldReporter, finetuning_of, run_fold
from training.experiments.engine import NOTICE
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.files import inputs, json_text
from training.finetuning.starting_point import starting_point
from training.inference.explained_model import ExplainedModel
from training.metrics.protocol import fold_figures
from training.models.folder import ModelFolder, file_sha256
from training.models.network import FrameClassifier, save_network
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.folder import write_json
from training.runs.provenance import patients_seen
from training.runs.reporter import Reporter


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

    @classmethod
    def of_folder(cls, folder: ModelFolder, **of_fold: Any) -> Self:
        """A classifier; `of_fold`: what is known of a fold's."""
        config, trained_on = folder.config, patients_seen(folder.card)
        known = config.model_id, folder.sha256, config.backbone, config.input_size, trained_on
        return cls(folder.path, *known, has_classes=True, **of_fold)

    @classmethod
    def of_config(cls, config: EvaluateExplanationsConfig, groups: frozenset[str]) -> Self:
        """The requested model, to explain frames of `groups`; if `unseen`, only of those that it was not trained on.

        Raises:
            UserError: neither a model folder nor a pretraining's run, damaged, or without weights of the step.
        """
        assert config.model is not None
        if is_pretraining(config.model):
            run = Pretrained.open(config.model, config.at_step)
            known = run.model_id, file_sha256(run.weights), run.config.backbone, run.config.input_size, run.patients
            asked = cls(config.model, *known, has_classes=False)
        else:
            asked = cls.of_folder(ModelFolder.open(config.model))
        held_out = groups - asked.trained_on if config.unseen else groups
        return replace(asked, held_out=held_out, input_size=config.input_size or asked.input_size)

    def open(self, config: EvaluateExplanationsConfig) -> ExplainedModel:
        """Load it."""
        step = None if self.has_classes else config.at_step
        return ExplainedModel.open(
            self.path, device=config.device, precision=config.precision, step=step, input_size=self.input_size
        )


FACTS = "fold.json"
TRAINING = ("normal_label", "classes", "method", "preset", "backbone", "input_size", "batch_size", "steps", "settings")
"""Settings that decide what a fold's model is, besides the start, the folds and the seeds."""

SHARED = (
    *TRAINING,
    "images",
    "labels",
    "init",
    "folds",
    "fold_seed",
    "device",
    "precision",
    "threads",
    "memory_mib",
    "seed",
)
"""Settings that a cross-validation has under the same names."""


def fold_models(config: EvaluateExplanationsConfig, reporter: Reporter) -> Iterator[EvaluatedModel]:
    """Each fold's model, taken from where it is kept or trained now through `finetuning.fitting.fit`.

    Ends early after a stop. The boxes are used for the evaluation only, never for training.

    Raises:
        UserError: unusable images or labels, or models that were kept from other settings.
    """
    assert config.folds is not None
    shared = {name: getattr(config, name) for name in SHARED}
    asked = EvaluateConfig.checked(**shared, out=config.models or config.out)
    data = evaluation_set(asked, reporter)
    folds = make_folds(data.labelled, config.folds, config.fold_seed, "patients")
    work = _Training(config, asked, data)
    for fold in folds:
        fold_reporter = FoldReporter(reporter, f"fold {fold.number + 1} of {config.folds}: ")
        result = work.kept(fold) or work.train(fold, fold_reporter)
        if result is None:
            return
        yield result


class _Training:
    """What the folds of one evaluation share."""

    def __init__(self, config: EvaluateExplanationsConfig, asked: EvaluateConfig, data: EvaluationSet) -> None:
        self.config, self.asked, self.data = config, asked, data
        self.folder = config.models or config.out / "models"
        self.store: FrameStore | None = None

    def kept(self, fold: Fold) -> EvaluatedModel | None:
        """The model from an earlier call; None where there is none that was finished."""
        path = self.folder / f"fold-{fold.number:02}"
        try:
            facts = json_text.read_json_object(path / FACTS)
            before, held_out, figures = (facts[name] for name in ("asked", "held_out", "figures"))
            changed = [(name, before.get(name), new) for name, new in self.identity.items() if before.get(name) != new]
        except (UserError, KeyError, AttributeError):
            return None
        for name, was, value in changed:
            raise UserError(
                f"The model of fold {fold.number + 1} in {self.folder} was trained with {name} = {was}, not {value}.",
                "Use its own settings, or another folder: --set models=DIR.",
            )
        if held_out != list(fold.held_out_patients):
            raise UserError(f"The model of fold {fold.number + 1} in {self.folder} held out different groups.")
        return self._model(fold, ModelFolder.open(path / "model"), figures)

    def train(self, fold: Fold, reporter: Reporter) -> EvaluatedModel | None:
        """Train, keep and return it; None after a stop. fold.json is written last: where it is, the model is whole."""
        if reporter.stop_requested:
            return None
        path, config = self.folder / f"fold-{fold.number:02}", self.config
        path.mkdir(parents=True, exist_ok=True)
        patients = {
            "training_patients": list(fold.training_patients),
            "held_out_patients": list(fold.held_out_patients),
        }
        split, saved = {"kind": "patients", **patients}, list[ModelFolder]()

        def keep(network: FrameClassifier, _: NDArray[np.int64], __: NDArray[np.float32]) -> None:
            name = {"model_id": f"fold-{fold.number + 1}-of-{config.folds}"}
            network.config = network.config.model_copy(update=name)
            card = {"notice": NOTICE, "method": self.identity, "split": split, "seed": config.seed}
            saved.append(save_network(network, path / "model", card))

        frames = self._frames(path, reporter)
        scores = run_fold(self.asked, fold, frames, reporter, seed=config.seed, init=config.init, on_trained=keep)
        if scores is None:
            return None
        check_finite(scores)
        labelled = self.data.labelled
        figures: dict[str, Any] = dict(
            fold_figures(labelled.label[scores.rows], scores.scores, labelled.frame_number[scores.rows])
        )
        facts = {
            "asked": self.identity,
            "held_out": list(fold.held_out_patients),
            "held_out_images": [self.data.name_of(row) for row in fold.held_out.tolist()],
            "figures": figures,
            "steps": scores.steps,
            "learned_from": scores.learned_from,
        }
        write_json(path / FACTS, facts)
        (path / "frames.tmp").unlink(missing_ok=True)
        return self._model(fold, saved[0], figures)

    @staticmethod
    def _model(fold: Fold, folder: ModelFolder, figures: Mapping[str, Any]) -> EvaluatedModel:
        held_out = frozenset(fold.held_out_patients)
        return EvaluatedModel.of_folder(folder, number=fold.number, held_out=held_out, figures=figures)

    def _frames(self, path: Path, reporter: Reporter) -> FrameStore:
        if self.store is None:
            first = finetuning_of(self.asked, self.config.seed, self.config.init)
            classes = self.data.labelled.classes
            size = self.config.input_size or starting_point(first, classes, "size", reporter).network.config.input_size
            self.store = self.data.load(self.data.labelled, size, path / "frames.tmp", reporter)
            if len(self.store) < len(self.data.labelled):
                raise UserError(
                    "Some images cannot be read, so the folds would differ.", "Remove them from the labels."
                )
        return self.store

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What decides which models these are, as JSON values without the paths of the machine."""
        dumped = self.config.model_dump(mode="json")
        start = Path(self.config.init)
        named = {name: dumped[name] for name in TRAINING}
        labels = hashlib.sha256(inputs.regular_file(self.config.labels, "table").read_bytes()).hexdigest()
        weights = hashlib.sha256(start.read_bytes()).hexdigest() if start.is_file() else ""
        named |= {"init": start.name, "init_sha256": weights, "labels_sha256": labels}
        return named | {"folds": self.config.folds, "fold_seed": self.config.fold_seed, "seed": self.config.seed}
