"""The weighted vote of neighbours against the slow way, one frame at a time."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.embeddings import knn
from training.embeddings.knn import knn_scores, normalised
from training.experiments.benchmark.class_figures import few_shot


def slow_scores(
    training: NDArray[np.float64], labels: list[int], query: NDArray[np.float64], classes: int, k: int, tau: float
) -> list[float]:
    """Wu et al. 2018, as a person would write it down."""
    near = []
    for row, label in zip(training, labels, strict=True):
        cosine = float(row @ query) / (np.linalg.norm(row) * np.linalg.norm(query))
        near.append((cosine, label))
    near.sort(key=lambda pair: -pair[0])
    votes = [0.0] * classes
    for cosine, label in near[:k]:
        votes[label] += math.exp(cosine / tau)
    return [vote / sum(votes) for vote in votes]


@settings(deadline=None, max_examples=40)
@given(
    frames=st.integers(1, 30),
    k=st.integers(1, 40),
    tau=st.sampled_from([0.05, 0.1, 1.0]),
    seed=st.integers(0, 10_000),
)
def test_it_is_what_a_loop_says(frames: int, k: int, tau: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    training, asked = rng.normal(size=(frames, 6)), rng.normal(size=(5, 6))
    labels = rng.integers(0, 3, frames)
    found = knn_scores(training, labels, asked, 3, k=k, temperature=tau)
    wanted = [slow_scores(training, labels.tolist(), query, 3, k, tau) for query in asked]
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_it_says_the_same_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    training, labels, asked = rng.normal(size=(9, 4)), rng.integers(0, 2, 9), rng.normal(size=(11, 4))
    whole = knn_scores(training, labels, asked, 2)
    monkeypatch.setattr(knn, "CHUNK", 3)
    np.testing.assert_array_equal(knn_scores(training, labels, asked, 2), whole)


def test_lengths_do_not_matter_and_nothing_stays_nothing() -> None:
    rows = normalised(np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, 0.0]])
    training, labels = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1])
    one = knn_scores(training, labels, np.array([[5.0, 0.1]]), 2)
    other = knn_scores(100 * training, labels, np.array([[0.5, 0.01]]), 2)
    np.testing.assert_allclose(one, other)
    assert one[0, 0] > 0.99


def test_a_tiny_temperature_stays_finite() -> None:
    scores = knn_scores(np.eye(3), np.array([0, 1, 2]), np.eye(3), 3, temperature=1e-4)
    np.testing.assert_allclose(scores, np.eye(3), atol=1e-12)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="temperature"):
        knn_scores(np.eye(2), np.array([0, 1]), np.eye(2), 2, temperature=0.0)
    with pytest.raises(ValueError, match="no frame"):
        knn_scores(np.zeros((0, 2)), np.zeros(0, np.int64), np.eye(2), 2)


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
