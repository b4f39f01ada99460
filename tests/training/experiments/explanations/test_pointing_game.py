"""The pointing game against a pixel-by-pixel reference, and chance against drawing points."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from training.experiments.explanations.measures import chance_level, pointing_hit, within_boxes

HEIGHT, WIDTH = 8, 11


@st.composite
def box_lists(draw: st.DrawFn) -> NDArray[np.float64]:
    """One to three boxes, some of them beyond the frame."""
    boxes = []
    for _ in range(draw(st.integers(1, 3))):
        x, y = draw(st.integers(-4, 24)) / 2, draw(st.integers(-4, 18)) / 2
        boxes.append((x, y, x + draw(st.integers(1, 12)) / 2, y + draw(st.integers(1, 12)) / 2))
    return np.array(boxes, dtype=np.float64)


def slow_distance(x: float, y: float, box: NDArray[np.float64]) -> float:
    """From a point to the nearest point of a box."""
    nearest_x, nearest_y = min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
    return math.hypot(x - nearest_x, y - nearest_y)


def slow_hit(overlay: NDArray[np.float32], boxes: NDArray[np.float64], tolerance: float) -> float | None:
    """Look at every pixel."""
    places = [(y, x) for y in range(HEIGHT) for x in range(WIDTH)]
    peak = max(overlay[place] for place in places)
    if peak <= 0:
        return None
    best = [(y, x) for y, x in places if overlay[y, x] == peak]
    hits = [any(slow_distance(x + 0.5, y + 0.5, box) <= tolerance for box in boxes) for y, x in best]
    return sum(hits) / len(hits)


@settings(max_examples=80, deadline=None)
@given(
    arrays(np.float32, (HEIGHT, WIDTH), elements=st.sampled_from([-1.0, 0.0, 0.25, 1.0])),
    box_lists(),
    st.sampled_from([0.0, 1.0, 2.5]),
)
def test_hits_are_those_of_a_pixel_by_pixel_search(
    overlay: NDArray[np.float32], boxes: NDArray[np.float64], tolerance: float
) -> None:
    found, wanted = pointing_hit(overlay, boxes, tolerance_px=tolerance), slow_hit(overlay, boxes, tolerance)
    assert found is None if wanted is None else found == pytest.approx(wanted)


@settings(max_examples=60, deadline=None)
@given(arrays(bool, (HEIGHT, WIDTH)), box_lists(), st.sampled_from([0.0, 1.5]))
def test_chance_is_the_share_of_the_view_that_would_hit(
    inside: NDArray[np.bool_], boxes: NDArray[np.float64], tolerance: float
) -> None:
    hits = 0.0
    for y, x in zip(*np.nonzero(inside), strict=True):
        one = np.zeros((HEIGHT, WIDTH), np.float32)
        one[y, x] = 1
        hits += pointing_hit(one, boxes, tolerance_px=tolerance) or 0
    assert chance_level(boxes, inside, tolerance_px=tolerance) == pytest.approx(hits / max(1, inside.sum()))


def test_a_box_holds_as_many_pixels_as_its_corners_say() -> None:
    assert within_boxes(np.array([[2.0, 3.0, 5.0, 7.0]]), HEIGHT, WIDTH).sum() == 3 * 4


def test_overlapping_boxes_count_once_and_a_box_beyond_the_view_is_no_chance() -> None:
    boxes = np.array([[0.0, 0, 4, 4], [2, 0, 6, 4]])
    inside = np.ones((HEIGHT, WIDTH), bool)
    assert chance_level(boxes, inside) == pytest.approx(6 * 4 / inside.size)
    inside[:, :6] = False
    assert chance_level(boxes, inside) == 0
    assert chance_level(boxes, np.zeros_like(inside)) == 0


def test_the_tolerance_forgives_a_near_miss_and_no_more() -> None:
    overlay = np.zeros((HEIGHT, WIDTH), np.float32)
    overlay[1, 8] = 1  # 2.5 px to the right of the box
    box = np.array([[2.0, 0, 6, 4]])
    assert pointing_hit(overlay, box) == 0
    assert pointing_hit(overlay, box, tolerance_px=2.4) == 0
    assert pointing_hit(overlay, box, tolerance_px=2.5) == 1
