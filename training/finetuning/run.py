"""Runs a fine-tuning of the network, from settings to a model folder."""

<<<<<<< HEAD
import hashlib
import re
from dataclasses import replace
=======
from collections.abc import Mapping
>>>>>>> linear
from typing import Any

import torch

from training.compute.plan import choose_autocast, training_device
from training.datasets.frame_store import FrameStore
<<<<<<< HEAD
from training.finetuning.card import model_card, untaught_sentence
from training.finetuning.comparing import Comparing
=======
from training.finetuning.card import Made, unlabelled_classes
>>>>>>> linear
from training.finetuning.config import FinetuneConfig
from training.finetuning.curves import Curves, due_steps
from training.finetuning.early_stopping import EarlyStopping
from training.finetuning.fitting import Fitted, fit, fit_linear, prepare, with_steps
<<<<<<< HEAD
from training.finetuning.folder import RunFolder, model_id
from training.finetuning.held_out import evaluate, sample
<<<<<<< HEAD
from training.finetuning.rehearsal import Rehearsal, make_rehearsal
from training.finetuning.stages import Figures, LinearStage, better_stage, mean_auc, stages_entry
=======
from training.finetuning.folder import RunFolder
from training.finetuning.held_out import Evaluation, compare_on, evaluate, sample
from training.finetuning.stages import LinearStage, better_stage, stages_entry
>>>>>>> verdict
from training.finetuning.starting_point import StartingPoint, starting_point
from training.finetuning.training_set import (
    TrainingSet,
    labelled_frames,
    load_side,
    read_targets,
    training_set,
    write_split,
)
from training.methods.rehearsing import TERM
from training.metrics.figures import trust_warning
from training.models.network import FrameClassifier, save_network
=======
from training.finetuning.results import Previous, write_results
from training.finetuning.stages import (
    CLASSIFIER_ONLY,
    TOO_FEW_GROUPS,
    Figures,
    LinearStage,
    better_stage,
    stages_entry,
)
from training.finetuning.starting_point import StartingPoint, known_embeddings, starting_point
from training.finetuning.training_set import TrainingSet, load_side, read_targets, training_set, write_split
<<<<<<< HEAD
=======
from training.metrics.comparison import ModelScores
from training.metrics.figures import trust_warning
>>>>>>> verdict
from training.models.network import FrameClassifier, load_network, save_network
>>>>>>> linear
from training.optimisation.pace import threads_for_training
from training.runs.checkpoint import list_checkpoints
from training.runs.reporter import Reporter

CLOSE_UP_DETAIL = 2
"""Size of frames for close-ups, in multiples of the network's input size."""


def run_finetuning(config: FinetuneConfig, folder: RunFolder, log: Reporter, shield: Reporter) -> dict[str, Any]:
    """Train in a run folder that was created or read; see `training.finetuning.start.finetune`.

<<<<<<< HEAD
    Args:
        config: the settings of the run.
        folder: the run folder.
        log: reporter that also writes the run's log.
        shield: reporter for the writing of checkpoints.
=======
    Stopping writes a checkpoint and the model, and the run can be resumed; cancelling keeps the last checkpoint only.
    The card's figures come from held-out frames, which do not influence the training.

    Returns:
        JSON values: run, model, model_id, finished, stages (see `stages_entry`), steps_done,
        steps, classes, untaught_classes, held_out figures,
        left_out, split, warning, comparison (path or None), verdict (of the comparison, or None).

    Raises:
        UserError: unusable input, a diverged loss, a full disk.
        Cancelled: on request of the reporter.
>>>>>>> verdict
    """
    with threads_for_training(config.threads):
        return Finetuning(config, folder, log, shield).run()


