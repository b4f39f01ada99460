"""Weak labels: an explanation becomes boxes, as suggestions that a reader accepts or rejects (light: numpy and cv2)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

THRESHOLD = 0.5
"""Share of the map's own maximum from which a pixel belongs to a box."""
MOST_BOXES = 3
LEAST_SHARE = 0.001
"""Share of the frame below which a component is a speck."""


class WeakBox(NamedTuple):
    """A suggested box in pixels of the frame: corners of pixels, so that x_max - x_min is its width."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    strength: float
    """Mean of the map over the component, in [threshold, 1]: says how clear, not how likely."""
    area_px: int
    """Pixels of the component, at most those of the box."""

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """(x_min, y_min, x_max, y_max)."""
        return self.x_min, self.y_min, self.x_max, self.y_max


def weak_boxes(
    overlay: NDArray[np.floating],
    *,
    threshold: float = THRESHOLD,
    most: int = MOST_BOXES,
    least_share: float = LEAST_SHARE,
) -> tuple[WeakBox, ...]:
    """Map -> threshold -> largest 8-connected components -> boxes around them.

    Zhou et al. 2016 (section 3.2) take the box around the largest component of what is above 20 % of the map's
    maximum. Vats et al. call what Score-CAM shows a weak label and leave threshold and number open; 50 %, three boxes
    and the bound on specks are ours.

    Args:
        overlay: (H, W) over the frame in [0, 1], scaled to its own maximum, 0 outside the field of view; NaN counts
            as 0.
        threshold: in (0, 1]; pixels at and above it belong to a component.
        most: boxes at most, >= 1.
        least_share: components that cover less than this share of the H x W pixels are left out, in [0, 1].

    Returns:
        Boxes, the largest component first; of equal ones the upper (then left) one. Empty where nothing is explained.

    Raises:
        ValueError: not a map, or a setting out of range.
    """
    if overlay.ndim != 2 or not 0 < threshold <= 1 or most < 1 or not 0 <= least_share <= 1:
        raise ValueError(f"no weak labels of a map {overlay.shape} with {threshold=}, {most=}, {least_share=}")
    import cv2

    strength = np.nan_to_num(overlay.astype(np.float32))
    count, numbers, stats, _ = cv2.connectedComponentsWithStats(
        (strength >= threshold).astype(np.uint8), connectivity=8
    )
    sums = np.bincount(numbers.ravel(), weights=strength.ravel(), minlength=count)
    result = []
    for (left, top, width, height, area), total in zip(stats[1:].tolist(), sums[1:].tolist(), strict=True):
        if area >= least_share * overlay.size:
            corners = float(left), float(top), float(left + width), float(top + height)
            result.append(WeakBox(*corners, total / area, area))
    result.sort(key=lambda box: (-box.area_px, box.y_min, box.x_min))
    return tuple(result[:most])
