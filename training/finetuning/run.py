"""Runs a fine-tuning, from settings to a model folder."""

import hashlib
import re
from dataclasses import replace
from typing import Any

import torch

from training.compute.plan import choose_autocast, training_device
from training.datasets.frame_store import FrameStore
from training.finetuning.card import model_card, untaught_sentence
from training.finetuning.comparing import Comparing
from training.finetuning.config import FinetuneConfig
from training.finetuning.curves import Curves
from training.finetuning.fitting import Fitted, fit, fit_linear, prepare, with_steps
from training.finetuning.folder import RunFolder
from training.finetuning.held_out import evaluate, sample
from training.finetuning.rehearsal import Rehearsal, make_rehearsal
from training.finetuning.stages import Figures, LinearStage, better_stage, stages_entry
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
        left_out, split, warning, comparison (path or None).

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
        self.rehearsal: Rehearsal | None = None
        self.comparing: Comparing | None = None
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """Run all steps of a fine-tuning and return the result."""
        start, data = self._start()
        size = start.network.config.input_size
        has_close_ups = bool(self.config.boxes and self.config.close_ups)
        kept = size * CLOSE_UP_DETAIL if has_close_ups else size
        training = load_side(self.config, data.training, kept, self.folder, "training", self.reporter)
        held_out = load_side(self.config, data.held_out, size, self.folder, "held-out", self.reporter)
        data = replace(data, training=training.labelled, held_out=held_out.labelled)
        if start.previous is not None:
            self.comparing = Comparing(self.config, start, data, held_out, self.folder, self.autocast, self.reporter)
        fitted, figures = self._train(start.network, training, held_out, data.split.kind)
        if self.stages:
            self.reporter.log(self.stages["sentence"])
        return self._write(start, data, dict(figures), fitted)

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
        is_linear_first = self.config.linear_start or self.rehearsal is not None
        linear = self._linear_stage(network, training, held_out) if is_linear_first else None
        if linear is not None and split != "patients":
            self.stages = stages_entry(linear.figures, None, "linear")
            return Fitted(network, 0, 0, []), linear.figures
        if self.config.steps is None:
            found = with_steps(self.config, network, training, self.reporter, self.rehearsal)
            self.config = self.folder.rewrite(found)
        fitted = self._fit(network, training, sample(held_out))
        return fitted, self._better(network, linear, evaluate(network, held_out, self.autocast, self.reporter))

    def _linear_stage(self, network: FrameClassifier, training: FrameStore, held_out: FrameStore) -> LinearStage:
        """Fit the classifier on the frozen network, and evaluate it."""
        self.reporter.progress(0, 0, "frames", "fitting a linear classifier")
        fit_linear(self.config, network, training, self.reporter, self.rehearsal)
        figures = evaluate(network, held_out, self.autocast, self.reporter)
        state = {name: tensor.clone() for name, tensor in network.state_dict().items()}
        return LinearStage(figures, state, self._agreement())

    def _agreement(self) -> Figures:
        """With the old model on classes without labels; empty where there are none."""
        return self.comparing.agreement() if self.comparing is not None else {}

    def _better(self, network: FrameClassifier, linear: LinearStage | None, trained: Figures) -> Figures:
        """The figures of the better stage, whose weights the network has afterwards."""
        if linear is None:
            return trained
        agreement = linear.agreement, self._agreement()
        used = better_stage({**linear.figures, **agreement[0]}, {**trained, **agreement[1]})
        self.stages = stages_entry(linear.figures, trained, used, agreement)
        if used == "network":
            return trained
        network.load_state_dict(linear.state)
        return linear.figures

    def _fit(self, network: FrameClassifier, training: FrameStore, curve_frames: FrameStore) -> Fitted:
        """Train, writing curves and checkpoints."""
        config, folder = self.config.model_copy(update={"linear_start": False}), self.folder  # it was done before
        checkpoints = list_checkpoints(folder.checkpoints)
        first = checkpoints[0].step if checkpoints else 0

        def figures() -> dict[str, Any]:
            return evaluate(network, curve_frames, self.autocast, self.reporter)

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
        ) as curves:
            return fit(
                config,
                network,
                training,
                self.reporter,
                on_point=curves.add,
                checkpoints=folder.checkpoints,
                shield=self.shield,
                rehearsal=self.rehearsal,
            )

    def _write(
        self, start: StartingPoint, data: TrainingSet, figures: dict[str, Any], fitted: Fitted
    ) -> dict[str, Any]:
        """Write model folder, comparison and card; returns the result."""
        config, split = self.config, data.split
        warning = " ".join(part for part in (trust_warning(figures), split.sentence) if part)
        card = model_card(config, start, data, figures, warning, fitted, self.rehearsal) | {"stages": self.stages}
        precision = torch.float16 if config.stored_as == "float16" else torch.float32
        network = start.network
        save_network(network, self.folder.model, card, precision=precision)
        if self.comparing is not None:
            write_json(self.folder.comparison, {**self.comparing.comparison(figures), "stages": self.stages})
        write_json(self.folder.card, card)
        if warning:
            self.reporter.log(warning)
        return {
            "run": str(self.folder.path),
            "model": str(self.folder.model),
            "comparison": str(self.folder.comparison) if start.previous is not None else None,
            "left_out": data.labelled.left_out,
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


def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
