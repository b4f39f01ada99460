"""What lies on top of the detail and is painted anew each time: the marked span, the threshold's line and number."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from wce_desktop.core.span import Span
from wce_desktop.widgets.theme import ACCENT
from wce_desktop.widgets.timeline.axis import FrameAxis
from wce_desktop.widgets.timeline.scores_paint import score_y
from wce_desktop.widgets.timeline.style import GRID, INK, LANE, tint

BRACKET_PX = 5


def paint_marked(painter: QPainter, area: QRect, axis: FrameAxis, span: Span) -> None:
    """The span between I and O: a band in the accent colour between two brackets."""
    accent = QColor(ACCENT)
    painter.save()
    painter.setClipRect(area)
    left, right = axis.x(span.start), axis.x(span.stop)
    top, bottom = area.top(), area.bottom() + 1
    painter.fillRect(QRectF(left, top, max(right - left, 2.0), bottom - top), tint(accent, 0.16))
    painter.setPen(QPen(accent, 2))
    for x, inward in ((left + 1, BRACKET_PX), (right - 1, -BRACKET_PX)):
        painter.drawPolyline([QPointF(x + inward, top + 1), QPointF(x, top + 1), QPointF(x, bottom - 1)])
        painter.drawLine(QPointF(x, bottom - 1), QPointF(x + inward, bottom - 1))
    painter.restore()


def paint_threshold(painter: QPainter, area: QRect, threshold: float, *, is_held: bool) -> None:
    """The line at the threshold, brighter while it is held."""
    y = round(score_y(area, threshold)) + 0.5
    pen = QPen(QColor("#ffffff") if is_held else QColor("#c8c8c8"), 1)
    pen.setDashPattern([5, 3])
    painter.setPen(pen)
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right() + 1, y))


def paint_handle(painter: QPainter, area: QRect, threshold: float, *, is_held: bool) -> None:
    """The tab by which the threshold can be taken, with its number."""
    tab = QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(INK if is_held else QColor("#8a8a8a"), 1))
    painter.setBrush(GRID if is_held else LANE)
    painter.drawRoundedRect(tab, 4, 4)
    painter.setPen(INK)
    painter.drawText(tab, Qt.AlignmentFlag.AlignCenter, f"{threshold:.2f}")
    painter.restore()
