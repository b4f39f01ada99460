"""Paints 500,000 points many times a second by counting points per pixel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from wce_desktop.features.embedding_map.map_coloring import CODES, FAINTEST, LEVELS, SELECTED, Drawing, pack
from wce_desktop.features.embedding_map.map_points import MapView

PAD = 18
"""Pixels around the screen, so that a shape that is cut by its border needs no care."""
REACH = 12
"""Half the side of the largest shape; PAD - REACH pixels beyond the screen a point is no longer drawn."""
FILLED = 0.13
"""Share of the screen that the points of a category may cover: what their size follows from."""
CROWD_SHARE, CROWD_MOST = 0.15, 600
"""Share of all points on screen added to each category's count, so that small categories are not drawn largest."""
LARGEST_PX = 5.5
SMALLEST_SHAPE_PX = 2.5
"""Radius below which a shape looks like a dot."""
LARGEST_DOT_PX = 4
HALO, HALO_PX = (255, 255, 255), 1.8
"""Around the cloud of selected points, where they are few enough to have shapes."""
MOST_STAMPED = 600_000
"""Pixels of shapes in one picture; categories that would need more are dots, the most frequent first."""
OPAQUE = 256
"""Coverage of a pixel that is wholly inside a shape."""
NOTHING = CODES - 1
"""The code that no point has."""

StampMaker = Callable[[str, float], NDArray[np.float32]]
"""A shape with a radius in pixels -> (k, k) how much of each pixel it covers, in [0, 1]; k odd, at most 2 REACH + 1."""


