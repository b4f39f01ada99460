"""A finetuning from settings to a model folder: the order of things, each of which lives in a file of its own."""

import copy
import hashlib
import re
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from training.evaluation.comparison import compare
from training.evaluation.figures import trust_warning
from training.evaluation.score_frames import score_frames
from training.methods.refit import refit_classifier
from training.methods.tl_ba import TripletBatchAll
from training.models.network import FrameClassifier, load_network, save_network
from training.runs.batches import Batches, network_labels
from training.runs.card import model_card, untaught_classes
from training.runs.checkpoint import list_checkpoints, restore
from training.runs.curves import Curves
from training.runs.device import choose_autocast, choose_device
from training.runs.finetune_config import FinetuneConfig
from training.runs.folder import RunFolder, write_json
from training.runs.judging import judge, sample
from training.runs.loop import Feed, LoopPlan, train
from training.runs.pace import find_pace, threads_for_training
from training.runs.reporter import Reporter
from training.runs.run_log import RunLog
from training.runs.schedule import rate_factor
from training.runs.starting_point import StartingPoint, starting_point
from training.runs.training_set import TrainingSet, load_side, read_targets, training_set, write_split
from training.transforms.augment import Augmentation

CLOSE_UP_DETAIL = 2
"""Frames for close-ups are kept so many times as large as the network sees them."""
FEWEST_STEPS = 120
"""However slow the machine is: below this nothing is learned."""


def finetune(config: FinetuneConfig, reporter: Reporter) -> dict[str, Any]:
    """Train on labelled frames and write the run folder; see `FinetuneConfig` for what can be set.

    A stop keeps a checkpoint (the run can be resumed) and still writes the model as it is. A cancel keeps the last
    checkpoint only. The card's figures come from held-out frames that nothing was chosen by.

    Returns:
        JSON values: run, model, model_id, finished, steps_done, steps, classes, untaught_classes, held_out figures,
        left_out, split, warning, comparison (path or None).

    Raises:
        UserError: unusable input, a diverged loss, a full disk.
        Cancelled: as the reporter asked.
    """
    folder = RunFolder(config.out)
    if config.resume and folder.is_begun:
        config = folder.take_up(config)
    else:
        read_targets(config)  # bad input is told before a folder is made
        config = folder.begin(config)
    log = RunLog(folder.path, reporter)
    try:
        with threads_for_training(config.threads):
            return Finetuning(config, folder, log, reporter).run()
    finally:
        log.close()
        for spilled in folder.path.glob("frames-*.tmp"):
            spilled.unlink()


