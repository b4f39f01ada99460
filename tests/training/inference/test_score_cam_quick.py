"""Guesses against Gaussian process regression written out, and what must hold of any guess."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.inference.score_cam import NOISE, guess

Floats = NDArray[np.float32]


def layer(seed: int, channels: int = 24, side: int = 3) -> tuple[Floats, Floats]:
    """Activations (K, h, w), and answers (K,) that follow from the masks smoothly."""
    activations = np.random.default_rng(seed).random((channels, side, side), dtype=np.float32)
    low, high = activations.min((1, 2), keepdims=True), activations.max((1, 2), keepdims=True)
    masks = ((activations - low) / (high - low)).reshape(channels, -1)
    return activations, np.asarray(2 * masks.mean(1) + np.sin(2 * masks[:, 0]), np.float32)


def known_of(answers: Floats, is_waiting: NDArray[np.bool_]) -> Floats:
    """The answers, 0 where they are waiting."""
    return np.where(is_waiting, np.float32(0), answers)


def test_written_out() -> None:
    activations, answers = layer(0)
    is_waiting = np.arange(24) >= 10
    known = known_of(answers, is_waiting)
    mean, deviation = guess(activations, known, is_waiting)
    a = activations.astype(np.float64).reshape(24, -1)
    masks = (a - a.min(1, keepdims=True)) / (a.max(1, keepdims=True) - a.min(1, keepdims=True))
    x, q, y = masks[:10], masks[10:], answers[:10].astype(np.float64)

    def apart(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([[((i - j) ** 2).sum() for j in v] for i in u])

    def line(u: np.ndarray) -> np.ndarray:
        return np.stack([np.ones(len(u)), u.mean(1)], 1)

    slope = np.linalg.lstsq(line(x), y, rcond=None)[0]
    residue = y - line(x) @ slope
    length = float(np.median(apart(x, x)))
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
    is_waiting = np.random.default_rng(seed).permutation(24) >= asked
    known = known_of(answers, is_waiting)
    mean, deviation = guess(activations, known, is_waiting)
    assert np.array_equal(mean[~is_waiting], known[~is_waiting])
    assert not deviation[~is_waiting].any()
    assert np.isfinite([*mean, *deviation]).all()
    assert (deviation >= 0).all()


def test_a_guess_is_better_than_none() -> None:
    activations, answers = layer(3, channels=200)
    is_waiting = np.arange(200) >= 60
    mean, _ = guess(activations, known_of(answers, is_waiting), is_waiting)
    rest = answers[is_waiting]
    assert np.square(mean[is_waiting] - rest).mean() < 0.2 * rest.var()


@pytest.mark.parametrize("value", [0.0, 0.7])
def test_masks_that_are_all_alike(value: float) -> None:
    activations = np.zeros((6, 2, 2), np.float32)
    activations[:, 0, 0] = 1
    is_waiting = np.arange(6) >= 3
    mean, _ = guess(activations, known_of(np.full(6, value, np.float32), is_waiting), is_waiting)
    np.testing.assert_allclose(mean, value, atol=1e-4)
