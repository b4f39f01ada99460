"""Marks of places that are linked with a place of another study: two rings of a chain, crossed out if they differ."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from wce_desktop.widgets.theme import ACCENT, BACKGROUND, MUTED
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content

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
            _paint_mark(painter, QPointF(x, area.center().y() + 0.5), is_same=is_same)
    painter.restore()


def _paint_mark(painter: QPainter, center: QPointF, *, is_same: bool) -> None:
    plate = QRectF(0, 0, 2 * RING_PX + 1, RING_PX + 5)
    plate.moveCenter(center)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(BACKGROUND))
    painter.drawRoundedRect(plate, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(ACCENT if is_same else MUTED), 1.5))
    for shift in (-RING_PX / 2 + 1, RING_PX / 2 - 1):
        painter.drawEllipse(center + QPointF(shift, 0), RING_PX / 2, RING_PX / 2 - 0.75)
    if not is_same:
        painter.drawLine(center + QPointF(-4, 4.5), center + QPointF(4, -4.5))
