"""LARS against the formula, weight by weight."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from training.optimisation.lars import Lars

RATE, MOMENTUM, DECAY, TRUST = 0.5, 0.9, 0.01, 0.02


def slow_step(
    weight: NDArray[np.float64], gradient: NDArray[np.float64], velocity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight and velocity after a step, as You et al. 2017 write it."""
    rate = RATE
    if weight.ndim > 1:
        gradient = gradient + DECAY * weight
        of_weight, of_gradient = np.sqrt((weight**2).sum()), np.sqrt((gradient**2).sum())
        if of_weight > 0 and of_gradient > 0:
            rate = RATE * TRUST * of_weight / of_gradient
    velocity = MOMENTUM * velocity + rate * gradient
    return weight - velocity, velocity


@pytest.mark.parametrize("scale", [1.0, 0.0])
def test_steps_are_those_of_the_formula(scale: float) -> None:
    torch.manual_seed(0)
    layer = nn.Linear(4, 3).double()
    with torch.no_grad():
        layer.weight.mul_(scale)  # of norm 0: no quotient
    optimizer = Lars(layer.parameters(), RATE, MOMENTUM, DECAY, TRUST)
    weights = [parameter.detach().numpy().copy() for parameter in layer.parameters()]
    velocities = [np.zeros_like(weight) for weight in weights]
    for _ in range(3):
        optimizer.zero_grad()
        layer(torch.randn(5, 4, dtype=torch.float64)).square().sum().backward()
        gradients = [parameter.grad.numpy().copy() for parameter in layer.parameters() if parameter.grad is not None]
        optimizer.step()
        made = [slow_step(*each) for each in zip(weights, gradients, velocities, strict=True)]
        weights, velocities = [weight for weight, _ in made], [velocity for _, velocity in made]
        for parameter, weight in zip(layer.parameters(), weights, strict=True):
            np.testing.assert_allclose(parameter.detach().numpy(), weight, rtol=1e-12, atol=1e-14)


def test_a_step_does_not_depend_on_the_size_of_the_gradient() -> None:
    moved = []
    for factor in (1.0, 1000.0):
        weight = nn.Parameter(torch.ones(2, 2))
        weight.grad = torch.tensor([[1.0, 2.0], [3.0, 4.0]]) * factor
        Lars([weight], 0.1, weight_decay=0.0).step()
        moved.append(weight.detach().clone())
    torch.testing.assert_close(moved[0], moved[1])
