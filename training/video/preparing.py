"""From a study's frame to what a model sees, and from a model's map back onto the frame."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from training.video.field_of_view import FieldOfView


def prepare_frame(frame: NDArray[np.uint8], field_of_view: FieldOfView, size: int) -> NDArray[np.uint8]:
    """The preprocessing of all models: zeros outside the field of view, cut to its box, scaled by area.

    Args:
        frame: (H, W, 3) uint8 RGB; of another size than the study's, the field of view is scaled along.
        field_of_view: the study's.
        size: side of the result in pixels.

    Returns:
        (size, size, 3) uint8 RGB.
    """
    import cv2

    height, width = frame.shape[:2]
    x_min, y_min, side = _scaled_box(field_of_view, height, width)
    left, top = max(x_min, 0), max(y_min, 0)
    right, bottom = min(x_min + side, width), min(y_min + side, height)
    square = np.zeros((side, side, 3), np.uint8)
    inside = _mask_bytes(field_of_view, height, width)[top:bottom, left:right]
    cv2.copyTo(
        frame[top:bottom, left:right], inside, square[top - y_min : bottom - y_min, left - x_min : right - x_min]
    )
    if side == size:
        return square
    method = cv2.INTER_AREA if side > size else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (size, size), interpolation=method), np.uint8)


def paste_map(
    class_map: NDArray[np.floating], field_of_view: FieldOfView, height: int, width: int
) -> NDArray[np.float32]:
    """Lay a model's small map back over the frame: the inverse of the geometry of `prepare_frame`.

    Args:
        class_map: (h, w), over the prepared square.
        field_of_view: the one that the frame was prepared with.
        height: of the frame in pixels.
        width: of the frame in pixels.

    Returns:
        (height, width) float32, bilinear inside the field of view, 0 outside.
    """
    import cv2

    x_min, y_min, side = _scaled_box(field_of_view, height, width)
    left, top = max(x_min, 0), max(y_min, 0)
    right, bottom = min(x_min + side, width), min(y_min + side, height)
    square = cv2.resize(class_map.astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    out = np.zeros((height, width), np.float32)
    out[top:bottom, left:right] = square[top - y_min : bottom - y_min, left - x_min : right - x_min]
    out[~field_of_view.mask(height, width)] = 0
    return out


@lru_cache(maxsize=32)
def _scaled_box(view: FieldOfView, height: int, width: int) -> tuple[int, int, int]:
    x_min, y_min, side = view.box
    across, down = width / view.width_px, height / view.height_px
    return round(x_min * across), round(y_min * down), max(round(side * max(across, down)), 1)


@lru_cache(maxsize=32)
def _mask_bytes(view: FieldOfView, height: int, width: int) -> NDArray[np.uint8]:
    return view.mask(height, width).astype(np.uint8)
