"""The training loop: one visible loop that can be stopped after any step and taken up again as if nothing happened."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.methods.losses import Losses
from training.runs.checkpoint import save_checkpoint
from training.runs.reporter import Reporter
from training.runs.shield import uninterrupted

Feed = Callable[[int], tuple[Tensor, Tensor]]
"""Step -> normalised images (B, 3, S, S) and labels (B,), both on the device; a function of the step alone."""


class Method(Protocol):
    """What the loop needs of a method."""

    @property
    def network(self) -> nn.Module:
        """What is trained."""

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin."""

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings; towards zero they collapse."""

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss terms of one batch."""


@dataclass(frozen=True)
class Point:
    """One step of the curve."""

    step: int
    """Steps done, this one included."""
    loss: float
    triplet: float
    cross_entropy: float
    violating_share: float
    learning_rate: float
    embedding_norm: float
    images_per_second: float
    """Since the point before, everything included; the one column that no two runs share."""


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
    what: str = "finetuning"
    """Names the work where progress is told."""


def train(
    method: Method,
    optimizer: torch.optim.Optimizer,
    feed: Feed,
    plan: LoopPlan,
    reporter: Reporter,
    shield: Reporter,
    on_point: Callable[[Point], None],
) -> int:
    """Run the steps of the plan; returns the number of steps done, less than planned after a stop.

    Args:
        method: network and losses.
        optimizer: one parameter group per rate of the plan.
        feed: batches.
        plan: see `LoopPlan`.
        reporter: progress; asked for stop and cancel before each step.
        shield: the reporter that must hear when a checkpoint is being written.
        on_point: called after each step.

    Raises:
        UserError: the loss is not finite; the last good checkpoint stays.
        Cancelled: as asked for.
    """
    step, saved_at, saved_step = plan.first_step, time.monotonic(), plan.first_step
    told_at = time.monotonic()

    def save() -> None:
        if plan.checkpoints is None:
            return
        with uninterrupted(shield):
            save_checkpoint(plan.checkpoints, step, method.network, optimizer, plan.header)

    while step < plan.steps and not reporter.stop_requested:
        reporter.check()
        rates = plan.rates(step)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        images, labels = feed(step)
        losses = method.losses(images, labels)
        loss = losses.total.item()  # waits for the device: a loss that is not finite must never reach the weights
        if not math.isfinite(loss):
            raise _diverged(step, rates[0], saved_step)
        optimizer.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        step += 1
        now = time.monotonic()
        speed, told_at = len(images) / max(now - told_at, 1e-9), now
        on_point(_point(step, loss, losses, method, rates[0], speed))
        reporter.progress(step, plan.steps, "steps", plan.what)
        if time.monotonic() - saved_at >= plan.checkpoint_seconds and step < plan.steps:
            save()
            saved_at, saved_step = time.monotonic(), step if plan.checkpoints else saved_step
    if step > saved_step:
        save()
    return step


def _point(step: int, loss: float, losses: Losses, method: Method, rate: float, speed: float) -> Point:
    triplet, cross_entropy = losses.triplet.item(), losses.cross_entropy.item()
    return Point(step, loss, triplet, cross_entropy, method.violating_share, rate, method.embedding_norm, speed)


def _diverged(step: int, rate: float, saved_step: int) -> UserError:
    kept = f"The checkpoint of step {saved_step} is kept" if saved_step else "There was no checkpoint yet"
    return UserError(
        f"Training diverged: the loss was not a finite number at step {step + 1} (learning rate {rate:.3g}).",
        f"{kept}; start again with a lower learning_rate.",
    )