class MapRaster:
    """A screen of pixels that is painted over and over.

    Dots are brighter where many share a pixel. A category that is rare enough on screen gets its shape, smooth at the
    edges; all others are dots. Sizes follow from how many there are.
    """

    def __init__(self, width: int, height: int, background: tuple[int, int, int], make_stamp: StampMaker) -> None:
        """A screen of `width` x `height` device pixels."""
        self.width, self.height = width, height
        self._stride = width + 2 * PAD
        self._size = self._stride * (height + 2 * PAD)
        self._background = background
        self._make_stamp = make_stamp
        self._pixels = np.empty(self._size, dtype=np.uint32)
        self._cover = np.zeros(self._size, dtype=np.uint16)

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
        shaped = _affordable({code: r for code, r in sizes.items() if r >= SMALLEST_SHAPE_PX * ratio}, counts)
        if len(shaped) < len(sizes):
            self._paint_dots(places, codes, drawing.colors, ratio)  # all: shapes come to lie over their own dots
        rare_last = sorted(shaped, key=lambda code: -counts[code])
        plain, selected = ([code for code in rare_last if (code >= SELECTED) == is_on] for is_on in (False, True))
        for code in plain:
            self._stamp_code(code, places[codes == code], drawing, sizes[code])
        for code in selected:
            shape = drawing.shapes[code % SELECTED]
            halo = self._make_stamp(shape, min(sizes[code] + HALO_PX * ratio, REACH - 1))
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
        """A selected point has the size of its category, but is large enough for a shape if few are selected."""
        size = self._radius(counts[code % SELECTED] + counts[code % SELECTED + SELECTED] + crowd, ratio)
        if code < SELECTED:
            return size
        return max(size, min(self._radius(counts[code] + crowd, ratio), SMALLEST_SHAPE_PX * ratio))

    def _radius(self, count: float, ratio: float) -> float:
        """Device pixels, in halves of logical ones: few shapes to make, and the same on every screen."""
        area = self.width * self.height * FILLED / max(count, 1)
        return min(round(2 * math.sqrt(area / math.pi) / ratio) / 2 * ratio, LARGEST_PX * ratio, REACH - 1)

    def _paint_dots(
        self, places: NDArray[np.int32], codes: NDArray[np.uint8], colors: NDArray[np.uint32], ratio: float
    ) -> None:
        """The last one wins; brighter where many share a pixel."""
        side = int(min(max(round(2 * self._radius(len(places), ratio)), 1), LARGEST_DOT_PX * max(ratio, 1.0)))
        first, middle = -(side // 2), (side - 1) / 2
        top = np.full(self._size, NOTHING, dtype=np.uint8)
        for down, right in product(range(side), repeat=2):
            if math.hypot(down - middle, right - middle) <= side / 2:  # from four pixels on they look round
                top[places + np.int32((first + down) * self._stride + first + right)] = codes
        touched = np.flatnonzero(top != NOTHING)
        crowd = np.bincount(places, minlength=self._size).take(touched)
        np.clip(crowd, 1, LEVELS - 1, out=crowd)
        crowd += top.take(touched).astype(np.int64) * LEVELS
        self._pixels[touched] = _shades(colors).ravel().take(crowd)

    def _stamp(self, places: NDArray[np.int32], stamp: NDArray[np.float32], color: int) -> None:
        """Lay one shape of one colour over these pixels; where shapes overlap they join."""
        cover = np.round(stamp * OPAQUE).astype(np.uint16)
        self._lay_rim(places, cover, color)
        solid = self._offsets(*np.nonzero(cover == OPAQUE), middle=len(stamp) // 2)
        self._pixels[(solid[:, None] + places).ravel()] = color

    def _lay_rim(self, places: NDArray[np.int32], cover: NDArray[np.uint16], color: int) -> None:
        """The pixels that the shape covers in part, each by as much as the shape that covers it most."""
        down, right = np.nonzero((cover > 0) & (cover < OPAQUE))
        rising = np.argsort(cover[down, right], kind="stable")  # the strongest cover of a pixel is written last
        down, right = down[rising], right[rising]
        touched = (self._offsets(down, right, middle=len(cover) // 2)[:, None] + places).ravel()
        self._cover[touched] = np.repeat(cover[down, right], len(places))
        self._blend(touched, self._cover[touched].astype(np.uint32), color)  # the same value where touched twice
        self._cover[touched] = 0

    def _offsets(self, down: NDArray[np.int64], right: NDArray[np.int64], *, middle: int) -> NDArray[np.int32]:
        return ((down - middle) * self._stride + right - middle).astype(np.int32)

    def _blend(self, places: NDArray[np.int32], cover: NDArray[np.uint32], color: int) -> None:
        """Red and blue at once, then green: eight bits apart they do not meet while they are multiplied."""
        below, left = self._pixels[places], np.uint32(OPAQUE) - cover
        mixed = np.full(len(places), 0xFF000000, dtype=np.uint32)
        for mask in (0x00FF00FF, 0x0000FF00):
            channel = (below & np.uint32(mask)) * left + np.uint32(color & mask) * cover
            mixed |= channel >> np.uint32(8) & np.uint32(mask)
        self._pixels[places] = mixed


def _affordable(sizes: Mapping[int, float], counts: NDArray[np.int64]) -> list[int]:
    """The codes, the rarest first, whose shapes together touch no more than `MOST_STAMPED` pixels."""
    chosen, left = [], float(MOST_STAMPED)
    for code in sorted(sizes, key=lambda code: int(counts[code])):
        left -= float(counts[code]) * math.pi * sizes[code] ** 2
        if left >= 0:
            chosen.append(code)
    return chosen


def _shades(colors: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """(codes, LEVELS): each colour from its faintest to itself."""
    share = FAINTEST + (1 - FAINTEST) * np.linspace(0, 1, LEVELS) ** 0.7
    table = np.full((len(colors), LEVELS), 0xFF000000, dtype=np.uint32)
    for shift in (16, 8, 0):
        channel = (colors >> np.uint32(shift) & np.uint32(255)).astype(np.float64)
        table |= (channel[:, None] * share).astype(np.uint32) << np.uint32(shift)
    return table