class Finetuning:
    """One run, after its folder was created or read."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter, shield: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.shield = shield
        self.device = training_device(config.device, reporter)
        self.stages: dict[str, Any] = {}
        self.rehearsal: Rehearsal | None = None
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """Run all steps of a fine-tuning and return the result."""
<<<<<<< HEAD
        start, data = self._start()
=======
        targets = read_targets(self.config)
        start = starting_point(self.config, targets, model_id(self.config), self.reporter)
        data = training_set(self.config, targets, start.training_patients, self.reporter)
        write_split(self.folder, data, start.training_patients)
        if unlabelled := unlabelled_classes(start.network.config.classes, data):
            self.reporter.log(f"Classes of the model without labels in this run: {', '.join(unlabelled)}.")
>>>>>>> linear
        size = start.network.config.input_size
        has_close_ups = bool(self.config.boxes and self.config.close_ups)
        kept = size * CLOSE_UP_DETAIL if has_close_ups else size
        training = load_side(self.config, data.training, kept, self.folder, "training", self.reporter)
        held_out = load_side(self.config, data.held_out, size, self.folder, "held-out", self.reporter)
<<<<<<< HEAD
        data = replace(data, training=training.labelled, held_out=held_out.labelled)
        fitted, figures = self._train(start.network, training, held_out, data.split.kind)
=======
        data = TrainingSet(data.split, data.everything, training.labelled, held_out.labelled)

        network = start.network
        prepare(self.config, network, self.reporter)
<<<<<<< HEAD
        only = self.config.is_classifier_only
        linear = self._linear_stage(start, training, held_out) if self.config.linear_start or only else None
        if linear is not None and (only or data.split.kind != "patients"):
            fitted, figures = Fitted(network, 0, 0, []), linear.figures
            self.stages = stages_entry(figures, None, "linear", CLASSIFIER_ONLY if only else TOO_FEW_GROUPS)
=======
        linear = self._linear_stage(network, training, held_out) if self.config.linear_start else None
        if linear is not None and data.split.kind != "patients":
            fitted, evaluation = Fitted(network, 0, 0, []), linear.held_out
            self.stages = stages_entry(evaluation.figures, None, "linear")
>>>>>>> verdict
        else:
            if self.config.steps is None:
                self.config = self.folder.rewrite(with_steps(self.config, network, training, self.reporter))
            fitted = self._fit(network, training, sample(held_out))
<<<<<<< HEAD
            figures = self._better(network, linear, evaluate(network, held_out, self.autocast, self.reporter))
>>>>>>> linear
        if self.stages:
            self.reporter.log(self.stages["sentence"])
        return self._write(start, data, held_out, dict(figures), fitted)
=======
            evaluation = self._better(network, linear, evaluate(network, held_out, self.autocast, self.reporter))
        if self.stages:
            self.reporter.log(self.stages["sentence"])
        return self._write(start, data, evaluation, fitted)
>>>>>>> verdict

    def _start(self) -> tuple[StartingPoint, TrainingSet]:
        """Network and frames of the run, and what it rehearses; writes split.json."""
        labelled = labelled_frames(self.config, self.reporter)
        start = starting_point(self.config, labelled.frames.classes, model_id(self.config), self.reporter)
        data = training_set(self.config, labelled, start.training_patients, self.reporter)
        self.rehearsal = make_rehearsal(self.config, start, data, self.folder, self.reporter)
        if sentence := untaught_sentence(start, data, self.rehearsal):
            self.reporter.log(sentence)
        rehearsed = self.rehearsal.frames.labelled if self.rehearsal is not None else None
        write_split(self.folder, data, start.training_patients, rehearsed)
        return start, data

    def _train(
        self, network: FrameClassifier, training: FrameStore, held_out: FrameStore, split: str
    ) -> tuple[Fitted, Figures]:
        """Both stages, or the only one; the network has the kept weights afterwards."""
        prepare(self.config, network, self.reporter)
        linear = self._linear_stage(network, training, held_out) if self.config.linear_start else None
        if linear is not None and split != "patients":
            self.stages = stages_entry(linear.figures, None, "linear")
            return Fitted(network, 0, 0, []), linear.figures
        if self.config.steps is None:
            found = with_steps(self.config, network, training, self.reporter, self.rehearsal)
            self.config = self.folder.rewrite(found)
        fitted = self._fit(network, training, sample(held_out), has_patients=split == "patients")
        return fitted, self._better(network, linear, evaluate(network, held_out, self.autocast, self.reporter))

    def _linear_stage(self, start: StartingPoint, training: FrameStore, held_out: FrameStore) -> LinearStage:
        """Fit the classifier on the frozen network, and evaluate it."""
        network = start.network
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
<<<<<<< HEAD
<<<<<<< HEAD
        fit_linear(self.config, network, training, self.reporter, self.rehearsal)
=======
        known = known_embeddings(self.config, start, training.labelled, self.reporter)
        fit_linear(self.config, network, training, self.reporter, known)
>>>>>>> linear
        figures = evaluate(network, held_out, self.autocast, self.reporter)
        return LinearStage(figures, {name: tensor.clone() for name, tensor in network.state_dict().items()})
=======
        fit_linear(self.config, network, training, self.reporter)
        evaluation = evaluate(network, held_out, self.autocast, self.reporter)
        return LinearStage(evaluation, {name: tensor.clone() for name, tensor in network.state_dict().items()})
>>>>>>> verdict

    def _better(self, network: FrameClassifier, linear: LinearStage | None, trained: Evaluation) -> Evaluation:
        """The evaluation of the better stage, whose weights the network has afterwards."""
        if linear is None:
            return trained
        used = better_stage(linear.held_out.figures, trained.figures)
        self.stages = stages_entry(linear.held_out.figures, trained.figures, used)
        if used == "network":
            return trained
        network.load_state_dict(linear.state)
        return linear.held_out

    def _fit(
        self, network: FrameClassifier, training: FrameStore, curve_frames: FrameStore, *, has_patients: bool
    ) -> Fitted:
        """Train, writing curves and checkpoints; early stopping needs held-out patients."""
        config, folder = self.config.model_copy(update={"linear_start": False}), self.folder  # it was done before
        checkpoints = list_checkpoints(folder.checkpoints)
        first = checkpoints[0].step if checkpoints else 0

        def figures() -> dict[str, Any]:
            return evaluate(network, curve_frames, self.autocast, self.reporter).figures

        early = self._early_stopping(first) if has_patients else None

        def evaluated(step: int, found: dict[str, Any]) -> None:
            if early is not None:
                early.add(step, mean_auc(found), network)

        method = config.method_class
        with Curves(
            folder,
            (*method.terms, TERM) if self.rehearsal is not None else method.terms,
            first,
            config.steps or 0,
            config.evaluations,
            figures,
            self.reporter,
            method.scale_names,
            evaluated,
        ) as curves:
            fitted = fit(
                config,
                network,
                training,
                self.reporter,
                on_point=curves.add,
                checkpoints=folder.checkpoints,
                shield=self.shield,
                early=early,
                rehearsal=self.rehearsal,
            )
        if early is not None and early.best_step and fitted.is_finished:
            self.reporter.log(f"The weights of step {early.best_step} are used: their held-out AUC is the highest.")
        return fitted

    def _early_stopping(self, first_step: int) -> EarlyStopping | None:
        config = self.config
        if not (config.patience and config.evaluations):
            return None
        due = due_steps(config.steps or 0, config.evaluations)
        return EarlyStopping(self.folder.best, due, config.patience, first_step)

<<<<<<< HEAD
    def _write(
        self, start: StartingPoint, data: TrainingSet, held_out: FrameStore, figures: dict[str, Any], fitted: Fitted
    ) -> dict[str, Any]:
        """Write model folder, comparison and card; returns the result."""
<<<<<<< HEAD
        config, split = self.config, data.split
=======
    def _write(self, start: StartingPoint, data: TrainingSet, evaluation: Evaluation, fitted: Fitted) -> dict[str, Any]:
        """Write model folder, comparison and card; returns the result."""
        config, split, figures = self.config, data.split, evaluation.figures
>>>>>>> verdict
        warning = " ".join(part for part in (trust_warning(figures), split.sentence) if part)
        card = model_card(config, start, data, figures, warning, fitted, self.rehearsal) | {"stages": self.stages}
        precision = torch.float16 if config.stored_as == "float16" else torch.float32
<<<<<<< HEAD
        network = start.network
        save_network(network, self.folder.model, card, precision=precision)
        if start.previous is not None:
            comparing = Comparing(config, start, data, self.folder, self.autocast, self.reporter)
            found = comparing.comparison(held_out, figures)
            write_json(self.folder.comparison, {**found, "stages": self.stages})
=======
        save_network(start.network, self.folder.model, card, precision=precision)
        comparison = self._compare(start, data, evaluation)
        if comparison:
            write_json(self.folder.comparison, comparison)
            self.reporter.log(comparison["verdict"]["sentence"])
>>>>>>> verdict
        write_json(self.folder.card, card)
        if warning:
            self.reporter.log(warning)
        return {
            "run": str(self.folder.path),
            "model": str(self.folder.model),
<<<<<<< HEAD
            "comparison": str(self.folder.comparison) if start.previous is not None else None,
            "left_out": data.labelled.left_out,
=======
            "comparison": str(self.folder.comparison) if comparison else None,
            "verdict": comparison.get("verdict"),
            "left_out": data.everything.left_out.sentence(),
>>>>>>> verdict
            "split": split.kind,
            **{
                name: card[name]
                for name in (
                    "model_id",
                    "finished",
                    "stages",
                    "steps_done",
                    "steps",
                    "classes",
                    "untaught_classes",
                    "held_out",
                    "warning",
                )
            },
        }

<<<<<<< HEAD
=======
    def _compare(self, start: StartingPoint, data: TrainingSet, evaluation: Evaluation) -> dict[str, Any]:
        """The new model beside the one that the run started from, on the same frames; empty if there is none.

        Each model sees the frames at its own input size.
        """
        if start.previous is None:
            return {}
        old, new = start.previous.config, start.network.config
        frames = load_side(self.config, data.held_out, old.input_size, self.folder, "comparison", self.reporter)
        before = evaluate(load_network(start.previous, self.device), frames, self.autocast, self.reporter)
        models = (
            ModelScores(old.model_id, old.classes, before.scores),
            ModelScores(new.model_id, new.classes, evaluation.scores),
        )
        return {**compare_on(data.held_out, *models, data.split), "stages": self.stages}

>>>>>>> verdict

def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
=======
        network, device = start.network, start.network.mean.device
        computed = str(choose_autocast(self.config.precision, device) or torch.float32).removeprefix("torch.")
        made = Made(network.config, start.lineage, fitted, str(device), computed)
        precision = torch.float16 if self.config.stored_as == "float16" else torch.float32

        def save(card: Mapping[str, Any]) -> None:
            save_network(network, self.folder.model, card, precision=precision)

        previous = None
        if start.previous is not None:
            previous = Previous(start.previous.config.model_id, lambda: self._evaluate_previous(start, data))
        return write_results(self.folder, self.config, made, data, figures, self.stages, save, previous, self.reporter)

    def _evaluate_previous(self, start: StartingPoint, data: TrainingSet) -> dict[str, Any]:
        """Figures of the model that the run started from, on the same frames at its own input size."""
        assert start.previous is not None
        network = load_network(start.previous, self.device)
        size = network.config.input_size
        frames = load_side(self.config, data.held_out, size, self.folder, "comparison", self.reporter)
        return evaluate(network, frames, self.autocast, self.reporter)
>>>>>>> linear
