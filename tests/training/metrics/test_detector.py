"""Figures against scikit-learn and against cases worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from training.errors import UserError
from training.metrics.detector import auc, sensitivity_at, threshold_at

# Few distinct scores, so that ties are common.
CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=60).filter(
    lambda rows: len({positive for positive, _ in rows}) == 2
)


@given(rows=CASES)
def test_auc_equals_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    truth, scores = np.array([p for p, _ in rows]), np.array([s / 6 for _, s in rows])
    assert auc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))


@given(rows=CASES, specificity=st.sampled_from([0.0, 0.5, 0.8, 0.9, 0.95, 1.0]))
def test_sensitivity_equals_the_best_point_of_scikit_learns_curve(
    rows: list[tuple[bool, int]], specificity: float
) -> None:
    truth, scores = np.array([p for p, _ in rows]), np.array([s / 6 for _, s in rows])
    false_positive, true_positive, _ = roc_curve(truth, scores, drop_intermediate=False)
    expected = true_positive[1.0 - false_positive >= specificity - 1e-9].max()
    assert sensitivity_at(truth, scores, specificity) == pytest.approx(expected)


def test_worked_by_hand() -> None:
    truth = np.array([True, True, True, False, False, False, False])
    scores = np.array([0.9, 0.5, 0.2, 0.6, 0.5, 0.1, 0.0])
    # Pairs won: 0.9 beats 4; 0.5 beats 2 and ties 1; 0.2 beats 2: 8.5 of 12.
    assert auc(truth, scores) == pytest.approx(8.5 / 12)
    assert sensitivity_at(truth, scores, 1.0) == pytest.approx(1 / 3)
    assert sensitivity_at(truth, scores, 0.75) == pytest.approx(1 / 3)  # 0.5 is shared with a negative
    assert sensitivity_at(truth, scores, 0.5) == pytest.approx(1.0)
    assert sensitivity_at(truth, scores, 0.0) == 1.0


def test_a_twentieth_of_twenty_negatives_may_be_flagged() -> None:
    negatives = np.arange(20) / 20
    assert 0.90 < threshold_at(negatives, 0.95) <= 0.95
    assert (negatives < threshold_at(negatives, 0.95)).mean() == pytest.approx(0.95)


def test_one_side_only_has_no_figures() -> None:
    assert auc(np.array([True, True]), np.array([0.1, 0.2])) is None
    assert sensitivity_at(np.array([False]), np.array([0.1]), 0.9) is None


def test_wrong_shapes_and_scores_are_told() -> None:
    with pytest.raises(UserError, match="not finite"):
        auc(np.array([True, False]), np.array([0.1, np.nan]))
