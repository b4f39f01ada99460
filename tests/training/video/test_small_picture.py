"""Small pictures tell whether frames look the same."""

import numpy as np

from training.video import FieldOfView
from training.video.small_picture import CELLS, small_picture


def test_what_lies_outside_the_field_of_view_does_not_count() -> None:
    circle, whole = FieldOfView("circle", 64, 64, (31.5, 31.5), 28.0), FieldOfView("full", 64, 64)
    frame = np.full((64, 64, 3), 90, np.uint8)
    with_clock, with_spot = frame.copy(), frame.copy()
    with_clock[:6, :6] = 255
    with_spot[30:34, 30:34] = (255, 0, 0)
    before = small_picture(frame, circle)
    assert before.shape == (CELLS, CELLS, 3)
    np.testing.assert_array_equal(before, small_picture(with_clock, circle))
    assert np.abs(before - small_picture(with_spot, circle)).max() > 3
    for view in (whole, None):
        assert np.abs(small_picture(frame, view) - small_picture(with_clock, view)).max() > 3
