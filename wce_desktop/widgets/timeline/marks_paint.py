"""The time axis: h:mm:ss at round times, also where the frame rate varies.

Marks of places that are linked with a place of another study: two rings of a chain, crossed out if they differ.

The frames that were selected on the map or in the grid: a dotted row of white pins over the study.
"""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.style import CURSOR, LINE, QUIET_INK, small_font

PIN_PX = 5.0


def pin_positions(axis: FrameAxis, selected: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) x of the pins on screen, each pixel once, so that 500,000 frames cost what a screen's width costs.

    Args:
        axis: what is shown.
        selected: (N,) frame indexes in order.
    """
    window = axis.window
    first, last = np.searchsorted(selected, (np.floor(window.start), window.stop))
    shown = selected[first:last] + 0.5
    return np.unique(np.round(axis.left + (shown - window.start) * axis.px_per_frame).astype(np.int64))


def paint_selected(painter: QPainter, axis: FrameAxis, top: float, selected: NDArray[np.int64]) -> None:
    """One pin a pixel that holds selected frames, its point down at `top` + `PIN_PX`."""
    positions = pin_positions(axis, selected)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(CURSOR)
    if len(positions) * PIN_PX > axis.width:  # too close for shapes: a line of ticks
        for x in positions.tolist():
            painter.fillRect(QRectF(x, top, 1, PIN_PX), CURSOR)
    else:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x in positions.tolist():
            corners = [QPointF(x - PIN_PX / 2, top), QPointF(x + PIN_PX / 2, top), QPointF(x, top + PIN_PX)]
            painter.drawPolygon(QPolygonF(corners))
    painter.restore()


RING_PX = 6.5


def paint_links(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """The marks of a row; of several on one pixel one is painted."""
    axis = FrameAxis(window, area.left(), area.width())
    painter.save()
    painter.setClipRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    places = {(round(axis.x(mark.frame_index + 0.5)), mark.is_same) for mark in content.links}
    for x, is_same in sorted(places):
        if area.left() - RING_PX <= x <= area.right() + RING_PX:
            center, plate = QPointF(x, area.center().y() + 0.5), QRectF(0, 0, 2 * RING_PX + 1, RING_PX + 5)
            plate.moveCenter(center)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(COLORS.background))
            painter.drawRoundedRect(plate, 3, 3)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(COLORS.accent if is_same else COLORS.muted), 1.5))
            for shift in (-RING_PX / 2 + 1, RING_PX / 2 - 1):
                painter.drawEllipse(center + QPointF(shift, 0), RING_PX / 2, RING_PX / 2 - 0.75)
            if not is_same:
                painter.drawLine(center + QPointF(-4, 4.5), center + QPointF(4, -4.5))
    painter.restore()


ROUND_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)
ROUND_FRAMES = tuple(step * 10**power for power in range(9) for step in (1, 2, 5))
LEAST_PX = 84
"""Between two times that are written."""


def round_step(span: float, width_px: float, steps: tuple[int, ...]) -> int:
    """The smallest step that leaves each of its multiples room to be written."""
    wanted = span * LEAST_PX / max(width_px, 1.0)
    return next((step for step in steps if step >= wanted), steps[-1])


def ticks(window: FrameWindow, width_px: float, content: Content) -> list[tuple[float, str]]:
    """What to write where: positions in frames with their texts; frame numbers where times are not known."""
    count = content.frame_count
    if not count or not window.length:
        return []
    times = content.video_seconds
    if times is None or not len(times):
        step = round_step(window.length, width_px, ROUND_FRAMES)
        numbers = np.arange(-(-(window.start + 1) // step) * step, window.stop + 1, step)
        return [(float(number) - 1, format_frame(int(number))) for number in numbers if number >= 1]
    begin, finish = np.interp((window.start, window.stop), np.arange(len(times)), times).tolist()
    step = round_step(finish - begin, width_px, ROUND_SECONDS)
    rounded = np.arange(-(-begin // step) * step, finish + 1e-9, step)
    return [(content.position_at(float(seconds)), format_time(float(seconds))) for seconds in rounded]


def paint_ruler(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Times along the top of a lane, each with a tick under its beginning."""
    axis = FrameAxis(window, area.left(), area.width())
    painter.setFont(small_font(painter.font(), 10))
    for position, text in ticks(window, area.width(), content):
        x = axis.x(position)
        painter.fillRect(QRectF(round(x), area.top() + 3, 1, area.height() - 3), LINE)
        room = QRectF(x + 4, area.top(), LEAST_PX, area.height())
        if x + 4 + painter.fontMetrics().horizontalAdvance(text) <= area.right():
            painter.setPen(QUIET_INK)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
