"""What only the overview shows: the bar of mean tissue colour, and events as marks above it."""

import numpy as np
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.events_paint import GLYPH_PX, events_to_draw, mark_events, tick_events
from wce_desktop.widgets.timeline.style import sentence


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
    axis = FrameAxis(window, area.left(), area.width())
    order = events_to_draw(axis, content.events)
    tick_events(painter, area, axis, content, order)
    mark_events(painter, area.top() + 0.5 + GLYPH_PX, axis, content, order)
