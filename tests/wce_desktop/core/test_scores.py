"""Scores check themselves when made."""

import numpy as np
import pytest

from wce_desktop.core.event import Scores

INDEX = np.arange(3, dtype=np.int64)


def test_a_track_is_one_class() -> None:
    scores = Scores(("normal", "polyp"), np.array([[0, 1], [1, 0], [0.5, 0.5]], dtype=np.float32), INDEX)
    assert scores.track("polyp").tolist() == [1.0, 0.0, 0.5]
    with pytest.raises(KeyError):
        scores.track("blood")


def test_frames_that_the_model_did_not_see_have_no_score() -> None:
    scores = Scores(("normal",), np.ones((2, 1), dtype=np.float32), np.array([0, 2], dtype=np.int64))
    np.testing.assert_array_equal(scores.dense("normal", 4), np.array([1, np.nan, 1, np.nan], dtype=np.float32))


@pytest.mark.parametrize(
    ("values", "index", "said"),
    [
        (np.zeros((3, 1), dtype=np.float32), INDEX, r"\(N, C\) = \(3, 2\), not \(3, 1\)"),
        (np.zeros((3, 2)), INDEX, "float32"),
        (np.full((3, 2), 1.5, dtype=np.float32), INDEX, r"\[0, 1\]"),
        (np.zeros((3, 2), dtype=np.float32), INDEX[::-1], "increase"),
    ],
)
def test_what_does_not_fit_is_refused(values: np.ndarray, index: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Scores(("normal", "polyp"), values, index)
