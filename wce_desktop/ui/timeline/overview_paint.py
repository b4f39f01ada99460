"""What only the overview shows: the bar of mean tissue colour, and events as marks above it."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from wce_desktop.ui.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.ui.timeline.content import Content
from wce_desktop.ui.timeline.glyphs import draw_glyph
from wce_desktop.ui.timeline.style import sentence, tint

GLYPH_PX = 4.2
TICK_PX = 3


def paint_colors(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """The mean tissue colour along the window, or a grey bar with a word while it is not known."""
    if content.colors is None or not window.length:
        if content.frame_count:
            sentence(painter, QRectF(area), "the colours of the tissue show here once the study is scored")
        return
    device = painter.device()
    columns = round(area.width() * (device.devicePixelRatioF() if device is not None else 1.0))
    rows_per_frame = len(content.colors) / max(1, content.frame_count)
    first, last = window.start * rows_per_frame, window.stop * rows_per_frame
    row = np.ascontiguousarray(content.colors.columns(first, last, columns))
    image = QImage(row.data, columns, 1, columns * 3, QImage.Format.Format_RGB888)
    painter.drawImage(QRectF(area), image, QRectF(0, 0, columns, 1))


def paint_events(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """A tick for every event and, where there is room, its shape: hollow once it was seen, the highest peaks first."""
    events = content.events
    axis = FrameAxis(window, area.left(), area.width())
    free = np.ones(area.width() + 1, dtype=np.bool_)
    reach = int(2.4 * GLYPH_PX)
    for at in _highest_per_pixel(axis, events.peaks, events.scores):
        x = axis.x(events.peaks[at] + 0.5)
        color, is_seen = content.color(events.names[at]), bool(content.seen_events[at])
        tick = QRectF(round(x) - 1, area.bottom() + 1 - TICK_PX, 2, TICK_PX)
        painter.fillRect(tick, tint(color, 0.6) if is_seen else color)
        column = int(x - area.left())
        if free[column]:
            free[max(0, column - reach) : column + reach + 1] = False
            centre = QPointF(x, area.top() + 0.5 + GLYPH_PX)
            draw_glyph(painter, centre, GLYPH_PX, content.style(events.names[at]).shape, color, hollow=is_seen)


def _highest_per_pixel(axis: FrameAxis, peaks: NDArray[np.int64], scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """The events to draw, highest first: of those that share a pixel only the highest."""
    order = np.argsort(-scores, kind="stable")
    pixels = np.floor((peaks[order] + 0.5) * axis.px_per_frame).astype(np.int64)
    _, first = np.unique(pixels, return_index=True)
    return order[np.sort(first)]
