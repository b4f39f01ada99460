"""The time axis: h:mm:ss at round times, also where the frame rate varies."""

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.style import LINE, NOTE_INK, QUIET_INK, small_font

ROUND_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)
ROUND_FRAMES = tuple(step * 10**power for power in range(9) for step in (1, 2, 5))
NOTE_GAP_PX = 10
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
    begin, finish = content.seconds_at(window.start), content.seconds_at(window.stop)
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


def paint_ruler_and_note(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """The ruler, and at its right end what must be known beside the scores, cut where it is too long."""
    painter.setFont(small_font(painter.font(), 10))
    note = painter.fontMetrics().elidedText(content.note, Qt.TextElideMode.ElideRight, area.width())
    written = painter.fontMetrics().horizontalAdvance(note) + NOTE_GAP_PX if note else 0
    painter.setPen(NOTE_INK)
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, note)
    painter.setClipRect(area.adjusted(0, 0, -written, 0))
    paint_ruler(painter, area, window, content)
