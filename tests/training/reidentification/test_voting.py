"""Soft votes over fragments, and the rows of Table 4 against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import f1_score, roc_auc_score

from training.errors import UserError
from training.reidentification.fragmentation import fragments, soft_vote, voting_figures


def test_each_frame_of_a_fragment_counts_the_same() -> None:
    scores = [np.array([0.0, 0.0, 0.0]), np.array([1.0]), np.array([0.5, 0.7])]
    assert soft_vote(scores, np.array([0, 0, 1])) == pytest.approx([0.25, 0.6])


@settings(max_examples=50, deadline=None)
@given(truth=st.lists(st.booleans(), min_size=2, max_size=40), seed=st.integers(0, 2**32 - 1))
def test_figures_equal_those_of_scikit_learn(truth: list[bool], seed: int) -> None:
    is_positive = np.array(truth)
    votes = np.random.default_rng(seed).integers(0, 11, len(truth)) / 10
    if is_positive.all() or not is_positive.any():
        with pytest.raises(UserError, match="of one class"):
            voting_figures(is_positive, votes)
        return
    found = voting_figures(is_positive, votes)
    said = votes >= 0.5
    assert found["auc"] == pytest.approx(roc_auc_score(is_positive, votes))
    assert found["f1_macro"] == pytest.approx(f1_score(is_positive, said, average="macro"))
    assert found["f1_micro"] == pytest.approx(f1_score(is_positive, said, average="micro"))
    reachable = [
        (votes[is_positive] >= threshold).mean()
        for threshold in (*votes, np.inf)
        if (votes[~is_positive] < threshold).mean() >= 0.9
    ]
    assert found["sensitivity_at_90"] == pytest.approx(max(reachable))


def test_a_fragment_has_its_findings_label() -> None:
    procedures, findings = np.array(["a"] * 4), np.array(["L1", "L1", "L2", "L2"])
    is_positive = np.array([True, True, False, False])
    scores = [np.array(each) for each in ([0.9, 0.9], [0.3], [0.2], [0.6])]
    groups = np.array([0, 0, 0, 1])  # the first of L2 was merged with L1: it stays a fragment of L2

    def row(grouping: NDArray[np.int64]) -> tuple[int, dict[str, float]]:
        pieces = fragments(procedures, findings, grouping)
        first = np.unique(pieces, return_index=True)[1]
        return len(first), voting_figures(is_positive[first], soft_vote(scores, pieces))

    annotation, tracking, reid = row(np.zeros(4, np.int64)), row(np.arange(4)), row(groups)
    assert (annotation[0], tracking[0], reid[0]) == (2, 4, 3)
    assert annotation[1]["auc"] == 1.0
    assert tracking[1]["auc"] == 0.75, "0.3 of L1 lies below 0.6 of L2"
    assert reid[1]["f1_micro"] == pytest.approx(2 / 3)


def test_bad_input() -> None:
    with pytest.raises(UserError, match="of one class"):
        voting_figures(np.array([True]), np.array([1.0]))
