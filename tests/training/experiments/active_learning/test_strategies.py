"""The rules choose frames without a label, each once, and each what its paper says."""

import numpy as np
import pytest

from training.experiments.active_learning.strategies import STRATEGIES, Pool


def clusters(labelled: list[int], *, with_scores: bool = True) -> Pool:
    """Four clusters of 20 frames, each a group; the scores of cluster 3 are undecided."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(4), 20)
    points = (10 * np.eye(4)[group] + 10 + rng.normal(size=(80, 4))).astype(np.float32)
    first = np.where(group == 3, rng.uniform(0.45, 0.55, 80), 0.95)
    scores = np.stack([first, 1 - first], axis=1).astype(np.float32) if with_scores else None
    return Pool(points, group.astype(np.str_), np.array(labelled, np.int64), scores)


def chosen(name: str, pool: Pool, count: int) -> list[int]:
    return list(map(int, STRATEGIES[name](pool, count, np.random.default_rng(1))))


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "pool", [clusters([], with_scores=False), clusters([0, 30]), clusters(list(range(60)))], ids=["none", "two", "many"]
)
def test_frames_are_open_and_chosen_once(name: str, pool: Pool) -> None:
    rows = chosen(name, pool, 8)
    assert 0 < len(rows) <= 8
    assert len(set(rows)) == len(rows)
    assert not set(rows) & set(pool.labelled.tolist())
    assert rows == chosen(name, pool, 8)


@pytest.mark.parametrize("name", ["random-by-group", "window", "k-centre", "typiclust"])
def test_without_labels_every_cluster_is_asked_for(name: str) -> None:
    assert {row // 20 for row in chosen(name, clusters([], with_scores=False), 4)} == {0, 1, 2, 3}


@pytest.mark.parametrize("name", ["margin", "badge", "doubt-distance"])
def test_undecided_frames_come_first(name: str) -> None:
    assert chosen(name, clusters([0, 30]), 4)[0] // 20 == 3


def test_the_window_goes_by_distance_first_and_by_doubt_later() -> None:
    few, many = clusters([60, 61]), clusters(list(range(45)))
    assert chosen("window", few, 1)[0] // 20 != 3
    assert chosen("window", many, 1)[0] // 20 == 3


def test_groups_with_fewer_labels_come_first() -> None:
    assert {row // 20 for row in chosen("random-by-group", clusters([0, 1, 20, 40]), 4)} == {1, 2, 3}
