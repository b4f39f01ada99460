"""Intersection over union against counting pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.experiments.explanations.measures import best_iou, iou_table

SIDE = 12
corner = st.integers(0, SIDE - 1)
box_of = st.tuples(corner, corner, st.integers(1, SIDE), st.integers(1, SIDE)).map(
    lambda b: (b[0], b[1], min(SIDE, b[0] + b[2]), min(SIDE, b[1] + b[3]))
)


def painted(box: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """The pixels of a box of whole numbers."""
    canvas = np.zeros((SIDE, SIDE), bool)
    canvas[box[1] : box[3], box[0] : box[2]] = True
    return canvas


@settings(max_examples=60, deadline=None)
@given(st.lists(box_of, min_size=1, max_size=3), st.lists(box_of, min_size=1, max_size=3))
def test_the_table_is_that_of_counted_pixels(
    found: list[tuple[int, int, int, int]], given_boxes: list[tuple[int, int, int, int]]
) -> None:
    table = iou_table(np.array(found, float), np.array(given_boxes, float))
    for row, a in zip(table, found, strict=True):
        for value, b in zip(row, given_boxes, strict=True):
            shared, union = (painted(a) & painted(b)).sum(), (painted(a) | painted(b)).sum()
            assert value == pytest.approx(shared / union)
    assert best_iou(np.array(found, float), np.array(given_boxes, float)) == pytest.approx(table.max())


def test_no_box_fits_nothing_and_boxes_that_touch_share_nothing() -> None:
    given_box = np.array([[0.0, 0, 4, 4]])
    assert best_iou(np.zeros((0, 4)), given_box) == 0
    assert best_iou(np.array([[4.0, 0, 8, 4]]), given_box) == 0
    assert best_iou(given_box, given_box) == 1