class Finetuning:
    """One run, after its folder was begun or taken up."""

    def __init__(self, config: FinetuneConfig, folder: RunFolder, reporter: Reporter, shield: Reporter) -> None:
        self.config = config
        self.folder = folder
        self.reporter = reporter
        self.shield = shield
        self.device = choose_device(config.device, reporter)
        self.autocast = choose_autocast(config.precision, self.device)

    def run(self) -> dict[str, Any]:
        """From inputs to the result; the order of a finetuning."""
        targets = read_targets(self.config)
        start = starting_point(self.config, targets, model_id(self.config), self.reporter)
        data = training_set(self.config, targets, start.taught_patients, self.reporter)
        write_split(self.folder, data)
        if untaught := untaught_classes(start, data):
            self.reporter.log(f"Classes of the model without labels in this run: {', '.join(untaught)}.")
        size = start.network.config.input_size
        has_close_ups = bool(self.config.boxes and self.config.close_ups)
        kept = size * CLOSE_UP_DETAIL if has_close_ups else size
        training = load_side(self.config, data.training, kept, self.folder, "training", self.reporter)
        held_out = load_side(self.config, data.held_out, size, self.folder, "held-out", self.reporter)
        data = TrainingSet(data.split, data.everything, training.labelled, held_out.labelled)

        network = start.network.to(self.device).to(memory_format=torch.channels_last).train()
        if self.config.batch_norm == "frozen":
            freeze_batch_norm(network)
        method = self._method(network)
        sampler = method.sampler(data.training, self.config.batch_size, self.config.positive_share, self.config.seed)
        batches = Batches(training, sampler, augmentation(self.config), network, self.config.seed)
        if self.config.steps is None:
            self._choose_steps(method, batches, sampler.epoch_steps(self.config.epochs))
        curve_frames = sample(held_out)
        with threads_for_training(self.config.threads):
            done = self._train(method, batches, lambda: judge(network, curve_frames, self.autocast, self.reporter))

        if self.config.refit and not has_close_ups:  # a classifier that close-ups taught was better as it is
            embeddings = score_frames(network, training.pixels, self.reporter, autocast=self.autocast).embeddings
            refit_classifier(network, embeddings, network_labels(training, network).numpy())
        figures = judge(network, held_out, self.autocast, self.reporter)
        return self._write(start, data, figures, done)

    def _method(self, network: FrameClassifier) -> TripletBatchAll:
        return TripletBatchAll(
            network,
            margin=self.config.margin,
            reduction=self.config.reduction,
            triplet_weight=self.config.triplet_weight,
            classifier_gradient=self.config.classifier_gradient,
            autocast=self.autocast,
        )

    def _choose_steps(self, method: TripletBatchAll, feed: Feed, wanted: int) -> None:
        """Settle threads, and steps for the epochs asked for or as many as fit into the minutes; written down."""
        trial = self._method(copy.deepcopy(method.network))
        pace = find_pace(trial, make_optimizer(trial.network, self.config), feed, self.config.threads)
        affordable = (
            max(FEWEST_STEPS, int(self.config.minutes * 60 / pace.step_seconds)) if self.config.minutes else wanted
        )
        steps = min(wanted, affordable)
        why = "the labels ask for no more" if steps == wanted else f"{wanted} would take too long"
        self.reporter.log(f"Training for {steps} steps of {pace.step_seconds:.2f} s on {self.device} ({why}).")
        settled = {"steps": steps, "threads": pace.threads}
        self.config = self.folder.rewrite(self.config.model_copy(update=settled))

    def _train(self, method: TripletBatchAll, feed: Feed, judged: Callable[[], dict[str, Any]]) -> int:
        """Run the loop, from the newest checkpoint where there is one; returns the steps done."""
        steps = self.config.steps or 0
        optimizer = make_optimizer(method.network, self.config)
        checkpoints = list_checkpoints(self.folder.checkpoints)
        first = 0
        if checkpoints:
            restore(checkpoints[0], method.network, optimizer)
            first = checkpoints[0].step
            self.reporter.log(f"Going on from the checkpoint of step {first}.")
        highest = (self.config.learning_rate, self.config.classifier_learning_rate)
        plan = LoopPlan(
            first_step=first,
            steps=steps,
            rates=lambda step: tuple(rate * rate_factor(self.config, step, steps) for rate in highest),
            checkpoints=self.folder.checkpoints,
            checkpoint_seconds=self.config.checkpoint_seconds,
            header={"model_config": method.network.config.model_dump_json()},
        )
        with Curves(self.folder, first, steps, self.config.evaluations, judged, self.reporter) as curves:
            return train(method, optimizer, feed, plan, self.reporter, self.shield, curves.add)

    def _write(self, start: StartingPoint, data: TrainingSet, figures: dict[str, Any], done: int) -> dict[str, Any]:
        """Model folder, comparison, card; returns the result."""
        config, split = self.config, data.split
        warning = " ".join(part for part in (trust_warning(figures), split.sentence) if part)
        card = model_card(config, start, data, figures, warning, done)
        precision = torch.float16 if config.stored_as == "float16" else torch.float32
        network = start.network
        save_network(network, self.folder.model, card, precision=precision)
        if start.previous is not None:
            old = self._judge_previous(start, data)
            ids = start.previous.config.model_id, network.config.model_id
            write_json(self.folder.comparison, compare(old, figures, split.kind, split.sentence, *ids))
        write_json(self.folder.card, card)
        if warning:
            self.reporter.log(warning)
        return {
            "run": str(self.folder.path),
            "model": str(self.folder.model),
            "comparison": str(self.folder.comparison) if start.previous is not None else None,
            "left_out": data.everything.left_out.sentence(),
            "split": split.kind,
            **{
                name: card[name]
                for name in (
                    "model_id",
                    "finished",
                    "steps_done",
                    "steps",
                    "classes",
                    "untaught_classes",
                    "held_out",
                    "warning",
                )
            },
        }

    def _judge_previous(self, start: StartingPoint, data: TrainingSet) -> dict[str, Any]:
        """Figures of the model that the run started from, on the same frames at its own input size."""
        assert start.previous is not None
        network = load_network(start.previous, self.device)
        size = network.config.input_size
        frames = load_side(self.config, data.held_out, size, self.folder, "comparison", self.reporter)
        return judge(network, frames, self.autocast, self.reporter)


def augmentation(config: FinetuneConfig) -> Augmentation:
    """The augmentation that the settings describe."""
    return Augmentation(
        config.rotations,
        config.flips,
        config.zoom,
        config.brightness,
        config.saturation,
        config.white_balance,
        config.close_ups,
    )


def make_optimizer(network: FrameClassifier, config: FinetuneConfig) -> torch.optim.Optimizer:
    """Two parameter groups, backbone and classifier: the classifier learns alone and may learn faster."""
    groups = [
        {"params": list(network.trunk.parameters()), "lr": config.learning_rate},
        {"params": list(network.classifier.parameters()), "lr": config.classifier_learning_rate},
    ]
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, momentum=config.momentum, weight_decay=config.weight_decay)
    return torch.optim.AdamW(groups, weight_decay=config.weight_decay)


def freeze_batch_norm(network: nn.Module) -> None:
    """Keep running statistics as they are.

    Not the default: from a phantom model to real frames the embedding then shrank onto one point (the triplet loss
    stayed at its margin); with statistics that follow the frames it did not.
    """
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def model_id(config: FinetuneConfig) -> str:
    """The name asked for, or one made of the run folder's name and of the settings' digest."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
