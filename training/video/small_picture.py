"""A picture of a frame that is small enough to tell whether two frames look the same."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from training.video.field_of_view import FieldOfView

CELLS = 16
"""Cells in each direction."""


def small_picture(frame: NDArray[np.uint8], view: FieldOfView | None) -> NDArray[np.int16]:
    """(16, 16, 3) means over the frame's cells inside the field of view, without a clock, say; 0 in the others."""
    import cv2

    small = np.asarray(cv2.resize(frame, (CELLS, CELLS), interpolation=cv2.INTER_AREA), np.int16)
    return small if view is None else np.asarray(small * _cells_inside(view, *frame.shape[:2]))


@lru_cache(maxsize=8)
def _cells_inside(view: FieldOfView, height: int, width: int) -> NDArray[np.int16]:
    """(16, 16, 1): 1 for the cells of a frame that lie mostly inside the field of view, else 0."""
    import cv2

    inside = view.mask(height, width).astype(np.float32)
    shares = cv2.resize(inside, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return (shares > 0.5).astype(np.int16)[..., None]
