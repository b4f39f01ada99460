"""Alignment and uniformity against their formulas, pair by pair."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.embeddings.knn import normalised
from training.experiments.benchmark import evaluator
from training.experiments.benchmark.evaluator import category_alignment, pair_alignment, uniformity


@settings(deadline=None, max_examples=40)
@given(frames=st.integers(2, 24), seed=st.integers(0, 10_000), by_group=st.booleans())
def test_alignment_is_the_mean_over_pairs_of_a_category(frames: int, seed: int, by_group: bool) -> None:
    rng = np.random.default_rng(seed)
    points, labels = rng.normal(size=(frames, 5)), rng.integers(0, 3, frames)
    groups = rng.integers(0, 3, frames).astype(str) if by_group else None
    found = category_alignment(points, labels, groups)
    unit = normalised(points)
    wanted = {}
    for label in set(labels.tolist()):
        distances = [
            float(((unit[i] - unit[j]) ** 2).sum())
            for i, j in combinations(np.flatnonzero(labels == label).tolist(), 2)
            if groups is None or groups[i] != groups[j]
        ]
        if distances:
            wanted[label] = sum(distances) / len(distances)
    assert found.keys() == wanted.keys()
    for label, value in wanted.items():
        assert found[label] == pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(frames=st.integers(2, 20), seed=st.integers(0, 10_000))
def test_uniformity_is_the_logarithm_of_the_mean_potential(frames: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(frames, 4))
    unit = normalised(points)
    potentials = [math.exp(-2.0 * float(((a - b) ** 2).sum())) for a, b in combinations(unit, 2)]
    assert uniformity(points) == pytest.approx(math.log(sum(potentials) / len(potentials)), abs=1e-9)


def test_views_are_compared_pair_by_pair() -> None:
    first, second = np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 3.0], [5.0, 0.0]])
    assert pair_alignment(first, second) == pytest.approx(1.0)  # distances 2 and 0, squared
    assert pair_alignment(first[:0], second[:0]) is None


def test_a_collapsed_embedding_is_aligned_and_not_uniform() -> None:
    same = np.ones((6, 3))
    assert category_alignment(same, np.zeros(6, np.int64)) == {0: pytest.approx(0.0, abs=1e-12)}
    assert uniformity(same) == pytest.approx(0.0, abs=1e-12)


def test_a_single_frame_has_neither() -> None:
    assert category_alignment(np.ones((1, 3)), np.zeros(1, np.int64)) == {}
    assert uniformity(np.ones((1, 3))) is None


def test_of_many_frames_a_seeded_sample_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(0).normal(size=(400, 8))
    whole = uniformity(points)
    monkeypatch.setattr(evaluator, "MOST_FRAMES", 200)
    assert uniformity(points, 1) == uniformity(points, 1)
    assert uniformity(points, 1) != uniformity(points, 2)
    assert uniformity(points, 1) == pytest.approx(whole, abs=0.1)
