"""Measures the time of a step, and limits the number of steps to the given minutes."""

import time

import torch

from training.compute.out_of_memory import Chunks
from training.methods.pretrain_method import PretrainMethod
from training.optimisation.gradients import Gradients
from training.optimisation.loop import Feed
from training.pretraining.config import PretrainConfig
from training.runs.reporter import Reporter

TIMED_STEPS = 3
FEWEST_STEPS = 20


def step_seconds(
    method: PretrainMethod, optimizer: torch.optim.Optimizer, feed: Feed, chunks: Chunks, reporter: Reporter
) -> float:
    """Seconds per step, including reading: the fastest of a few steps on a copy of the network.

    `chunks` is reduced if memory runs out.
    """
    gradients = Gradients(method, chunks, reporter)
    found = []
    for step in range(TIMED_STEPS + 1):  # the first one is a warmup
        started = time.perf_counter()
        losses = gradients(*feed(step))
        optimizer.step()
        losses.total.item()
        found.append(time.perf_counter() - started)
    return min(found[1:])


def fit_into_minutes(config: PretrainConfig, seconds: float) -> PretrainConfig:
    """The settings with the steps that fit; the learning rate falls at the same shares of the run."""
    steps = min(config.steps, max(FEWEST_STEPS, int(config.minutes * 60 / seconds)))
    step_every = max(1, round(config.step_every * steps / config.steps))
    return config.model_copy(update={"steps": steps, "step_every": step_every, "minutes": 0.0, "epochs": 0.0})
