"""Groups of tracklets equal those of a slow reference; what a reader said goes before distances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.reidentification.grouping import merge


def slow_merge(distances: NDArray[np.float64], limit: float) -> list[set[int]]:
    """Join the two nearest groups again and again, up to the limit."""
    groups = [{at} for at in range(len(distances))]
    while len(groups) > 1:
        pairs = [
            (float(np.mean(distances[np.ix_(sorted(one), sorted(other))])), first, second)
            for first, one in enumerate(groups)
            for second, other in enumerate(groups)
            if first < second
        ]
        nearest, first, second = min(pairs)
        if nearest > limit:
            break
        groups[first] |= groups.pop(second)
    return groups


def sets(groups: NDArray[np.int64]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in np.unique(groups)}


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(0, 12),
    limit=st.floats(0, 2),
)
def test_groups_equal_those_of_the_slow_reference(seed: int, count: int, limit: float) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 2))
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    found = merge(distances, limit)
    assert sets(found) == {frozenset(group) for group in slow_merge(distances, limit)}
    firsts = [int(np.flatnonzero(found == group)[0]) for group in range(len(sets(found)))]
    assert firsts == sorted(firsts), "groups are numbered by their first members"


def test_a_readers_word_goes_before_distances() -> None:
    near = np.array([[0, 0.1, 0.9, 0.9], [0.1, 0, 0.8, 0.9], [0.9, 0.8, 0, 0.2], [0.9, 0.9, 0.2, 0]])
    assert merge(near, 0.5).tolist() == [0, 0, 1, 1]
    assert merge(near, 0.5, different=[(0, 1)]).tolist() == [0, 1, 2, 2]
    assert merge(near, 0.05, same=[(0, 3)]).tolist() == [0, 1, 2, 0]
    assert merge(near, 0.05, same=[(0, 1), (1, 3)]).tolist() == [0, 0, 1, 0], "also by way of others"
    assert merge(near, 0.05, same=[(0, 1), (1, 3)], different=[(0, 3)]).tolist() == [0, 0, 1, 0]


def test_infinite_distances_keep_classes_apart() -> None:
    apart = np.array([[0, np.inf], [np.inf, 0]])
    assert merge(apart, 1e6).tolist() == [0, 1]
    assert merge(apart, 0.5, same=[(0, 1)]).tolist() == [0, 0]


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one(count: int) -> None:
    assert merge(np.zeros((count, count)), 1.0).tolist() == [0] * count
