"""The training loop: one visible loop that can be stopped after any step and resumed exactly."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.compute.out_of_memory import Chunks
from training.errors import UserError
from training.losses.terms import Losses
from training.methods.method import Method
from training.optimisation.gradients import Gradients
from training.optimisation.ranks import ALONE, current
from training.runs import checkpoint, events
from training.runs.folder import Point
from training.runs.reporter import Reporter
from training.texts import Text

Feed = Callable[[int], tuple[Tensor, Tensor]]
"""Step -> normalised images (B, 3, S, S) and labels (B,), both on the device; a function of the step alone."""


@dataclass(frozen=True)
class LoopPlan:
    """From where to where, at which rates, and where checkpoints go."""

    first_step: int
    steps: int
    rates: Callable[[int], tuple[float, ...]]
    """Step (0-based) -> learning rate of each parameter group."""
    checkpoints: Path | None
    """None: no checkpoints are written."""
    checkpoint_seconds: float
    header: dict[str, str]
    """Written beside the weights."""
    what: str = "fine-tuning"
    """Name of the work in progress reports."""
    chunks: Chunks = field(default_factory=Chunks)
    """How many frames go through the network at once; fewer after the run where memory ran out."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """JSON values from which other processes make the method, see `training.optimisation.helping`; none: they idle."""
    clip_norm: float = 0.0
    """Largest norm of the gradient of all weights; 0: no limit."""
    is_over: Callable[[int], bool] = lambda step: False
    """Steps done -> whether training ends before the last step; asked after each step."""


def train(
    method: Method,
    optimizer: torch.optim.Optimizer,
    feed: Feed,
    plan: LoopPlan,
    reporter: Reporter,
    shield: Reporter,
    on_point: Callable[[Point], None],
) -> int:
    """Run the steps of the plan; returns the number of steps done, fewer than planned after a stop or if it is over.

    Args:
        optimizer: one parameter group per rate of the plan.
        shield: the reporter that must hear when a checkpoint is being written.
        on_point: called after each step.

    Raises:
        UserError: the loss is not finite; the last good checkpoint stays.
    """
    ranks = current() if plan.recipe else ALONE
    gradients = Gradients(method, plan.chunks, reporter, ranks, plan.recipe)
    step = saved_step = plan.first_step
    saved_at = told_at = time.monotonic()

    def save() -> None:
        nonlocal saved_step, saved_at
        if plan.checkpoints is not None:
            with events.uninterrupted(shield):
                checkpoint.save_checkpoint(plan.checkpoints, step, method.network, optimizer, plan.header)
            saved_step = step
        saved_at = time.monotonic()

    while step < plan.steps and not plan.is_over(step):
        reporter.check()
        if reporter.stop_requested or ranks.stop_requested:
            break
        rates = plan.rates(step)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        images, labels = feed(step)
        losses = gradients(images, labels)
        figures = _numbers(losses, method)  # waits for the device
        if not math.isfinite(figures[0]):  # must never reach the weights
            raise _diverged(step, rates[0], saved_step)
        if plan.clip_norm:
            torch.nn.utils.clip_grad_norm_(method.network.parameters(), plan.clip_norm)
        optimizer.step()
        method.after_step()
        step, now = step + 1, time.monotonic()
        speed = len(images) * method.frames_per_row / max(now - told_at, 1e-9)
        told_at = now
        on_point(_point(method, step, figures, tuple(losses.terms), rates[0], speed))
        reporter.progress(step, plan.steps, "steps", plan.what)
        if step < plan.steps and now - saved_at >= plan.checkpoint_seconds:
            save()
    if step > saved_step:
        save()
    return step


def _point(
    method: Method, step: int, figures: Sequence[float], terms: tuple[str, ...], rate: float, speed: float
) -> Point:
    """What is told of a step; `figures` are those of `_numbers`."""
    loss, share, norm, *others = figures
    values = dict(zip((*terms, *method.scale_names), others, strict=True))
    scales = {name: values.pop(name) for name in method.scale_names}
    return Point(step, loss, values, {method.share_name: share} if method.share_name else {}, rate, norm, speed, scales)


def _numbers(losses: Losses, method: Method) -> tuple[float, ...]:
    """The figures of loss and embedding for a step's point."""
    terms = (term.item() for term in losses.terms.values())
    return losses.total.item(), method.violating_share, method.embedding_norm, *terms, *method.scales


def _diverged(step: int, rate: float, saved_step: int) -> UserError:
    return UserError(
        Text(
            "Training diverged: the loss was not a finite number at step {step} (learning rate {rate:.3g}).",
            step + 1,
            rate,
        ),
        Text("The checkpoint of step {saved_step} is kept; start again with a lower learning_rate.", saved_step)
        if saved_step
        else "There was no checkpoint yet; start again with a lower learning_rate.",
    )
