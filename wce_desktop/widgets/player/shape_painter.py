"""Arrows, circles and text on a frame, painted on screen and into pictures."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from wce_desktop.core.drawings import COLOR, Shape
from wce_desktop.widgets.player import annotation_painter as annotate

HEAD_SHARE, LEAST_HEAD_PX, MOST_HEAD_WIDTHS = 0.28, 7.0, 8.0
"""Of an arrow's length: its head; never longer than so many widths of its line."""
HEAD_ANGLE = math.radians(28)
TEXT_SHARE = 0.72
"""Of the height of its box: letters of a text, as far as they fit into its width."""


def draw_shapes(painter: QPainter, shapes: Sequence[Shape], frame_rect: QRectF, frame: QSizeF) -> None:
    """Paint shapes of a frame of this size that fills `frame_rect`, light on dark so that they show on any tissue."""
    scale = frame_rect.width() / frame.width()
    width = max(1.6, min(frame_rect.width(), frame_rect.height()) / 190)
    for shape in shapes:
        corner = frame_rect.topLeft() + QPointF(shape.x_min, shape.y_min) * scale
        box = QRectF(corner, QSizeF(shape.x_max - shape.x_min, shape.y_max - shape.y_min) * scale)
        if shape.kind == "text":
            _draw_text(painter, box, shape.text)
            continue
        for color, of_line in ((QColor(0, 0, 0, 190), width * 2.2), (QColor(COLOR), width)):
            style, cap, join = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
            painter.setPen(QPen(color, of_line, style, cap, join))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if shape.kind == "circle":
                painter.drawEllipse(box)
            else:
                points = [frame_rect.topLeft() + QPointF(*shape.line[at : at + 2]) * scale for at in (0, 2)]
                _draw_arrow(painter, points[0], points[1], color, max(LEAST_HEAD_PX, MOST_HEAD_WIDTHS * width))


def _draw_arrow(painter: QPainter, end: QPointF, tip: QPointF, color: QColor, most_px: float) -> None:
    angle = math.atan2(tip.y() - end.y(), tip.x() - end.x())
    length = math.hypot(tip.x() - end.x(), tip.y() - end.y())
    head = min(max(LEAST_HEAD_PX, length * HEAD_SHARE), most_px)
    sides = [tip - QPointF(math.cos(angle + turn), math.sin(angle + turn)) * head for turn in (HEAD_ANGLE, -HEAD_ANGLE)]
    painter.drawLine(end, tip)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([tip, *sides]))


def _draw_text(painter: QPainter, box: QRectF, text: str) -> None:
    font = annotate.text_font(max(6, round(box.height() * TEXT_SHARE)))
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width > box.width():
        font.setPixelSize(max(6, int(font.pixelSize() * box.width() / width)))
    metrics = QFontMetricsF(font)
    plate = QRectF(0, 0, metrics.horizontalAdvance(text), metrics.height())
    plate.moveCenter(box.center())
    plate.moveLeft(box.left())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 150))
    painter.drawRoundedRect(plate.adjusted(-3, 0, 3, 0), 3, 3)
    painter.setFont(font)
    painter.setPen(QColor(COLOR))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)


def drawn_on(picture: NDArray[np.uint8], shapes: Sequence[Shape], corner: tuple[int, int]) -> NDArray[np.uint8]:
    """A copy of a picture (H, W, 3) uint8 RGB with shapes; may be called in any thread.

    Args:
        picture: cut out of the frame.
        shapes: in pixels of the frame.
        corner: x and y of the picture in the frame.
    """
    height, width = picture.shape[:2]
    rows = np.ascontiguousarray(picture)
    image = QImage(rows.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(-corner[0], -corner[1])
    size = QSizeF(width, height)
    draw_shapes(painter, shapes, QRectF(QPointF(0, 0), size), size)
    painter.end()
    drawn = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    return drawn[:, : 3 * width].reshape(height, width, 3).copy()
