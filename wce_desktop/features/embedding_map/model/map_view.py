"""The visible part of a map: pan, zoom, and conversion between map and screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_ZOOM = 2000.0
"""Magnification relative to the whole map."""
LEAST_ZOOM = 0.5


@dataclass(frozen=True, slots=True)
class MapView:
    """A square-pixel view; y grows upwards on the map and downwards on screen.

    Args:
        x, y: the place of the map in the middle of the screen.
        scale: pixels for one unit of the map.
        width, height: of the screen, in pixels.
        fitting_scale: the scale at which the whole map is seen; zooming keeps to a multiple of it.
    """

    x: float
    y: float
    scale: float
    width: int
    height: int
    fitting_scale: float

    @classmethod
    def fit(cls, bounds: tuple[float, float, float, float], width: int, height: int) -> MapView:
        """The whole map: `bounds` are x and y of the lower left and of the upper right corner."""
        left, bottom, right, top = bounds
        width, height = max(width, 1), max(height, 1)
        scale = min(width / (right - left), height / (top - bottom))
        return cls((left + right) / 2, (bottom + top) / 2, scale, width, height, scale)

    @property
    def zoom(self) -> float:
        """Magnification relative to the whole map."""
        return self.scale / self.fitting_scale

    def resized(self, bounds: tuple[float, float, float, float], width: int, height: int) -> MapView:
        """The same middle and the same zoom on a screen of another size, or of a map that has grown."""
        whole = MapView.fit(bounds, width, height)
        return replace(whole, x=self.x, y=self.y, scale=whole.scale * self.zoom)

    def panned(self, right_px: float, down_px: float) -> MapView:
        """The view panned by a number of pixels."""
        return replace(self, x=self.x - right_px / self.scale, y=self.y + down_px / self.scale)

    def zoomed(self, factor: float, at_px: tuple[float, float] | None = None) -> MapView:
        """Zoomed in (factor > 1) or out; the place under `at_px` (else the middle) stays where it is."""
        at_px = at_px if at_px is not None else (self.width / 2, self.height / 2)
        kept_x, kept_y = self.to_map(*at_px)
        scale = min(max(self.scale * factor, self.fitting_scale * LEAST_ZOOM), self.fitting_scale * MOST_ZOOM)
        return replace(
            self,
            scale=scale,
            x=kept_x - (at_px[0] - self.width / 2) / scale,
            y=kept_y + (at_px[1] - self.height / 2) / scale,
        )

    def showing(self, x: float, y: float, margin: float = 0.12) -> MapView:
        """The view moved so that a place is on screen, at least `margin` of the size away from the border."""
        at_x, at_y = self.to_screen(x, y)
        low_x, low_y = margin * self.width, margin * self.height
        right = min(max(at_x, low_x), self.width - low_x) - at_x
        down = min(max(at_y, low_y), self.height - low_y) - at_y
        return self.panned(right, down) if right or down else self

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Pixels from the left and from the top."""
        return (x - self.x) * self.scale + self.width / 2, self.height / 2 - (y - self.y) * self.scale

    def to_map(self, x_px: float, y_px: float) -> tuple[float, float]:
        """The place of the map under a pixel."""
        return self.x + (x_px - self.width / 2) / self.scale, self.y - (y_px - self.height / 2) / self.scale
