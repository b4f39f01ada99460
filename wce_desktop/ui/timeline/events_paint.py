"""Events as shaded columns, ticks and shapes: quick also for the thousands that a low threshold gives."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from wce_desktop.ui.glyphs import draw_glyph
from wce_desktop.ui.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.ui.timeline.content import Content
from wce_desktop.ui.timeline.raster import premultiplied
from wce_desktop.ui.timeline.style import LANE, tint

GLYPH_PX = 4.4
APART_PX = 10
TICK_PX = 3
BAR_PX = 2


def shade_events(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Every event as a faint column over the whole height, with a bright bar on top."""
    bars = np.zeros(area.width(), dtype=np.uint32)
    shades = bars.copy()
    events = content.events
    for name, rows in events.rows_by_name.items():
        covered = events.spans.chosen(rows).columns(window.start, window.stop, area.width())
        color = content.color(name)
        shades[covered] = premultiplied(tint(color, 0.13))
        # Two pixels wide at least, so that an event of a single frame is not missed.
        bars[covered | np.concatenate((covered[1:], np.zeros(1, dtype=np.bool_)))] = premultiplied(color)
    _stretch(painter, QRectF(area), shades)
    _stretch(painter, QRectF(area.left(), area.top(), area.width(), BAR_PX), bars)


def tick_events(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """A short tick at every event's peak along the lower edge; where two share a pixel, the higher peak's."""
    pixels = np.zeros(area.width(), dtype=np.uint32)
    events, axis = content.events, FrameAxis(window, 0, area.width())
    colors = {name: (content.color(name), tint(content.color(name), 0.6)) for name in events.rows_by_name}
    packed = {name: (premultiplied(whole), premultiplied(faint)) for name, (whole, faint) in colors.items()}
    order = _highest_per_pixel(axis, events.peaks, events.scores)[::-1]
    columns = np.rint((events.peaks[order] + 0.5) * axis.px_per_frame).astype(np.int64)
    shown = [packed[events.names[at]][int(content.seen_events[at])] for at in order]
    for shift in (-1, 0):
        pixels[np.clip(columns + shift, 0, area.width() - 1)] = shown
    _stretch(painter, QRectF(area.left(), area.bottom() + 1 - TICK_PX, area.width(), TICK_PX), pixels)


def mark_events(painter: QPainter, area: QRect, window: FrameWindow, content: Content, centre_y: float) -> None:
    """A shape at each peak, hollow once it was seen; of those too close to each other the highest."""
    events, axis = content.events, FrameAxis(window, area.left(), area.width())
    inside = np.flatnonzero((events.peaks + 0.5 >= window.start) & (events.peaks + 0.5 < window.stop))
    order = inside[_highest_per_pixel(axis, events.peaks[inside], events.scores[inside])]
    offsets = (events.peaks[order] + 0.5 - window.start) * axis.px_per_frame
    taken = bytearray(area.width() + 2 * APART_PX + 1)
    for at, offset in zip(order.tolist(), offsets.tolist(), strict=True):
        column = int(offset)
        if not taken[column + APART_PX]:
            taken[column : column + 2 * APART_PX + 1] = bytes([1]) * (2 * APART_PX + 1)
            name, centre = events.names[at], QPointF(area.left() + offset, centre_y)
            draw_glyph(painter, centre, GLYPH_PX + 1.6, "circle", LANE)
            hollow = bool(content.seen_events[at])
            draw_glyph(painter, centre, GLYPH_PX, content.style(name).shape, content.color(name), hollow=hollow)


def _highest_per_pixel(axis: FrameAxis, peaks: NDArray[np.int64], scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """The events to draw, highest first: of those that share a pixel only the highest."""
    order = np.argsort(-scores, kind="stable")
    pixels = np.floor((peaks[order] + 0.5) * axis.px_per_frame).astype(np.int64)
    _, first = np.unique(pixels, return_index=True)
    return order[np.sort(first)]


def _stretch(painter: QPainter, area: QRectF, pixels: NDArray[np.uint32]) -> None:
    """Draw one row of premultiplied pixels over the height of an area."""
    if pixels.size:
        row = QImage(pixels.data, len(pixels), 1, 4 * len(pixels), QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(area, row, QRectF(0, 0, len(pixels), 1))
