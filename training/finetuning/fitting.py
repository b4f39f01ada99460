"""Trains a network on frames in memory: `fit`, shared by fine-tuning, cross-validation and the papers' tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.compute.devices import choose_autocast, training_device
from training.compute.out_of_memory import Chunks
from training.datasets.frame_store import FrameStore
from training.errors import UserError
from training.finetuning.batches import Batches, RehearsedFrames, make_sampler
from training.finetuning.card import Fit
from training.finetuning.config import FinetuneConfig
from training.finetuning.held_out import EarlyStopping
from training.finetuning.linear_stage import Rehearsal, fit_linear
from training.finetuning.negatives import NegativeFrames
from training.inference.explanation import LAYERS
from training.inference.torch_engine import frozen_front
from training.methods.method import FinetuneMethod
from training.methods.rehearsing import Rehearsing
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, freeze_batch_norm
from training.optimisation import loop, schedule
from training.optimisation.pace import TimeLimit, threads_for_training
from training.optimisation.ranks import Ranks
from training.runs import checkpoint, folder
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text
from training.transforms.augment import Augmentation


@dataclass(frozen=True, kw_only=True)
class Fitted(Fit):
    """The result of a training."""

    network: FrameClassifier
    """The given network, trained, on the device."""
    points: Sequence[folder.Point] = ()
    """The curve, without steps before a resume."""


def fit(
    config: FinetuneConfig,
    network: FrameClassifier,
    training: FrameStore,
    reporter: Reporter,
    *,
    steps: int | None = None,
    on_point: Callable[[folder.Point], None] | None = None,
    checkpoints: Path | None = None,
    shield: Reporter | None = None,
    early: EarlyStopping | None = None,
    rehearsal: Rehearsal | None = None,
    negatives: Sequence[NegativeFrames] = (),
) -> Fitted:
    """Train a network in place on prepared frames; resumes from the newest of `checkpoints`, if any.

    Args:
        config: the settings; its paths are not read.
        network: initial network; its classes contain those of the frames.
        training: frames (M, S, S, 3), S the network's input size or a multiple of it.
        reporter: for progress, stop and cancel.
        steps: optimizer steps; None: `config.steps`, else those of `with_steps`.
        on_point: called after each step.
        checkpoints: folder for checkpoints; None: none are written.
        shield: reporter for the writing of checkpoints; None: `reporter`.
        early: gets its evaluations from `on_point`; the network has its best weights afterwards. None: all steps.
        rehearsal: what keeps classes of the initial model without labels; None: nothing.
        negatives: frames on which a class is not there; the classifier learns from them before and after the steps.

    Raises:
        UserError: unusable frames, a diverged loss, a full disk.
        Cancelled: on request.
    """
    prepare(config, network, reporter)
    if config.is_classifier_only:
        fit_linear(config, network, training, reporter, rehearsal, negatives=negatives)
        return Fitted(network=network)
    if (steps or config.steps) is None:
        config = with_steps(config, training, reporter)
    config = config.model_copy(update={"steps": steps or config.steps})
    points: list[folder.Point] = []

    def add_point(point: folder.Point) -> None:
        points.append(point)
        if on_point is not None:
            on_point(point)

    if config.linear_start and not (checkpoints is not None and checkpoint.list_checkpoints(checkpoints)):
        fit_linear(config, network, training, reporter, rehearsal, negatives=negatives)
    chunks = Chunks(config.gradient_cache_chunk)
    with _memory_errors(), _steps(config, network):
        method, batches = _method_and_batches(config, network, training, rehearsal)
        limited = TimeLimit(reporter, config.minutes, config.fewest_steps)
        done = _train(config, method, batches, chunks, checkpoints, limited, shield or reporter, add_point, early)
    if early is not None:
        early.restore(network)
    # After close-ups, refitting made the classifier worse.
    is_refitted = config.refit and not shows_close_ups(config, training)
    if is_refitted or negatives:
        rows_only = not is_refitted
        fit_linear(config, network, training, reporter, rehearsal, negatives=negatives, rows_only=rows_only)
    is_over = early is not None and early.is_over(done)
    return Fitted(done, config.steps or 0, chunks.note(), is_over, network=network, points=points)


@contextmanager
def _memory_errors() -> Iterator[None]:
    """Turn an out-of-memory error of a GPU into a `UserError`."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise UserError(
            "The GPU ran out of memory even with the smallest parts of a batch.",
            "Close other programs that use it, or choose a smaller input_size or backbone, or --device cpu.",
        ) from error


@contextmanager
def _steps(config: FinetuneConfig, network: FrameClassifier) -> Iterator[None]:
    """Threads of the steps, and what computes the layers that are not trained where their statistics are kept too."""
    with ExitStack() as opened:
        opened.enter_context(threads_for_training(config.threads))
        if config.batch_norm == "frozen":
            autocast = choose_autocast(config.precision, network.mean.device)
            opened.enter_context(frozen_front(network, config.trained_layers, autocast))
        yield


