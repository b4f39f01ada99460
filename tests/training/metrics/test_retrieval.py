"""R@k, mAP, ties and chance against slow loops over ranks and orders."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from training.metrics.retrieval import (
    QueryFigures,
    chance_figures,
    joined_figures,
    mean_interval,
    query_figures,
)


def average_precision_of(order: NDArray[np.bool_]) -> float:
    """By a loop over the ranks, from whether the item at each rank is relevant."""
    precisions = [order[: rank + 1].sum() / (rank + 1) for rank in range(len(order)) if order[rank]]
    return float(np.mean(precisions))


def hit_of(order: NDArray[np.bool_], k: int) -> float:
    return float(order[:k].any())


def test_figures_equal_a_loop_over_the_ranks() -> None:
    rng = np.random.default_rng(0)
    similarity = rng.normal(size=(30, 25)).astype(np.float32)
    relevant = rng.random((30, 25)) < 0.15
    found = query_figures(similarity, relevant)
    kept = [query for query in range(30) if relevant[query].any()]
    assert found.queries.tolist() == kept
    assert found.left_out == 30 - len(kept) > 0
    for place, query in enumerate(kept):
        order = relevant[query][np.argsort(-similarity[query])]
        assert found.average_precision[place] == pytest.approx(average_precision_of(order))
        assert found.hits[place].tolist() == [hit_of(order, k) for k in (1, 5, 10)]
    assert found.relevant.tolist() == relevant[kept].sum(axis=1).tolist()
    assert set(found.gallery.tolist()) == {25}


def test_tied_items_count_as_the_mean_over_all_their_orders() -> None:
    similarity = np.array([[2.0, 1.0, 1.0, 1.0, 0.0, 0.0]])
    relevant = np.array([[False, True, False, True, True, False]])
    groups = [[0], [1, 2, 3], [4, 5]]
    orders = [
        relevant[0][list(itertools.chain(*each))]
        for each in itertools.product(*(itertools.permutations(group) for group in groups))
    ]
    found = query_figures(similarity, relevant, ranks=(1, 2, 3, 4, 6, 9))
    assert found.average_precision[0] == pytest.approx(np.mean([average_precision_of(order) for order in orders]))
    wanted = [np.mean([hit_of(order, k) for order in orders]) for k in (1, 2, 3, 4, 6, 9)]
    assert found.hits[0].tolist() == pytest.approx(wanted)


def test_chance_is_the_mean_over_random_orders() -> None:
    rng = np.random.default_rng(1)
    relevant = np.zeros((3, 40), np.bool_)
    relevant[0, :1], relevant[1, :7], relevant[2, :40] = True, True, True
    chance = chance_figures(query_figures(rng.normal(size=(3, 40)), relevant))
    for place in range(3):
        orders = [rng.permutation(relevant[place]) for _ in range(4000)]
        drawn = np.array([[hit_of(order, k) for k in (1, 5, 10)] for order in orders]).mean(axis=0)
        assert chance.hits[place] == pytest.approx(drawn, abs=0.03)
        assert chance.average_precision[place] == pytest.approx(
            np.mean([average_precision_of(order) for order in orders]), abs=0.01
        )
    assert chance.hits[0].tolist() == pytest.approx([1 / 40, 5 / 40, 10 / 40])
    assert chance.average_precision[0] == pytest.approx((1 / np.arange(1, 41)).mean())
    assert chance.values()["mAP"][2] == pytest.approx(1.0)


def test_all_items_alike_are_chance() -> None:
    relevant = np.array([[True, False, False, True, False, False, False]])
    tied = query_figures(np.zeros((1, 7)), relevant)
    chance = chance_figures(tied)
    assert tied.average_precision.tolist() == chance.average_precision.tolist()
    assert tied.hits.tolist() == chance.hits.tolist()


def test_galleries_of_different_sizes_are_joined() -> None:
    parts = [
        query_figures(np.array([[1.0, 0.0]]), np.array([[True, False]])),
        query_figures(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), np.array([[True, False, False], [False] * 3])),
    ]
    found = joined_figures(parts)
    assert found.average_precision.tolist() == pytest.approx([1.0, 1 / 3])
    assert (found.gallery.tolist(), found.left_out) == ([2, 3], 1)
    assert chance_figures(found).hits[:, 0].tolist() == pytest.approx([1 / 2, 1 / 3])


def test_without_a_relevant_clip_nothing_is_left() -> None:
    found = query_figures(np.zeros((2, 3)), np.zeros((2, 3), np.bool_))
    assert (len(found.queries), found.left_out, found.hits.shape) == (0, 2, (0, 3))
    assert len(chance_figures(found).average_precision) == 0
    assert query_figures(np.zeros((2, 0)), np.zeros((2, 0), np.bool_)).left_out == 2


def test_similarities_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="must be finite"):
        query_figures(np.full((1, 2), np.nan), np.array([[True, False]]))


def test_the_interval_draws_whole_patients() -> None:
    values = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    patients = np.array(["A", "A", "B", "B", "B", "B"])
    found = mean_interval(values, patients, draws=500)
    assert found.value == pytest.approx(4 / 6)
    assert (found.low, found.high) == (0.0, 1.0)  # both patients may be A, or B
    rng = np.random.default_rng(0)
    drawn = rng.integers(2, size=(500, 2))
    means = [np.concatenate([values[patients == "AB"[each]] for each in pair]).mean() for pair in drawn]
    narrow = mean_interval(values, patients, draws=500, level=0.4)
    assert [narrow.low, narrow.high] == pytest.approx(np.quantile(means, (0.3, 0.7)).tolist())


def test_the_interval_needs_two_patients() -> None:
    assert mean_interval(np.ones(3), np.array(["A"] * 3)) == (1.0, None, None)
    assert mean_interval(np.zeros(0), np.zeros(0, np.str_)) == (None, None, None)


def test_figures_know_their_names() -> None:
    found = query_figures(np.array([[1.0, 0.0]]), np.array([[False, True]]), ranks=(1, 2))
    assert isinstance(found, QueryFigures)
    assert {name: value.tolist() for name, value in found.values().items()} == {
        "R@1": [0.0],
        "R@2": [1.0],
        "mAP": [0.5],
    }
