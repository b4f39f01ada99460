"""Similarities of pairs by the five techniques of Table 1, against loops over frames; areas against scikit-learn."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.training.reidentification.tables import table_of
from training.errors import UserError
from training.reidentification.matching import (
    TECHNIQUES,
    Technique,
    is_same_finding,
    pair_figures,
    pair_similarities,
    separate_pairs,
)

Frames = list[NDArray[np.float32]]


def distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(1.0 - sum(one * other) / sqrt(sum(one * one) * sum(other * other)))


def mean_direction(frames: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sum(frame / sqrt(sum(frame * frame)) for frame in frames) / len(frames))


def slow_similarity(one: NDArray[np.float64], other: NDArray[np.float64], technique: Technique) -> float:
    if technique in ("averaging", "joint"):
        return 1.0 - distance(mean_direction(one), mean_direction(other))
    distances = [distance(frame, another) for frame in one for another in other]
    found = {"min": min(distances), "max": max(distances), "mean": sum(distances) / len(distances)}
    return 1.0 - found[technique]


@settings(max_examples=50, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 5), min_size=2, max_size=5),
    technique=st.sampled_from(TECHNIQUES),
    seed=st.integers(0, 2**32 - 1),
)
def test_similarities_equal_those_of_a_slow_reference(lengths: list[int], technique: Technique, seed: int) -> None:
    rng = np.random.default_rng(seed)
    if technique == "joint":
        lengths = [1] * len(lengths)
    frames = [rng.normal(size=(length, 6)).astype(np.float32) for length in lengths]
    pairs = np.stack(np.triu_indices(len(lengths), 1), 1)
    found = pair_similarities(frames, pairs, technique)
    wide = [each.astype(np.float64) for each in frames]
    expected = [slow_similarity(wide[one], wide[other], technique) for one, other in pairs]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_higher_is_the_same_finding() -> None:
    right, up = np.array([[1.0, 0.0], [1.0, 0.1]], np.float32), np.array([[0.0, 1.0]], np.float32)
    for technique in TECHNIQUES[:4]:
        alike, apart = pair_similarities([right, 3 * right, up], np.array([[0, 1], [0, 2]]), technique)
        assert alike > 0.9 > 0.2 > apart, technique
    nearest, furthest = (pair_similarities([right, up], np.array([[0, 1]]), name)[0] for name in ("min", "max"))
    assert nearest > furthest == 0.0, "the two most alike frames, and the two least alike"


def test_tracklets_of_one_frame_are_the_same_by_every_technique() -> None:
    frames: Frames = [np.array([[1.0, 2.0]], np.float32), np.array([[2.0, -0.5]], np.float32)]
    found = [pair_similarities(frames, np.array([[0, 1]]), technique)[0] for technique in TECHNIQUES]
    np.testing.assert_allclose(found, found[0])


def test_pairs_lie_in_one_procedure_and_apart_in_time() -> None:
    table = table_of([("a", 0, 2), ("b", 0, 1), ("a", 1, 3), ("a", 2, 4), ("b", 5, 6)])
    assert separate_pairs(table).tolist() == [[0, 3], [1, 4]], "0 and 2, and 2 and 3, are in view at once"


def test_the_same_finding_is_named_within_a_procedure() -> None:
    table = table_of([("a", 0, 1), ("a", 2, 3), ("a", 4, 5), ("b", 0, 1), ("b", 2, 3)])
    findings = np.array(["L1", "L2", "L1", "L1", "L2"])
    pairs = separate_pairs(table)
    assert pairs.tolist() == [[0, 1], [0, 2], [1, 2], [3, 4]]
    assert is_same_finding(table, findings, pairs).tolist() == [False, True, False, False]


@settings(max_examples=50, deadline=None)
@given(truth=st.lists(st.booleans(), min_size=2, max_size=40), seed=st.integers(0, 2**32 - 1))
def test_areas_equal_those_of_scikit_learn(truth: list[bool], seed: int) -> None:
    is_same = np.array(truth)
    similarities = np.random.default_rng(seed).integers(0, 6, len(truth)) / 5  # with ties
    if is_same.all() or not is_same.any():
        with pytest.raises(UserError, match="pairs of tracklets are of"):
            pair_figures(is_same, similarities)
        return
    found = pair_figures(is_same, similarities)
    assert found["auroc"] == pytest.approx(roc_auc_score(is_same, similarities))
    assert found["auprc"] == pytest.approx(average_precision_score(is_same, similarities))
    assert found["auprc_by_chance"] == pytest.approx(sum(truth) / len(truth))
    assert (found["auroc_by_chance"], found["pairs"], found["positives"]) == (0.5, len(truth), sum(truth))


def test_the_papers_test_set_has_this_chance() -> None:
    is_same = np.arange(600) < 252
    assert pair_figures(is_same, np.zeros(600))["auprc_by_chance"] == pytest.approx(0.42)


def test_no_pairs() -> None:
    with pytest.raises(UserError, match="no pair to evaluate"):
        separate_pairs(table_of([("a", 0, 1), ("b", 0, 1)]))
    with pytest.raises(UserError, match="no pair to evaluate"):
        separate_pairs(table_of([]))
    with pytest.raises(UserError, match="no pair of tracklets"):
        pair_figures(np.zeros(0, np.bool_), np.zeros(0))


def test_overlapping_tracklets_of_one_finding() -> None:
    table = table_of([("a", 0, 3), ("a", 2, 5), ("a", 8, 9)])
    pairs = separate_pairs(table)
    assert is_same_finding(table, np.array(["L1", "L2", "L1"]), pairs).tolist() == [True, False]
    with pytest.raises(UserError, match="finding L1 of procedure a overlap in time"):
        is_same_finding(table, np.array(["L1", "L1", "L2"]), pairs)


def test_embeddings_that_cannot_be_compared() -> None:
    pair, good = np.array([[0, 1]]), np.ones((2, 3), np.float32)
    with pytest.raises(UserError, match="not finite"):
        pair_similarities([good, np.full((1, 3), np.nan, np.float32)], pair, "min")
    assert pair_similarities([good, 0 * good], pair, "mean").tolist() == [0.0], "nothing is alike to zero"
