"""The draw of the sample: the same as ever by frames, and by kinds as many of each as there are."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.experiments.explanations.config import SampleBy
from training.experiments.explanations.explainers import draw_sample

LABELS = np.array([0] * 5 + [1] * 60 + [2] * 3 + [3] * 12)
ROWS = np.flatnonzero(LABELS > 0)


def drawn(count: int, by: SampleBy, seed: int = 0) -> NDArray[np.int64]:
    """Rows of the set above."""
    return draw_sample(ROWS, LABELS, count, by, seed)


def numbers(rows: NDArray[np.int64]) -> dict[int, int]:
    """Label -> rows."""
    return {label: int((LABELS[rows] == label).sum()) for label in (1, 2, 3)}


def test_by_frames_it_is_the_draw_of_earlier_reports() -> None:
    assert drawn(10, "frames", 3).tolist() == np.random.default_rng([3, 5]).permutation(ROWS)[:10].tolist()


@pytest.mark.parametrize(
    ("count", "wanted"),
    [
        (2, {1: 0, 2: 1, 3: 1}),
        (6, {1: 2, 2: 2, 3: 2}),
        (10, {1: 3, 2: 3, 3: 4}),
        (21, {1: 9, 2: 3, 3: 9}),
        (500, {1: 60, 2: 3, 3: 12}),
    ],
)
def test_by_kinds_each_has_the_same_number_as_far_as_there_are(count: int, wanted: dict[int, int]) -> None:
    rows = drawn(count, "kinds")
    assert numbers(rows) == wanted
    assert len(set(rows.tolist())) == len(rows)


def test_the_first_of_a_draw_by_kinds_show_every_kind_the_rarest_first() -> None:
    assert LABELS[drawn(30, "kinds")[:6]].tolist() == [2, 3, 1, 2, 3, 1]


def test_the_seed_decides() -> None:
    assert drawn(9, "kinds", 1).tolist() == drawn(9, "kinds", 1).tolist()
    assert drawn(9, "kinds", 1).tolist() != drawn(9, "kinds", 2).tolist()


def test_one_kind_is_drawn_as_by_frames() -> None:
    rows = np.flatnonzero(LABELS == 1)
    draws = [draw_sample(rows, LABELS, 20, by, 4).tolist() for by in ("frames", "kinds")]
    assert draws[0] == draws[1]
