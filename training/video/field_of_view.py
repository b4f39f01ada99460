"""Where in a capsule's frames the tissue is: a circle, a square with cut corners, or the whole frame."""

import math
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from training.texts import Text

Kind = Literal["circle", "octagon", "full"]
MAX_SIDE_PX = 1 << 16


@dataclass(frozen=True)
class FieldOfView:
    """The field of view of a study, in pixels of its frames; pixel centres lie at whole numbers."""

    kind: Kind
    width_px: int
    """Of the study's frames."""
    height_px: int
    """Of the study's frames."""
    centre: tuple[float, float] = (0.0, 0.0)
    """(x, y) of a circle."""
    radius: float = 0.0
    """Of a circle."""
    polygon: tuple[tuple[float, float], ...] = ()
    """(x, y) corners of an octagon, clockwise; empty otherwise."""

    def __post_init__(self) -> None:
        if self.width_px < 1 or self.height_px < 1:
            raise ValueError(
                Text("a field of view needs a frame, not {width_px} x {height_px} px", self.width_px, self.height_px)
            )
        if self.kind == "circle" and self.radius <= 0:
            raise ValueError(Text("a round field of view needs a radius, not {radius}", self.radius))
        if self.kind == "octagon" and len(self.polygon) < 3:
            raise ValueError(Text("a field of view with {count} corners has no area", len(self.polygon)))

    @property
    def box(self) -> tuple[int, int, int]:
        """(x_min, y_min, side): the smallest square around the field of view; it may reach beyond the frame."""
        x_min, y_min, x_max, y_max = self._bounds()
        side = max(int(np.ceil(max(x_max - x_min, y_max - y_min))), 1)
        return round((x_min + x_max - side) / 2), round((y_min + y_max - side) / 2), side

    def _bounds(self) -> tuple[float, float, float, float]:
        """Half-open bounds in pixels, kept inside the frame."""
        x_min, y_min, x_max, y_max = 0.0, 0.0, float(self.width_px), float(self.height_px)
        if self.kind == "circle":
            (x, y), r = self.centre, self.radius
            x_min, y_min, x_max, y_max = x - r, y - r, x + r + 1, y + r + 1
        elif self.kind == "octagon":
            xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
            x_min, y_min, x_max, y_max = min(xs), min(ys), max(xs) + 1, max(ys) + 1
        return max(x_min, 0.0), max(y_min, 0.0), min(x_max, self.width_px), min(y_max, self.height_px)

    def mask(self, height: int, width: int) -> NDArray[np.bool_]:
        """(height, width) bool, True inside; scaled where the frame is not of the study's size. Read-only."""
        return _mask(self, height, width)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self) | {"centre": list(self.centre), "polygon": [list(corner) for corner in self.polygon]}

    @staticmethod
    def from_json(values: dict[str, Any]) -> "FieldOfView":
        """From what `to_json` gave; raises `ValueError` for anything else."""
        try:
            x, y = values["centre"]
            corners = tuple((float(corner[0]), float(corner[1])) for corner in values["polygon"])
            view = FieldOfView(**values | {"centre": (float(x), float(y)), "polygon": corners})
            sizes_fit = all(type(side) is int and side <= MAX_SIDE_PX for side in (view.width_px, view.height_px))
            numbers_fit = all(math.isfinite(value) for value in (*sum(corners, view.centre), float(view.radius)))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
            raise ValueError("its field of view is damaged") from error
        if not (sizes_fit and numbers_fit and view.kind in get_args(Kind)):
            raise ValueError("its field of view is damaged")
        return view

    @staticmethod
    def full(height: int, width: int) -> "FieldOfView":
        """The whole frame."""
        return FieldOfView("full", width, height)


@lru_cache(maxsize=32)
def _mask(view: FieldOfView, height: int, width: int) -> NDArray[np.bool_]:
    inside = np.ones((height, width), bool)
    # Centres of the pixels of this frame, in the study's pixels.
    x = (np.arange(width) + 0.5) * view.width_px / width - 0.5
    y = (np.arange(height)[:, None] + 0.5) * view.height_px / height - 0.5
    if view.kind == "circle":
        inside = (x - view.centre[0]) ** 2 + (y - view.centre[1]) ** 2 <= view.radius**2
    elif view.kind == "octagon":
        # Convex and clockwise (y points down): inside is to the right of every side.
        for (x0, y0), (x1, y1) in zip(view.polygon, (*view.polygon[1:], view.polygon[0]), strict=True):
            inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= -1e-6
    inside.flags.writeable = False
    return inside
