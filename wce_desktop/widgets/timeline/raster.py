"""Painting a score track as steps, straight into pixels: a bounded time, whatever the scores look like."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint32]

PAIR = np.uint32(0x00FF00FF)


def draw(pixels: Pixels, painter: QPainter, at: QPoint, device_pixel_ratio: float) -> None:
    """Draw premultiplied ARGB pixels (width, height), pixel by pixel of the device, with the upper left corner at `at`.

    A column's pixels lie side by side in memory, because columns are what is filled; the image is turned here.
    """
    width, height = pixels.shape
    rows = np.ascontiguousarray(pixels.T)
    image = QImage(rows.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(device_pixel_ratio)
    painter.drawImage(at, image)


def premultiplied(color: QColor) -> np.uint32:
    """The colour as one premultiplied ARGB pixel."""
    alpha = color.alphaF()
    red, green, blue = (round(part * alpha) for part in (color.red(), color.green(), color.blue()))
    return np.uint32(color.alpha() << 24 | red << 16 | green << 8 | blue)


def stretch(painter: QPainter, area: QRectF, pixels: NDArray[np.uint32]) -> None:
    """Draw one row of premultiplied pixels over the height of an area."""
    if pixels.size:
        row = QImage(pixels.data, len(pixels), 1, 4 * len(pixels), QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(area, row, QRectF(0, 0, len(pixels), 1))


def fill_columns(canvas: Pixels, top: Floats, bottom: Floats | np.float32, color: QColor) -> None:
    """Fill each column from `top` to `bottom`, (width,) in pixels from above; NaN and `bottom <= top` fill nothing.

    The pixel rows at both ends are blended by how much of them is covered, so that slopes look smooth.
    """
    height = canvas.shape[1]
    shown = np.flatnonzero(bottom > top)
    if not shown.size:
        return
    above = np.clip(top[shown], 0, height)
    below = np.clip(np.broadcast_to(bottom, top.shape)[shown], 0, height)
    first, last = np.ceil(above), np.floor(below)
    pixel = premultiplied(color)
    _fill_whole_rows(canvas, shown, first, last, pixel)
    within_one_row = first > last
    upper = np.where(within_one_row, below, first) - above
    lower = np.where(within_one_row, 0, below - last)
    rows, coverage = np.concatenate((first - 1, last)), np.concatenate((upper, lower))
    _blend(canvas, rows, np.concatenate((shown, shown)), coverage, pixel)


def _fill_whole_rows(canvas: Pixels, columns: NDArray[np.intp], first: Floats, last: Floats, pixel: np.uint32) -> None:
    width, height = canvas.shape
    begin = np.full(width, height, dtype=np.int16)
    end = np.zeros(width, dtype=np.int16)
    begin[columns], end[columns] = first, last
    lowest, highest = int(begin.min()), int(end.max())
    rows = np.arange(lowest, max(lowest, highest), dtype=np.int16)
    where = (rows >= begin[:, None]) & (rows < end[:, None])
    np.copyto(canvas[:, lowest : lowest + len(rows)], pixel, where=where)


def _blend(canvas: Pixels, rows: Floats, columns: NDArray[np.intp], coverage: Floats, pixel: np.uint32) -> None:
    """Blend single pixels, none of them twice, by their `coverage` in [0, 1]."""
    share = np.rint(coverage * np.float32(256)).astype(np.uint32)
    inside = np.flatnonzero(share)
    at = columns[inside] * canvas.shape[1] + rows[inside].astype(np.intp)
    flat, share = canvas.reshape(-1), share[inside]
    under = flat[at]
    # Two of the four channels at a time, eight bits apart, so that none spills over into the next.
    odd, rest = (pixel >> np.uint32(8)) & PAIR, np.uint32(256) - share
    odd = odd * share + ((under >> np.uint32(8)) & PAIR) * rest
    even = (pixel & PAIR) * share + (under & PAIR) * rest
    flat[at] = (odd & ~PAIR) | ((even >> np.uint32(8)) & PAIR)
