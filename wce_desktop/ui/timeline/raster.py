"""Painting a score track as steps, straight into pixels: a bounded time, whatever the scores look like."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Canvas:
    """Premultiplied ARGB pixels (height, width), transparent at first."""

    pixels: Pixels

    @classmethod
    def empty(cls, width: int, height: int) -> "Canvas":
        """A transparent canvas."""
        return cls(np.zeros((height, width), dtype=np.uint32))

    def image(self, device_pixel_ratio: float) -> QImage:
        """The canvas as an image with pixels of its own."""
        height, width = self.pixels.shape
        image = QImage(self.pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied).copy()
        image.setDevicePixelRatio(device_pixel_ratio)
        return image


def premultiplied(color: QColor) -> np.uint32:
    """The colour as one premultiplied ARGB pixel."""
    alpha = color.alphaF()
    red, green, blue = (round(part * alpha) for part in (color.red(), color.green(), color.blue()))
    return np.uint32(color.alpha() << 24 | red << 16 | green << 8 | blue)


def fill_columns(canvas: Canvas, top: Floats, bottom: Floats, color: QColor) -> None:
    """Fill each column from `top` to `bottom`, (width,) in pixels from above; NaN and `bottom <= top` fill nothing.

    The pixel rows at both ends are blended by how much of them is covered, so that slopes look smooth.
    """
    height = canvas.pixels.shape[0]
    shown = np.flatnonzero(bottom > top)
    if not shown.size:
        return
    above = np.clip(top[shown], 0, height)
    below = np.clip(bottom[shown], 0, height)
    first, last = np.ceil(above), np.floor(below)
    _fill_whole_rows(canvas, shown, first, last, premultiplied(color))
    within_one_row = first > last
    upper = np.where(within_one_row, below - above, first - above)
    _blend_row(canvas, shown, np.ceil(above) - 1, upper, color)
    _blend_row(canvas, shown, last, np.where(within_one_row, 0, below - last), color)


def _fill_whole_rows(canvas: Canvas, columns: NDArray[np.intp], first: Floats, last: Floats, color: np.uint32) -> None:
    height, width = canvas.pixels.shape
    begin = np.full(width, height, dtype=np.int16)
    end = np.zeros(width, dtype=np.int16)
    begin[columns], end[columns] = first, last
    lowest, highest = int(begin.min()), int(end.max())
    rows = np.arange(lowest, max(lowest, highest), dtype=np.int16)[:, None]
    np.copyto(canvas.pixels[lowest : max(lowest, highest)], color, where=(rows >= begin) & (rows < end))


def _blend_row(canvas: Canvas, columns: NDArray[np.intp], row: Floats, coverage: Floats, color: QColor) -> None:
    """Blend one pixel of each column, `coverage` in [0, 1]."""
    inside = (coverage > 0) & (row >= 0) & (row < canvas.pixels.shape[0])
    at = (row[inside].astype(np.intp), columns[inside])
    share = coverage[inside, None].astype(np.float32)
    under = canvas.pixels[at].view(np.uint8).reshape(-1, 4)
    over = np.array([premultiplied(color)]).view(np.uint8)
    canvas.pixels[at] = np.rint(over * share + under * (1 - share)).astype(np.uint8).view(np.uint32)[:, 0]
