"""Deletion and insertion curves against changing one pixel after the other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.experiments.explanations.figures import area
from training.experiments.explanations.measures import Baseline, changed_scores, strongest_first

SIDE = 12


def redness(frames: NDArray[np.uint8]) -> NDArray[np.float64]:
    """A model that sees one corner only: mean red of rows 2 to 5, columns 3 to 7."""
    return np.asarray(frames[:, 2:6, 3:8, 0].mean(axis=(1, 2)) / 255)


@pytest.fixture
def frame() -> NDArray[np.uint8]:
    """Noise with a red place where the model looks."""
    pixels = np.random.default_rng(0).integers(0, 60, (SIDE, SIDE, 3)).astype(np.uint8)
    pixels[2:6, 3:8, 0] = 250
    return pixels


@pytest.fixture
def map_of_it() -> NDArray[np.float32]:
    """An explanation that is right."""
    right = np.zeros((SIDE, SIDE), np.float32)
    right[2:6, 3:8] = np.linspace(0.5, 1, 20).reshape(4, 5)
    return right


def slow_curve(
    before: NDArray[np.uint8], after: NDArray[np.uint8], class_map: NDArray[np.float32], steps: int
) -> list[float]:
    """Change the strongest pixel that is left, again and again; no two are alike here."""
    left = [(float(class_map[y, x]), y, x) for y in range(SIDE) for x in range(SIDE)]
    picture, scores, changed = before.copy(), [float(redness(before[None])[0])], 0
    for k in range(1, steps + 1):
        while changed < round(k * SIDE * SIDE / steps):
            strongest = max(left)
            left.remove(strongest)
            picture[strongest[1], strongest[2]] = after[strongest[1], strongest[2]]
            changed += 1
        scores.append(float(redness(picture[None])[0]))
    return scores


@pytest.mark.parametrize("steps", [1, 5, 16])
def test_curves_are_those_of_changing_one_pixel_at_a_time(frame: NDArray[np.uint8], steps: int) -> None:
    class_map = np.random.default_rng(1).random((SIDE, SIDE), dtype=np.float32)
    order, black = strongest_first(class_map, np.ones((SIDE, SIDE), bool)), np.zeros_like(frame)
    going = changed_scores(redness, frame, order, "deletion", steps=steps)
    coming = changed_scores(redness, frame, order, "insertion", steps=steps)
    assert going.tolist() == pytest.approx(slow_curve(frame, black, class_map, steps))
    assert coming.tolist() == pytest.approx(slow_curve(black, frame, class_map, steps))


def test_a_right_map_takes_the_score_away_early_and_brings_it_back_early(
    frame: NDArray[np.uint8], map_of_it: NDArray[np.float32]
) -> None:
    inside = np.ones((SIDE, SIDE), bool)
    right, wrong = strongest_first(map_of_it, inside), strongest_first(-map_of_it, inside)
    going, stays = (area(changed_scores(redness, frame, order, "deletion").tolist()) for order in (right, wrong))
    assert going < 0.15 < 0.8 < stays
    coming, late = (area(changed_scores(redness, frame, order, "insertion").tolist()) for order in (right, wrong))
    assert coming > 0.85 > 0.2 > late


@pytest.mark.parametrize("baseline", ["black", "blur"])
def test_the_curves_begin_and_end_where_they_should(frame: NDArray[np.uint8], baseline: Baseline) -> None:
    large = np.kron(frame, np.ones((16, 16, 1), np.uint8))  # a blur of 5 px at 224 does nothing to 12 px
    order = strongest_first(np.ones(large.shape[:2], np.float32), np.ones(large.shape[:2], bool))

    def score(frames: NDArray[np.uint8]) -> NDArray[np.float64]:
        """What stands at the border of the red place."""
        return np.asarray(frames[:, 32:36, 48:128, 0].mean(axis=(1, 2)) / 255)

    going = changed_scores(score, large, order, "deletion", baseline=baseline)
    coming = changed_scores(score, large, order, "insertion", baseline=baseline)
    assert going[0] == coming[-1] == score(large[None])[0]
    assert going[-1] == coming[0] < going[0]
    assert (going[-1] == 0) == (baseline == "black")


def test_pixels_outside_the_view_never_change_and_equal_ones_come_in_no_order_of_reading() -> None:
    inside = np.zeros((SIDE, SIDE), bool)
    inside[:, 4:] = True
    order = strongest_first(np.zeros((SIDE, SIDE), np.float32), inside, seed=3)
    assert sorted(order.tolist()) == np.flatnonzero(inside).tolist() != order.tolist()
    assert (order == strongest_first(np.zeros((SIDE, SIDE), np.float32), inside, seed=3)).all()
    holes = np.full((SIDE, SIDE), np.nan, np.float32)
    holes[5, 5] = 0.1
    assert strongest_first(holes, inside)[0] == 5 * SIDE + 5
