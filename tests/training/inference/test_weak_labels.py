"""Boxes from maps, against a slow flood fill."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from training.inference.explanation import WeakBox, weak_boxes


def slow_components(strong: NDArray[np.bool_]) -> list[set[tuple[int, int]]]:
    """8-connected components, one pixel after the other."""
    left = set(zip(*(where.tolist() for where in np.nonzero(strong)), strict=True))
    found = []
    while left:
        component, edge = set(), [left.pop()]
        while edge:
            y, x = edge.pop()
            component.add((y, x))
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            edge += near
        found.append(component)
    return found


def slow_boxes(overlay: NDArray[np.float32], threshold: float) -> list[WeakBox]:
    """All boxes, the largest component first."""
    boxes = []
    for component in slow_components(overlay >= threshold):
        ys, xs = [y for y, _ in component], [x for _, x in component]
        mean = sum(float(overlay[place]) for place in component) / len(component)
        corners = float(min(xs)), float(min(ys)), float(max(xs) + 1), float(max(ys) + 1)
        boxes.append(WeakBox(*corners, mean, len(component)))
    return sorted(boxes, key=lambda box: (-box.area_px, box.y_min, box.x_min))


maps = arrays(np.float32, (9, 12), elements=st.floats(0, 1, width=16))


@settings(max_examples=60, deadline=None)
@given(maps, st.sampled_from([0.2, 0.5, 0.9]), st.integers(1, 4))
def test_boxes_are_those_of_a_flood_fill(overlay: NDArray[np.float32], threshold: float, most: int) -> None:
    found = weak_boxes(overlay, threshold=threshold, most=most, least_share=0)
    wanted = slow_boxes(overlay, threshold)[:most]
    assert [(*box[:4], box.area_px) for box in found] == [(*box[:4], box.area_px) for box in wanted]
    assert np.allclose([box.strength for box in found], [box.strength for box in wanted])


def test_the_pixels_of_a_box_lie_between_its_corners() -> None:
    overlay = np.zeros((20, 30), np.float32)
    overlay[4:9, 10:17] = 0.8
    (box,) = weak_boxes(overlay)
    assert box.corners == (10, 4, 17, 9)
    assert box.area_px == 35
    assert box.strength == pytest.approx(0.8)


def test_specks_and_what_comes_after_the_largest_are_left_out() -> None:
    overlay = np.zeros((100, 100), np.float32)
    overlay[0, 0] = 1.0  # a speck
    for k in range(5):
        overlay[20 * k + 5 : 20 * k + 10 + k, 40:50] = 0.9
    boxes = weak_boxes(overlay, most=3)
    assert [box.y_min for box in boxes] == [85, 65, 45]


def test_nothing_explained_gives_no_box_and_missing_values_count_as_nothing() -> None:
    assert weak_boxes(np.zeros((8, 8), np.float32)) == ()
    holes = np.full((8, 8), np.nan, np.float32)
    holes[2:4, 3:5] = 1
    assert weak_boxes(holes)[0].corners == (3, 2, 5, 4)


@pytest.mark.parametrize("setting", [{"threshold": 0.0}, {"threshold": 1.1}, {"most": 0}, {"least_share": -1.0}])
def test_settings_out_of_range_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="no weak labels"):
        weak_boxes(np.ones((4, 4), np.float32), **setting)  # type: ignore[arg-type]
