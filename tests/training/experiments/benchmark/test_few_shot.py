"""Few-shot: the nearest mean of the shots, over seeded draws."""

import numpy as np
import pytest

from training.experiments.benchmark.few_shot import few_shot


def clouds(seed: int, apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Three directions in five dimensions."""
    rng = np.random.default_rng(seed)
    labels = np.arange(60) % 3
    return rng.normal(size=(60, 5)) + apart * np.eye(5)[labels], labels


def test_more_shots_help_and_clouds_apart_are_told_apart() -> None:
    training, labels = clouds(0, 3.0)
    asked, truth = clouds(1, 3.0)
    one, many = (few_shot(training, labels, asked, truth, shots, 0) for shots in (1, 15))
    assert many["accuracy"] > one["accuracy"] > 1 / 3
    assert many["accuracy"] > 0.85
    assert many["deviation"] < one["deviation"]


def test_all_frames_as_shots_are_one_draw_over_and_over() -> None:
    training, labels = clouds(0, 0.5)
    asked, truth = clouds(1, 0.5)
    found = few_shot(training, labels, asked, truth, 1000, 0, draws=4)
    assert found["deviation"] == pytest.approx(0.0)
    unit = training / np.linalg.norm(training, axis=1, keepdims=True)
    means = np.stack([unit[labels == label].mean(0) for label in range(3)])
    nearest = (asked @ (means / np.linalg.norm(means, axis=1, keepdims=True)).T).argmax(1)
    assert found["accuracy"] == pytest.approx((nearest == truth).mean())


def test_the_seed_decides_the_draws() -> None:
    training, labels = clouds(0, 0.5)
    asked, truth = clouds(1, 0.5)
    assert few_shot(training, labels, asked, truth, 2, 3) == few_shot(training, labels, asked, truth, 2, 3)
    assert few_shot(training, labels, asked, truth, 2, 3) != few_shot(training, labels, asked, truth, 2, 4)
