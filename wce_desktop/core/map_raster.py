"""Points as pixels: 500,000 of them many times a second, by counting where they fall instead of drawing each one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.map_drawing import CODES, FAINTEST, LEVELS, SELECTED, Drawing, pack
from wce_desktop.core.map_view import MapView

PAD = 18
"""Pixels around the screen, so that a shape that is cut by its border needs no care."""
REACH = 12
"""Half the side of the largest shape; PAD - REACH pixels beyond the screen a point is no longer drawn."""
FILLED = 0.13
"""Share of the screen that the points of a category may cover: what their size follows from."""
CROWD_SHARE, CROWD_MOST = 0.15, 600
"""Of all points on screen so many count as the category's own, so that few among many are not drawn largest."""
LARGEST_PX = 5.5
SMALLEST_SHAPE_PX = 2.5
"""Radius below which a shape cannot be told from a dot."""
LARGEST_DOT_PX = 4
HALO, HALO_PX = (255, 255, 255), 1.8
"""Around the cloud of selected points, where they are few enough to have shapes."""
NOTHING = CODES - 1
"""The code that no point has."""

StampMaker = Callable[[str, float], NDArray[np.float32]]
"""A shape with a radius in pixels -> (k, k) how much of each pixel it covers, in [0, 1]; k odd, at most 2 REACH + 1."""


