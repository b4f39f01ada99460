"""Class activation maps made fit to be shown."""

import numpy as np
from numpy.typing import NDArray

from training.inference.explanation import Method
from training.video.field_of_view import FieldOfView


def normalise_cam(cam: NDArray[np.floating]) -> NDArray[np.float32]:
    """A raw map (h, w) made fit to be shown: in [0, 1], by the frame's own range above zero.

    0 is "speaks not for the class" (all negative evidence), 1 the frame's strongest evidence for it. Each frame has its
    own range, so the map says *where*, never *how much*: that is what the score beside it is for. A map with nothing
    above zero, or of a missing frame (NaN), is all 0.
    """
    positive = np.nan_to_num(np.maximum(cam.astype(np.float32), 0))
    peak = positive.max(initial=0)
    return np.asarray(positive / peak if peak > 0 else np.zeros_like(positive), np.float32)


def background(class_map: NDArray[np.floating], method: Method, field_of_view: FieldOfView) -> float:
    """The value of a map (h, w) up to which it shows no evidence (ours).

    A CAM has a zero: below, a cell speaks against the class. A Score-CAM has none. It is a mean of activations, which
    are seldom negative, so it is above zero on the whole frame; the likeness to the prior view is so, too. There the
    background is the median of the cells inside the field of view: half of the frame shows nothing, and the rest by
    how much it stands out. (The authors' own code of Score-CAM subtracts the minimum.)

    Args:
        class_map: over the prepared square, at least 1 x 1; NaN counts as 0.
        method: how the map was made.
        field_of_view: the one that the frame was prepared with.
    """
    if method == "cam":
        return 0.0
    inside = class_map[_cells_inside(field_of_view, *class_map.shape)]
    return max(0.0, float(np.median(np.nan_to_num(inside.astype(np.float32))))) if inside.size else 0.0


def _cells_inside(view: FieldOfView, height: int, width: int) -> NDArray[np.bool_]:
    """(height, width) bool: the cells over the prepared square whose centres lie inside the field of view."""
    x_min, y_min, side = view.box
    rows = np.floor(y_min + (np.arange(height) + 0.5) * side / height).astype(int)
    columns = np.floor(x_min + (np.arange(width) + 0.5) * side / width).astype(int)
    mask = view.mask(view.height_px, view.width_px)
    is_row, is_column = (rows >= 0) & (rows < view.height_px), (columns >= 0) & (columns < view.width_px)
    inside = np.zeros((height, width), bool)
    inside[np.ix_(is_row, is_column)] = mask[np.ix_(rows[is_row], columns[is_column])]
    return inside


LEAST_CONTRAST = 0.05
"""Of a map's maximum over its background, as a share of the maximum (ours): below, nothing stands out."""


def above(class_map: NDArray[np.floating], floor: float, full_scale: float | None = None) -> NDArray[np.float32]:
    """A raw map (h, w) in [0, 1]: 0 up to `floor`, 1 at `full_scale` (None: the map's maximum) and above.

    All 0 where nothing stands out: nothing is above zero, or the maximum is less than `LEAST_CONTRAST` above `floor`.
    """
    positive = np.nan_to_num(np.maximum(class_map.astype(np.float32), 0), nan=0.0)
    largest = float(positive.max(initial=0)) if full_scale is None else full_scale
    if largest <= 0 or largest - floor < LEAST_CONTRAST * largest:
        return np.zeros_like(positive)
    risen = np.maximum(positive - np.float32(floor), 0) / np.float32(largest - floor)
    return np.asarray(np.minimum(risen, 1), np.float32)
