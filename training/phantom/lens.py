"""The capsule's wide-angle lens and the shape of its picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.noise import Field, as_image


@dataclass(frozen=True)
class Lens:
    """An equidistant fisheye: the angle from the axis grows evenly with the distance from the picture's centre.

    Attributes:
        size_px: width and height of the picture.
        shape: "circle" or "octagon".
        half_view_rad: angle from the axis at the middle of the picture's edge.
    """

    size_px: int
    shape: str
    half_view_rad: float

    def rays(self, cells: int) -> Field:
        """Unit vectors (3, cells * cells): right, down, ahead, in the middles of cells x cells parts."""
        line = (np.arange(cells) + 0.5) / cells * 2 - 1
        x, y = np.meshgrid(line, line)
        distance = np.hypot(x, y)
        angle = distance * self.half_view_rad
        sine = np.sin(angle) / np.maximum(distance, 1e-9)
        return np.stack([x * sine, y * sine, np.cos(angle)]).reshape(3, -1).astype(np.float32)

    def mask(self) -> NDArray[np.uint8]:
        """(size_px, size_px, 3) uint8: 255 inside the field of view, 0 outside, a soft pixel between."""
        large = 4 * self.size_px
        mask = np.zeros((large, large), np.uint8)
        half = large / 2
        if self.shape == "circle":
            cv2.circle(mask, (round(half), round(half)), round(half * 0.985), 255, -1)
        else:
            cut, edge = half * 0.56, half * 0.99
            corners = [(-edge + cut, -edge), (edge - cut, -edge), (edge, -edge + cut), (edge, edge - cut)]
            corners += [(-x, -y) for x, y in corners]
            cv2.fillPoly(mask, [np.round(np.array(corners) + half).astype(np.int32)], (255,))
        small = cv2.resize(mask, (self.size_px, self.size_px), interpolation=cv2.INTER_AREA)
        return as_image(cv2.merge([small, small, small]))

    def vignette(self, cells: int) -> Field:
        """(cells, cells) float32 brightness: 1 in the middle, darker to the edge."""
        line = (np.arange(cells) + 0.5) / cells * 2 - 1
        squared = line[:, None] ** 2 + line[None, :] ** 2
        return np.clip(1.03 - 0.34 * squared**1.5, 0.2, 1.0).astype(np.float32)