class MapRaster:
    """A screen of pixels that is painted over and over.

    Dots are brighter where many share a pixel. A category that is rare enough on screen gets its shape, smooth at the
    edges; all others are square dots. Sizes follow from how many there are.
    """

    def __init__(self, width: int, height: int, background: tuple[int, int, int], make_stamp: StampMaker) -> None:
        """A screen of `width` x `height` device pixels."""
        self.width, self.height = width, height
        self._stride = width + 2 * PAD
        self._size = self._stride * (height + 2 * PAD)
        self._background = background
        self._make_stamp = make_stamp
        self._pixels = np.empty(self._size, dtype=np.uint32)
        self._cover = np.zeros(self._size, dtype=np.float32)

    @property
    def image(self) -> NDArray[np.uint32]:
        """(height, width) 0xffRRGGBB, a copy without the padding."""
        rows = self._pixels.reshape(-1, self._stride)
        return np.ascontiguousarray(rows[PAD : PAD + self.height, PAD : PAD + self.width])

    def paint(self, drawing: Drawing, view: MapView, ratio: float = 1.0) -> None:
        """Paint the points; `view` is in logical pixels, of which each is `ratio` device pixels wide."""
        self._pixels.fill(pack(self._background))
        places, is_inside = self._place(drawing.x, drawing.y, view, ratio)
        codes = drawing.codes if is_inside is None else drawing.codes[is_inside]
        counts = np.bincount(codes, minlength=CODES)
        crowd = min(CROWD_SHARE * len(codes), CROWD_MOST)
        sizes = {int(code): self._radius_of(counts, int(code), crowd, ratio) for code in np.flatnonzero(counts)}
        shaped = [code for code, radius in sizes.items() if radius >= SMALLEST_SHAPE_PX * ratio]
        if not shaped:
            self._paint_dots(places, codes, drawing.colors, ratio)
        elif len(shaped) < len(sizes):
            is_dot = np.ones(CODES, dtype=bool)
            is_dot[shaped] = False
            keep = is_dot[codes]
            self._paint_dots(places[keep], codes[keep], drawing.colors, ratio)
        rare_last = sorted(shaped, key=lambda code: -counts[code])
        plain, selected = ([code for code in rare_last if (code >= SELECTED) == is_on] for is_on in (False, True))
        for code in plain:
            self._stamp_code(code, places[codes == code], drawing, sizes[code])
        for code in selected:
            halo = self._make_stamp("circle", min(sizes[code] + HALO_PX * ratio, REACH - 1))
            self._stamp(places[codes == code], halo, pack(HALO))
        for code in selected:
            self._stamp_code(code, places[codes == code], drawing, sizes[code])

    def _stamp_code(self, code: int, places: NDArray[np.int32], drawing: Drawing, radius: float) -> None:
        self._stamp(places, self._make_stamp(drawing.shapes[code % SELECTED], radius), int(drawing.colors[code]))

    def _place(
        self, x: NDArray[np.float32], y: NDArray[np.float32], view: MapView, ratio: float
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_] | None]:
        """The pixel of every point on screen, and which points those are; None: all."""
        across = x - np.float32(view.x)
        across *= np.float32(view.scale * ratio)
        across += np.float32(self.width / 2 + PAD)
        down = np.float32(view.y) - y
        down *= np.float32(view.scale * ratio)
        down += np.float32(self.height / 2 + PAD)
        is_inside = (across >= REACH) & (across < self.width + 2 * PAD - REACH)
        is_inside &= (down >= REACH) & (down < self.height + 2 * PAD - REACH)
        is_all = bool(is_inside.all())
        if not is_all:
            across, down = across[is_inside], down[is_inside]
        places = down.astype(np.int32)
        places *= np.int32(self._stride)
        places += across.astype(np.int32)
        return places, None if is_all else is_inside

    def _radius_of(self, counts: NDArray[np.int64], code: int, crowd: float, ratio: float) -> float:
        """A selected point is as large as its like, but large enough for a shape where few are selected."""
        size = self._radius(counts[code % SELECTED] + counts[code % SELECTED + SELECTED] + crowd, ratio)
        if code < SELECTED:
            return size
        return max(size, min(self._radius(counts[code] + crowd, ratio), SMALLEST_SHAPE_PX * ratio))

    def _radius(self, count: float, ratio: float) -> float:
        """Device pixels, in halves so that few shapes have to be made."""
        area = self.width * self.height * FILLED / max(count, 1)
        return min(round(2 * math.sqrt(area / math.pi)) / 2, LARGEST_PX * ratio, REACH - 1)

    def _paint_dots(
        self, places: NDArray[np.int32], codes: NDArray[np.uint8], colors: NDArray[np.uint32], ratio: float
    ) -> None:
        """The last one wins; brighter where many share a pixel."""
        side = int(min(max(round(2 * self._radius(len(places), ratio)), 1), LARGEST_DOT_PX * max(ratio, 1.0)))
        first = -(side // 2)
        reach = range(first, first + side)
        top = np.full(self._size, NOTHING, dtype=np.uint8)
        for offset in [down * self._stride + right for down in reach for right in reach]:
            top[places + np.int32(offset)] = codes
        touched = np.flatnonzero(top != NOTHING)
        crowd = np.bincount(places, minlength=self._size).take(touched)
        np.clip(crowd, 1, LEVELS - 1, out=crowd)
        crowd += top.take(touched).astype(np.int64) * LEVELS
        self._pixels[touched] = _shades(colors).ravel().take(crowd)

    def _stamp(self, places: NDArray[np.int32], stamp: NDArray[np.float32], color: int) -> None:
        """Lay one shape of one colour over these pixels; where shapes overlap they join."""
        middle = len(stamp) // 2
        down, right = np.nonzero(stamp)
        rising = np.argsort(stamp[down, right], kind="stable")  # the strongest cover of a pixel is written last
        offsets = ((down - middle) * self._stride + right - middle)[rising].astype(np.int32)
        touched = (offsets[:, None] + places).ravel()
        self._cover[touched] = np.repeat(stamp[down, right][rising], len(places))
        self._blend(touched, self._cover[touched], color)  # a pixel that is touched twice gets the same value twice

    def _blend(self, places: NDArray[np.int64], cover: NDArray[np.float32], color: int) -> None:
        below = self._pixels[places]
        mixed = np.full(len(places), 0xFF000000, dtype=np.uint32)
        for shift in (16, 8, 0):
            old = (below >> np.uint32(shift) & np.uint32(255)).astype(np.float32)
            new = old + (float(color >> shift & 255) - old) * cover
            mixed |= new.astype(np.uint32) << np.uint32(shift)
        self._pixels[places] = mixed


def _shades(colors: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """(codes, LEVELS): each colour from its faintest to itself."""
    share = FAINTEST + (1 - FAINTEST) * np.linspace(0, 1, LEVELS) ** 0.7
    table = np.full((len(colors), LEVELS), 0xFF000000, dtype=np.uint32)
    for shift in (16, 8, 0):
        channel = (colors >> np.uint32(shift) & np.uint32(255)).astype(np.float64)
        table |= (channel[:, None] * share).astype(np.uint32) << np.uint32(shift)
    return table
