"""The training loop: what a step records, and how far it may move the weights."""

from collections.abc import Callable

import pytest
import torch

from tests.training.optimisation.tiny_network import sequence_batch, tiny_pretrainer
from training.methods.time_triplet import TimeTriplet
from training.optimisation.loop import LoopPlan, train
from training.runs.folder import Point
from training.runs.reporter import SilentReporter


def run(steps: int, clip_norm: float, on_point: Callable[[Point], None] = lambda _: None) -> float:
    """Train with a rate of 1; returns how far the weights moved."""
    method = TimeTriplet(tiny_pretrainer(train=True), window=2)
    before = torch.nn.utils.parameters_to_vector(method.network.parameters()).detach().clone()
    plan = LoopPlan(0, steps, lambda _: (1.0,), None, 1e9, {}, clip_norm=clip_norm)
    optimizer = torch.optim.SGD(method.network.parameters(), 1.0)
    train(method, optimizer, lambda step: sequence_batch(step, 0), plan, SilentReporter(), SilentReporter(), on_point)
    after = torch.nn.utils.parameters_to_vector(method.network.parameters()).detach()
    return float((after - before).norm())


def test_a_step_is_no_longer_than_the_clipped_gradient() -> None:
    free = run(1, 0.0)
    assert run(1, free / 4) == pytest.approx(free / 4, rel=1e-3)
    assert run(1, 4 * free) == pytest.approx(free, rel=1e-3), "a gradient below the limit stays as it is"


def test_a_point_says_how_far_embeddings_lie_apart() -> None:
    points: list[Point] = []
    run(2, 0.1, points.append)
    names = Point.columns(TimeTriplet.terms, TimeTriplet.share_name, TimeTriplet.scale_names)
    assert list(points[0].figures) == names
    assert points[0].figures["distance_to_margin"] == pytest.approx(points[0].figures["mean_distance"] / 0.2)
    assert points[0].figures["mean_distance"] > 0