def prepare(config: FinetuneConfig, network: FrameClassifier, reporter: Reporter) -> None:
    """Move the network to the device, set its layers to training mode and freeze those that are not trained."""
    children, trained = list(network.trunk.named_children()), config.trained_layers
    names = [name for name, _ in children]  # a network of another library has only the last layer: the whole of it
    first = min((names.index(name) for name in LAYERS[len(LAYERS) - trained :] if name in names), default=len(names))
    for place, (_, child) in enumerate(children):  # with all layers the stem is trained, too
        child.requires_grad_(place >= first or trained == len(LAYERS))
    network.to(training_device(config.device, reporter)).to(memory_format=torch.channels_last).train()
    if config.batch_norm == "frozen":
        freeze_batch_norm(network)


def with_steps(config: FinetuneConfig, training: FrameStore, reporter: Reporter) -> FinetuneConfig:
    """The config with the steps of its epochs, at most `most_steps`: they follow from labels and settings alone."""
    wanted = make_sampler(config, training.labelled).epoch_steps(config.epochs)
    steps = config.steps_of(wanted, len(np.unique(training.labelled.label)))
    why = Text("all epochs") if steps == wanted else Text("all epochs would be {wanted}", wanted)
    reporter.log(Text("Training for {steps} steps ({why}).", steps, why))
    return config.model_copy(update={"steps": steps})


def _method_and_batches(
    config: FinetuneConfig, network: FrameClassifier, training: FrameStore, rehearsal: Rehearsal | None
) -> tuple[FinetuneMethod | Rehearsing, Batches]:
    method = config.method_class(network, config, autocast=choose_autocast(config.precision, network.mean.device))
    sampler = make_sampler(config, training.labelled)
    if rehearsal is None:
        return method, Batches(training, sampler, augmentation(config), network, config.seed)
    device = network.mean.device
    targets, kept = (torch.from_numpy(part).to(device) for part in (rehearsal.targets, rehearsal.kept))
    frames = RehearsedFrames(rehearsal.frames, config)
    batches = Batches(training, sampler, augmentation(config), network, config.seed, frames)
    return Rehearsing(method, targets, kept, config.rehearsal_weight), batches


def make_method(recipe: Mapping[str, Any], ranks: Ranks) -> tuple[FinetuneMethod, AbstractContextManager[None]]:
    """The method for a process that helps, and what computes its frozen layers; the first one has the weights."""
    device = ranks.device(recipe["device"])
    config = FinetuneConfig.stored(**{**recipe["config"], "precision": recipe["precision"], "device": device.type})
    network = FrameClassifier(ModelConfig(**recipe["network"]))
    prepare(config, network, SilentReporter())
    autocast = choose_autocast(config.precision, network.mean.device)
    return config.method_class(network, config, autocast=autocast), _steps(config, network)


def _train(
    config: FinetuneConfig,
    method: FinetuneMethod | Rehearsing,
    batches: Batches,
    chunks: Chunks,
    checkpoints: Path | None,
    reporter: Reporter,
    shield: Reporter,
    on_point: Callable[[folder.Point], None],
    early: EarlyStopping | None,
) -> int:
    """Run the training loop, from the newest checkpoint if any; returns the steps done."""
    steps = config.steps or 0
    optimizer = make_optimizer(method.network, config)
    first = 0
    if checkpoints is not None and (kept := checkpoint.list_checkpoints(checkpoints)):
        checkpoint.restore(kept[0], method.network, optimizer)
        first = kept[0].step
        reporter.log(Text("Resuming from the checkpoint of step {first}.", first))
    highest = (config.learning_rate, config.classifier_learning_rate)
    plan = loop.LoopPlan(
        first_step=first,
        steps=steps,
        rates=lambda step: tuple(rate * schedule.rate_factor(config, step, steps) for rate in highest),
        checkpoints=checkpoints,
        checkpoint_seconds=config.checkpoint_seconds,
        header={"model_config": method.network.config.model_dump_json()},
        recipe={
            "command": "finetune",
            "config": config.model_dump(mode="json"),
            "precision": "bfloat16" if method.autocast else "float32",
            "network": method.network.config.model_dump(mode="json"),
        },
        chunks=chunks,
        clip_norm=config.clip_norm,
        is_over=early.is_over if early is not None else lambda step: False,
    )
    return loop.train(method, optimizer, batches, plan, reporter, shield, on_point)


def shows_close_ups(config: FinetuneConfig, training: FrameStore) -> bool:
    """Whether some frames are shown as close-ups during training."""
    return bool(config.close_ups) and bool(np.isfinite(training.boxes).all(axis=1).any())


def augmentation(config: FinetuneConfig) -> Augmentation:
    """The augmentation that the settings describe."""
    names = (
        "rotations", "flips", "zoom", "brightness", "saturation", "white_balance", "contrast", "hue", "grey",
        "round_mask",
    )  # fmt: skip
    return Augmentation(**{name: getattr(config, name) for name in names}, close_up_share=config.close_ups)


def make_optimizer(network: FrameClassifier, config: FinetuneConfig) -> torch.optim.Optimizer:
    """Two parameter groups, embedding and classifier, with separate learning rates."""
    shaping = [
        parameter
        for name, parameter in network.named_parameters()
        if parameter.requires_grad and not name.startswith("classifier.")
    ]
    groups = [
        {"params": shaping, "lr": config.learning_rate},
        {"params": list(network.classifier.parameters()), "lr": config.classifier_learning_rate},
    ]
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, momentum=config.momentum, weight_decay=config.weight_decay)
    return torch.optim.AdamW(groups, weight_decay=config.weight_decay)
