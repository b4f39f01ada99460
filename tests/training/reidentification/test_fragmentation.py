"""Fragmentation rates, by counting; the limit of 5 % false positives holds for the pairs that fixed it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.reidentification.tables import table_of
from training.errors import UserError
from training.reidentification.fragmentation import (
    FALSE_POSITIVES,
    fragmentation,
    fragmentation_by_class,
    fragments,
    limit_of_distance,
    merged_groups,
)
from training.reidentification.matching import separate_pairs

ROW = st.tuples(st.sampled_from("ab"), st.sampled_from(["L1", "L2", "L3"]), st.integers(0, 3))


@settings(max_examples=100, deadline=None)
@given(
    negatives=st.lists(st.integers(-10, 10), min_size=1, max_size=60),
    share=st.sampled_from([0.0, 0.05, 0.1, 0.5]),
)
def test_the_limit_is_the_largest_that_keeps_the_share(negatives: list[int], share: float) -> None:
    similarities = np.array([0.0, *(value / 10 for value in negatives)])
    is_same = np.arange(len(similarities)) == 0
    limit = limit_of_distance(is_same, similarities, share)
    distances = 1.0 - similarities[1:]
    assert (distances <= limit).mean() <= share + 1e-9
    beyond = distances[distances > limit]
    assert (distances <= beyond.min()).mean() > share, "the next pair would be one too many"


def test_the_papers_share_is_the_default() -> None:
    is_same, similarities = np.arange(101) == 0, np.arange(101) / 101
    assert limit_of_distance(is_same, similarities) == limit_of_distance(is_same, similarities, 0.05)
    assert (1 - similarities[1:] <= limit_of_distance(is_same, similarities)).mean() == FALSE_POSITIVES


@pytest.mark.parametrize("truth", [[True, True], [False, False], []])
def test_a_limit_needs_both_kinds_of_pairs(truth: list[bool]) -> None:
    with pytest.raises(UserError):
        limit_of_distance(np.array(truth, np.bool_), np.zeros(len(truth)), 0.05)


def test_tracklets_are_merged_within_their_procedure() -> None:
    table = table_of([("b", 0, 1), ("a", 0, 1), ("b", 2, 3), ("a", 2, 3), ("a", 4, 5)])
    pairs = separate_pairs(table)
    assert pairs.tolist() == [[0, 2], [1, 3], [1, 4], [3, 4]]
    groups = merged_groups(table.procedures, pairs, np.array([0.9, 0.2, 0.8, 0.1]), limit=0.3)
    assert groups[0] == groups[2]
    assert groups[1] == groups[4]
    assert len({groups[0], groups[1], groups[3]}) == 3
    apart = merged_groups(table.procedures, pairs, np.ones(4), limit=-1e-9)
    assert len(set(apart.tolist())) == 5, "a limit below zero joins nothing"


def test_what_is_in_view_at_once_is_not_merged() -> None:
    table = table_of([("a", 0, 3), ("a", 2, 4), ("a", 5, 6)])
    groups = merged_groups(table.procedures, separate_pairs(table), np.array([0.9, 0.8]), 0.5)
    assert groups[0] == groups[2] != groups[1]


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=20))
def test_statistics_equal_those_of_a_slow_reference(rows: list[tuple[str, str, int]]) -> None:
    procedures, findings, groups = (np.array(column) for column in zip(*rows, strict=True))
    pieces: dict[tuple[str, str], set[int]] = {}
    for procedure, finding, group in rows:
        pieces.setdefault((procedure, finding), set()).add(group)
    counts = [len(groups_of_one) for groups_of_one in pieces.values()]

    found = fragmentation(procedures, findings, groups)

    assert (found.findings, found.tracklets) == (len(counts), sum(counts))
    assert found.rate == pytest.approx(np.mean(counts))
    assert found.deviation == (pytest.approx(np.std(counts, ddof=1)) if len(counts) > 1 else None)
    assert found.fragmented_share == pytest.approx(sum(count > 1 for count in counts) / len(counts))
    assert len(set(fragments(procedures, findings, groups).tolist())) == sum(counts)


def test_merging_lowers_the_rate_and_the_annotation_has_one() -> None:
    procedures, findings = np.array(["a"] * 5), np.array(["L1", "L1", "L1", "L2", "L2"])
    tracking = fragmentation(procedures, findings, np.arange(5))
    merged = fragmentation(procedures, findings, np.array([0, 0, 1, 2, 2]))
    annotated = fragmentation(procedures, findings, np.zeros(5, np.int64))
    assert [row.rate for row in (tracking, merged, annotated)] == [2.5, 1.5, 1.0]
    assert [row.tracklets for row in (tracking, merged, annotated)] == [5, 3, 2], "a wrong group counts for each"
    assert [row.fragmented_share for row in (tracking, merged, annotated)] == [1.0, 0.5, 0.0]


def test_table_3_is_by_class() -> None:
    procedures, findings = np.array(["a", "a", "a", "b"]), np.array(["L1", "L1", "L2", "L1"])
    classes = np.array(["polyp", "polyp", "ulcer", "polyp"])
    rows = fragmentation_by_class(procedures, findings, np.arange(4), classes)
    assert {name: (row.findings, row.tracklets, row.rate) for name, row in rows.items()} == {
        "polyp": (2, 3, 1.5),
        "ulcer": (1, 1, 1.0),
    }
    with pytest.raises(UserError, match="finding L1 of procedure a has more than one class"):
        fragmentation_by_class(procedures, findings, np.arange(4), np.array(["polyp", "ulcer", "ulcer", "polyp"]))


def test_bad_input() -> None:
    none = np.zeros(0, np.str_)
    with pytest.raises(UserError, match="no tracklet"):
        fragmentation(none, none, np.zeros(0, np.int64))
