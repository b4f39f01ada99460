"""Guesses against Gaussian process regression written out, and what must hold of any guess."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from training.inference.score_cam_quick import NOISE, guess


def layer(seed: int, channels: int = 24, side: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    """Activations (K, h, w), and answers (K,) that follow from the masks smoothly."""
    generator = torch.Generator().manual_seed(seed)
    activations = torch.rand(channels, side, side, generator=generator)
    low, high = activations.amin((1, 2), keepdim=True), activations.amax((1, 2), keepdim=True)
    masks = ((activations - low) / (high - low)).flatten(1)
    return activations, 2 * masks.mean(1) + torch.sin(2 * masks[:, 0])


def test_written_out() -> None:
    activations, answers = layer(0)
    is_waiting = torch.arange(24) >= 10
    known = torch.where(is_waiting, torch.zeros(()), answers)
    mean, deviation = guess(activations, known, is_waiting)
    a = activations.double().numpy().reshape(24, -1)
    masks = (a - a.min(1, keepdims=True)) / (a.max(1, keepdims=True) - a.min(1, keepdims=True))
    x, q, y = masks[:10], masks[10:], answers[:10].double().numpy()

    def apart(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([[((i - j) ** 2).sum() for j in v] for i in u])

    def line(u: np.ndarray) -> np.ndarray:
        return np.stack([np.ones(len(u)), u.mean(1)], 1)

    slope = np.linalg.lstsq(line(x), y, rcond=None)[0]
    residue = y - line(x) @ slope
    length = float(torch.tensor(apart(x, x)).median())
    own = np.exp(-apart(x, x) / (2 * length)) + NOISE * np.eye(10)
    across = np.exp(-apart(q, x) / (2 * length))
    wanted = line(q) @ slope + across @ np.linalg.inv(own) @ residue
    sure = np.array([row @ np.linalg.inv(own) @ row for row in across])
    np.testing.assert_allclose(mean[10:], wanted, atol=1e-5)
    np.testing.assert_allclose(deviation[10:], np.sqrt((1 - sure) * residue.var()), atol=1e-5)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), asked=st.integers(0, 24), side=st.integers(1, 4))
def test_what_was_asked_stays_and_all_is_finite(seed: int, asked: int, side: int) -> None:
    activations, answers = layer(seed, side=max(side, 2))
    if side == 1:
        activations = activations[:, :1, :1]
    is_waiting = torch.rand(24, generator=torch.Generator().manual_seed(seed)).argsort() >= asked
    known = torch.where(is_waiting, torch.zeros(()), answers)
    mean, deviation = guess(activations, known, is_waiting)
    assert torch.equal(mean[~is_waiting], known[~is_waiting])
    assert not deviation[~is_waiting].any()
    assert bool(torch.isfinite(mean).all() & torch.isfinite(deviation).all() & (deviation >= 0).all())


def test_a_guess_is_better_than_none() -> None:
    activations, answers = layer(3, channels=200)
    is_waiting = torch.arange(200) >= 60
    mean, _ = guess(activations, torch.where(is_waiting, torch.zeros(()), answers), is_waiting)
    rest = answers[is_waiting]
    assert (mean[is_waiting] - rest).square().mean() < 0.2 * rest.var()


@pytest.mark.parametrize("value", [0.0, 0.7])
def test_masks_that_are_all_alike(value: float) -> None:
    activations = torch.zeros(6, 2, 2)
    activations[:, 0, 0] = 1
    is_waiting = torch.arange(6) >= 3
    mean, _ = guess(activations, torch.where(is_waiting, torch.zeros(()), torch.tensor(value)), is_waiting)
    np.testing.assert_allclose(mean.numpy(), value, atol=1e-4)
