"""Runs a fine-tuning, from settings to a model folder."""

import hashlib
import re
from typing import Any

import torch

from training.compute.plan import choose_autocast, training_device
from training.datasets.frame_store import FrameStore
from training.finetuning.card import model_card, unlabelled_classes
from training.finetuning.config import FinetuneConfig
from training.finetuning.curves import Curves
from training.finetuning.fitting import Fitted, fit, fit_linear, prepare, with_steps
from training.finetuning.folder import RunFolder
from training.finetuning.held_out import Evaluation, compare_on, evaluate, sample
from training.finetuning.stages import LinearStage, better_stage, stages_entry
from training.finetuning.starting_point import StartingPoint, starting_point
from training.finetuning.training_set import TrainingSet, load_side, read_targets, training_set, write_split
from training.metrics.comparison import ModelScores
from training.metrics.figures import trust_warning
from training.models.network import FrameClassifier, load_network, save_network
from training.optimisation.pace import threads_for_training
from training.runs.checkpoint import list_checkpoints
from training.runs.folder import write_json
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused
from training.runs.run_log import RunLog

CLOSE_UP_DETAIL = 2
"""Size of frames for close-ups, in multiples of the network's input size."""


def finetune(config: FinetuneConfig, reporter: Reporter) -> dict[str, Any]:
    """Train on labelled frames and write the run folder; see `FinetuneConfig` for what can be set.

    Stopping writes a checkpoint and the model, and the run can be resumed; cancelling keeps the last checkpoint only.
    The card's figures come from held-out frames, which do not influence the training.

    Returns:
        JSON values: run, model, model_id, finished, stages (see `stages_entry`), steps_done,
        steps, classes, untaught_classes, held_out figures,
        left_out, split, warning, comparison (path or None), verdict (of the comparison, or None).

    Raises:
        UserError: unusable input, a diverged loss, a full disk.
        Cancelled: on request of the reporter.
    """
    folder = RunFolder(config.out)
    with removed_if_refused(folder.path, lambda: folder.has_results):
        is_new = not (config.resume and folder.has_results)
        if config.resume and folder.is_started:
            config = folder.resume(config)
        if is_new:
            read_targets(config)  # report invalid input before the folder is created
            config = folder.create(config)
        return _finetune(config, folder, reporter)


def _finetune(config: FinetuneConfig, folder: RunFolder, reporter: Reporter) -> dict[str, Any]:
    log = RunLog(folder.path, reporter)
    try:
        with threads_for_training(config.threads):
            return Finetuning(config, folder, log, reporter).run()
    finally:
        log.close()
        for spilled in folder.path.glob("frames-*.tmp"):
            spilled.unlink()


class Finetuning:
    """One run, after its folder was created or read."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter, shield: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.shield = shield
        self.device = training_device(config.device, reporter)
        self.stages: dict[str, Any] = {}
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """Run all steps of a fine-tuning and return the result."""
        targets = read_targets(self.config)
        start = starting_point(self.config, targets, model_id(self.config), self.reporter)
        data = training_set(self.config, targets, start.training_patients, self.reporter)
        write_split(self.folder, data, start.training_patients)
        if unlabelled := unlabelled_classes(start, data):
            self.reporter.log(f"Classes of the model without labels in this run: {', '.join(unlabelled)}.")
        size = start.network.config.input_size
        has_close_ups = bool(self.config.boxes and self.config.close_ups)
        kept = size * CLOSE_UP_DETAIL if has_close_ups else size
        training = load_side(self.config, data.training, kept, self.folder, "training", self.reporter)
        held_out = load_side(self.config, data.held_out, size, self.folder, "held-out", self.reporter)
        data = TrainingSet(data.split, data.everything, training.labelled, held_out.labelled)

        network = start.network
        prepare(self.config, network, self.reporter)
        linear = self._linear_stage(network, training, held_out) if self.config.linear_start else None
        if linear is not None and data.split.kind != "patients":
            fitted, evaluation = Fitted(network, 0, 0, []), linear.held_out
            self.stages = stages_entry(evaluation.figures, None, "linear")
        else:
            if self.config.steps is None:
                self.config = self.folder.rewrite(with_steps(self.config, network, training, self.reporter))
            fitted = self._fit(network, training, sample(held_out))
            evaluation = self._better(network, linear, evaluate(network, held_out, self.autocast, self.reporter))
        if self.stages:
            self.reporter.log(self.stages["sentence"])
        return self._write(start, data, evaluation, fitted)

    def _linear_stage(self, network: FrameClassifier, training: FrameStore, held_out: FrameStore) -> LinearStage:
        """Fit the classifier on the frozen network, and evaluate it."""
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        fit_linear(self.config, network, training, self.reporter)
        evaluation = evaluate(network, held_out, self.autocast, self.reporter)
        return LinearStage(evaluation, {name: tensor.clone() for name, tensor in network.state_dict().items()})

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

    def _fit(self, network: FrameClassifier, training: FrameStore, curve_frames: FrameStore) -> Fitted:
        """Train, writing curves and checkpoints."""
        config, folder = self.config.model_copy(update={"linear_start": False}), self.folder  # it was done before
        checkpoints = list_checkpoints(folder.checkpoints)
        first = checkpoints[0].step if checkpoints else 0

        def figures() -> dict[str, Any]:
            return evaluate(network, curve_frames, self.autocast, self.reporter).figures

        method = config.method_class
        with Curves(
            folder,
            method.terms,
            first,
            config.steps or 0,
            config.evaluations,
            figures,
            self.reporter,
            method.scale_names,
        ) as curves:
            return fit(
                config,
                network,
                training,
                self.reporter,
                on_point=curves.add,
                checkpoints=folder.checkpoints,
                shield=self.shield,
            )

    def _write(self, start: StartingPoint, data: TrainingSet, evaluation: Evaluation, fitted: Fitted) -> dict[str, Any]:
        """Write model folder, comparison and card; returns the result."""
        config, split, figures = self.config, data.split, evaluation.figures
        warning = " ".join(part for part in (trust_warning(figures), split.sentence) if part)
        card = model_card(config, start, data, figures, warning, fitted) | {"stages": self.stages}
        precision = torch.float16 if config.stored_as == "float16" else torch.float32
        save_network(start.network, self.folder.model, card, precision=precision)
        comparison = self._compare(start, data, evaluation)
        if comparison:
            write_json(self.folder.comparison, comparison)
            self.reporter.log(comparison["verdict"]["sentence"])
        write_json(self.folder.card, card)
        if warning:
            self.reporter.log(warning)
        return {
            "run": str(self.folder.path),
            "model": str(self.folder.model),
            "comparison": str(self.folder.comparison) if comparison else None,
            "verdict": comparison.get("verdict"),
            "left_out": data.everything.left_out.sentence(),
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


def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
