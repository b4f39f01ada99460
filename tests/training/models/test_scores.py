"""Scores from logits: shared by a softmax, or each class against normal."""

import numpy as np
import pytest

from training.models.scores import ScoreKind, scores_of

LOGITS = np.array([[0.0, 2.0, 2.0], [3.0, 1.0, -4.0], [1.0, 1000.0, -1000.0]], np.float32)


def slow(logits: np.ndarray, kind: ScoreKind) -> np.ndarray:
    """The definitions, number by number."""
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shared = powers / powers.sum(axis=1, keepdims=True)
    if kind == "softmax":
        return np.asarray(shared)
    pairs = [[1 / (1 + np.exp(np.minimum(row[0] - value, 700))) for value in row[1:]] for row in logits.astype(float)]
    return np.array([[1 - max(pair), *pair] for pair in pairs])


@pytest.mark.parametrize("kind", ["softmax", "against_normal"])
def test_scores_are_what_their_definition_says(kind: ScoreKind) -> None:
    scores = scores_of(LOGITS, kind)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, slow(LOGITS, kind), atol=1e-6)
    assert np.array_equal(scores.argmax(axis=1), [1, 0, 1]), "the decided class is that of the highest logit"


def test_with_two_classes_both_kinds_are_the_same() -> None:
    pair = np.random.default_rng(0).normal(0, 3, (50, 2))
    np.testing.assert_allclose(scores_of(pair, "softmax"), scores_of(pair, "against_normal"), atol=1e-6)


def test_findings_do_not_compete_against_normal() -> None:
    shared, apart = (scores_of(LOGITS, kind)[0] for kind in ("softmax", "against_normal"))
    assert shared[1] < 0.5 < apart[1]


@pytest.mark.parametrize("kind", ["softmax", "against_normal"])
def test_missing_frames_stay_missing_and_no_classes_give_no_scores(kind: ScoreKind) -> None:
    missing = np.full((1, 3), np.nan, np.float32)
    assert np.isnan(scores_of(missing, kind)).all()
    assert scores_of(np.zeros((4, 0), np.float32), kind).shape == (4, 0)
