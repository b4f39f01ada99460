"""The training loop: one visible loop that can be stopped after any step and resumed exactly."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn

from training.compute.out_of_memory import Chunks
from training.errors import UserError
from training.losses.terms import Losses
from training.optimisation.gradients import Gradients, Learns
from training.optimisation.ranks import ALONE, Ranks
from training.runs.checkpoint import save_checkpoint
from training.runs.events import uninterrupted
from training.runs.point import Point
from training.runs.reporter import Reporter
from training.texts import Text

Feed = Callable[[int], tuple[Tensor, Tensor]]
"""Step -> normalised images (B, 3, S, S) and labels (B,), both on the device; a function of the step alone."""


class Method(Learns, Protocol):
    """What the loop needs of a method."""

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of what the loss is made of, in the order of the curves; empty where it is one."""

    @property
    def share_name(self) -> str:
        """How curves call `violating_share`: by that name, or `negatives_ahead` of a contrast; empty: there is none."""

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin; of a contrast, of its negatives that were
        more alike than the frame's own other view."""

    @property
    def scale_names(self) -> tuple[str, ...]:
        """Names of `scales`, in the order of the curves."""

    @property
    def scales(self) -> tuple[float, ...]:
        """How far the last batch's embeddings lie apart, in figures of the method."""

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings; towards zero they collapse."""

    @property
    def frames_per_row(self) -> int:
        """Frames in a row of a batch: more than one where rows are clips."""

    def after_step(self) -> None:
        """Called after each step of the optimizer."""


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
    ranks: Ranks = ALONE
    """The processes that share the work; the first one reports and saves."""
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
    ranks, stepping = plan.ranks, _Stepping(method, optimizer, feed, plan, reporter)
    checkpoints = _Checkpoints(plan, method.network, optimizer, shield)
    step = plan.first_step

    def report(point: Point) -> None:
        on_point(point)
        reporter.progress(point.step, plan.steps, "steps", plan.what)
        if checkpoints.is_due and point.step < plan.steps:
            checkpoints.save(point.step)

    while step < plan.steps and not plan.is_over(step) and ranks.go_on(reporter):
        point = stepping.take(step, checkpoints.step)
        step = point.step
        ranks.on_first(partial(report, point))
    if step > checkpoints.step and ranks.is_first:
        checkpoints.save(step)
    return step


class _Checkpoints:
    """Writes checkpoints; `step` is that of the last one, or the first step of the plan."""

    def __init__(self, plan: LoopPlan, network: nn.Module, optimizer: torch.optim.Optimizer, shield: Reporter) -> None:
        self._plan, self._network, self._optimizer, self._shield = plan, network, optimizer, shield
        self._saved_at = time.monotonic()
        self.step = plan.first_step

    @property
    def is_due(self) -> bool:
        """Whether the last one is as old as the plan allows."""
        return time.monotonic() - self._saved_at >= self._plan.checkpoint_seconds

    def save(self, step: int) -> None:
        """Write one, where the plan asks for any."""
        if self._plan.checkpoints is not None:
            with uninterrupted(self._shield):
                save_checkpoint(self._plan.checkpoints, step, self._network, self._optimizer, self._plan.header)
            self.step = step
        self._saved_at = time.monotonic()


class _Stepping:
    """Takes the steps of a plan, one after the other."""

    def __init__(
        self, method: Method, optimizer: torch.optim.Optimizer, feed: Feed, plan: LoopPlan, reporter: Reporter
    ) -> None:
        self._method, self._optimizer, self._feed, self._plan = method, optimizer, feed, plan
        self._gradients = Gradients(method, plan.chunks, reporter, plan.ranks)
        self._told_at = time.monotonic()

    def take(self, step: int, saved_step: int) -> Point:
        """One step; raises `UserError` for a loss that is not finite, naming the step of the last checkpoint."""
        plan, method = self._plan, self._method
        rates = plan.rates(step)
        for group, rate in zip(self._optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        images, labels = plan.ranks.together(partial(self._feed, step))
        losses = self._gradients(images, labels)
        figures = plan.ranks.mean(_numbers(losses, method))  # waits for the device
        if not math.isfinite(figures[0]):  # must never reach the weights, on no rank
            raise _diverged(step, rates[0], saved_step)
        if plan.clip_norm:
            torch.nn.utils.clip_grad_norm_(method.network.parameters(), plan.clip_norm)
        self._optimizer.step()
        method.after_step()
        return self._point(step + 1, figures, tuple(losses.terms), rates[0], len(images))

    def _point(self, step: int, figures: Sequence[float], terms: tuple[str, ...], rate: float, rows: int) -> Point:
        """What is told of a step, with the speed since the one before."""
        method = self._method
        loss, share, norm, *others = figures
        values = dict(zip((*terms, *method.scale_names), others, strict=True))
        scales = {name: values.pop(name) for name in method.scale_names}
        shares = {method.share_name: share} if method.share_name else {}
        frames = rows * method.frames_per_row * self._plan.ranks.count
        now = time.monotonic()
        speed, self._told_at = frames / max(now - self._told_at, 1e-9), now
        return Point(step, loss, values, shares, rate, norm, speed, scales)


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
