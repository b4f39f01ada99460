"""Copies and outliers agree with loops over all pairs."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from training.cleaning import near_duplicates, outlier_scores


def _clouds(seed: int, count: int = 60, offset: float = 0.0) -> NDArray[np.float32]:
    return np.asarray(np.random.default_rng(seed).normal(offset, 1.0, (count, 16)), np.float32)


def _distance(points: NDArray[np.float32], row: int, other: int) -> float:
    return math.dist(points[row].astype(float).tolist(), points[other].astype(float).tolist())


@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_near_duplicates_are_those_of_a_loop(offset: float) -> None:
    points = _clouds(1, offset=offset)
    groups = np.array(["a", "b", "c"])[np.arange(60) % 3]
    points[1] = points[0]  # a copy in another group
    points[5] = points[3] + np.float32(0.05)  # nearly one
    points[9] = points[6] + np.float32(0.02)  # in the same group
    expected = set()
    for row in range(60):
        others = [other for other in range(60) if groups[other] != groups[row]]
        nearest = min(others, key=lambda other: _distance(points, row, other))
        expected.add((min(row, nearest), max(row, nearest)))
    pairs = near_duplicates(points, groups, share=10.0)
    assert {(pair.first, pair.second) for pair in pairs} == expected
    shares = [pair.distance for pair in pairs]
    assert shares == sorted(shares)
    unit = _distance(points, pairs[-1].first, pairs[-1].second) / pairs[-1].distance
    assert all(_distance(points, *pair[:2]) == pytest.approx(pair.distance * unit, abs=1e-4) for pair in pairs)
    near = near_duplicates(points, groups)
    assert [(pair.first, pair.second) for pair in near] == [(0, 1), (3, 5)]
    assert near[0].distance == 0.0


def test_one_group_and_no_frames_have_no_duplicates() -> None:
    assert near_duplicates(_clouds(2), np.zeros(60)) == []
    assert near_duplicates(np.zeros((0, 4), np.float32), np.zeros(0)) == []


@pytest.mark.parametrize("with_times", [False, True])
def test_outlier_scores_are_those_of_a_loop(with_times: bool) -> None:
    points = _clouds(3)
    points[7] += 9
    groups, seconds = np.arange(60) // 30, np.arange(60) % 30 * 10.0
    expected = []
    for row in range(60):
        distances = sorted(
            _distance(points, row, other)
            for other in range(60)
            if other != row
            and not (with_times and groups[other] == groups[row] and abs(seconds[other] - seconds[row]) < 60)
        )
        expected.append(distances[4])
    result = outlier_scores(points, groups, seconds if with_times else None, neighbours=5)
    assert result == pytest.approx(np.array(expected) / np.median(expected), rel=1e-4)
    assert int(result.argmax()) == 7


def test_outliers_of_few_frames() -> None:
    assert outlier_scores(np.zeros((0, 4), np.float32)).tolist() == []
    assert outlier_scores(np.ones((1, 4), np.float32)).tolist() == [0.0]
    assert outlier_scores(np.array([[0.0], [3.0]], np.float32)).tolist() == [1.0, 1.0]


def test_arrays_that_do_not_fit_are_refused() -> None:
    points = _clouds(4)
    with pytest.raises(ValueError, match="groups"):
        near_duplicates(points, np.zeros(59))
    with pytest.raises(ValueError, match="seconds"):
        outlier_scores(points, None, np.zeros(3))
    points[3, 2] = np.nan
    with pytest.raises(ValueError, match="finite"):
        near_duplicates(points, np.zeros(60))
