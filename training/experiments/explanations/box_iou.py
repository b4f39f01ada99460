"""Intersection over union of boxes: how well a weak label encloses what a person drew."""

import numpy as np
from numpy.typing import NDArray


def iou_table(found: NDArray[np.floating], given: NDArray[np.floating]) -> NDArray[np.float64]:
    """(m, n) intersection over union of every found box with every given one, in [0, 1]; 0 where both are empty.

    Args:
        found: (m, 4) x_min, y_min, x_max, y_max.
        given: (n, 4), in the same pixels.
    """
    a = np.asarray(found, dtype=np.float64).reshape(-1, 1, 4)
    b = np.asarray(given, dtype=np.float64).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    shared = np.clip(sides, 0, None).prod(axis=-1)
    union = _area(a) + _area(b) - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def best_iou(found: NDArray[np.floating], given: NDArray[np.floating]) -> float:
    """The largest of `iou_table`: with one found box, how well it encloses the given one that it fits best; 0: none."""
    return float(iou_table(found, given).max(initial=0.0))


def _area(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.clip(boxes[..., 2:] - boxes[..., :2], 0, None).prod(axis=-1))
