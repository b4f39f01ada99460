"""A collapse is told in words, once, and a healthy curve is left in peace."""

import pytest

from training.pretraining.recorder import RECENT, CollapseWatch
from training.runs.folder import Point


def point(step: int, loss: float = 0.15, violating: float = 0.6, norm: float = 1.0) -> Point:
    return Point(step, loss, {}, {"violating_share": violating}, 0.1, norm, 100.0)


def told(watch: CollapseWatch, points: list[Point]) -> list[str]:
    return [sentence for each in points if (sentence := watch.look(each))]


def test_a_loss_that_stands_at_the_margin_is_a_collapse() -> None:
    points = [point(step, loss=0.2005, violating=1.0) for step in range(1, 3 * RECENT)]
    (sentence,) = told(CollapseWatch(0.2), points)
    assert "at the margin" in sentence
    assert f"up to {RECENT}" in sentence
    assert "lower learning rate" in sentence


def test_a_length_that_falls_to_nothing_is_a_collapse() -> None:
    points = [point(step) for step in range(1, RECENT + 1)]
    points += [point(step, norm=1e-3) for step in range(RECENT + 1, 3 * RECENT)]
    (sentence,) = told(CollapseWatch(0.2), points)
    assert "its norm fell from" in sentence


@pytest.mark.parametrize("loss", [0.1, 0.2, 0.4])
def test_a_healthy_curve_is_not_a_collapse(loss: float) -> None:
    # 0.2 is the mean over violating triplets by chance: not every triplet violates it.
    assert told(CollapseWatch(0.2), [point(step, loss=loss, violating=0.9) for step in range(1, 100)]) == []


def test_methods_without_a_margin_collapse_by_length_alone() -> None:
    assert told(CollapseWatch(0.0), [point(step, loss=0.0, violating=1.0) for step in range(1, 100)]) == []
