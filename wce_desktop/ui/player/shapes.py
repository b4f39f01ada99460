"""The shapes that tell classes apart where colour alone must not."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF, QTransform

_CORNERS = {"triangle": (3, 1.0), "diamond": (4, 1.0), "pentagon": (5, 1.0), "hexagon": (6, 1.0), "star": (5, 0.45)}
_BARS = {
    "bar": (QRectF(-0.95, -0.3, 1.9, 0.6),),
    "plus": (QRectF(-0.95, -0.3, 1.9, 0.6), QRectF(-0.3, -0.95, 0.6, 1.9)),
}


def shape_path(shape: str, center: QPointF, radius: float) -> QPainterPath:
    """Outline of a vocabulary's shape around `center`; a circle for what it does not know."""
    path = QPainterPath()
    if shape in _CORNERS:
        path.addPolygon(_polygon(*_CORNERS[shape]))
        path.closeSubpath()
    elif shape in _BARS or shape == "cross":
        for bar in _BARS.get(shape, _BARS["plus"]):
            piece = QPainterPath()
            piece.addRect(bar)
            path = path.united(piece)
    elif shape == "square":
        path.addRect(QRectF(-0.8, -0.8, 1.6, 1.6))
    else:
        path.addEllipse(QPointF(0, 0), 0.9, 0.9)
    return _placed(path, center, radius, 45 if shape == "cross" else 0)


def draw_shape(painter: QPainter, shape: str, color: QColor, center: QPointF, radius: float, *, filled: bool) -> None:
    """Draw a shape in the class's colour; a single letter is written instead. Hollow means suggested."""
    if len(shape) == 1:
        painter.setPen(color)
        painter.setFont(_letter_font(painter.font(), radius))
        square = QRectF(center.x() - 2 * radius, center.y() - 2 * radius, 4 * radius, 4 * radius)
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, shape)
        return
    painter.setPen(QPen(color, 1.6))
    painter.setBrush(QBrush(color) if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(shape_path(shape, center, radius))


def _polygon(corners: int, inner: float) -> QPolygonF:
    """A regular polygon with a corner on top, or a star when `inner` is less than 1."""
    steps = corners if inner == 1.0 else 2 * corners
    radii = [1.0 if inner == 1.0 or step % 2 == 0 else inner for step in range(steps)]
    angles = [2 * math.pi * step / steps - math.pi / 2 for step in range(steps)]
    return QPolygonF(
        [
            QPointF(radius * math.cos(angle), radius * math.sin(angle))
            for radius, angle in zip(radii, angles, strict=True)
        ]
    )


def _placed(path: QPainterPath, center: QPointF, radius: float, degrees: float) -> QPainterPath:
    move = QTransform().translate(center.x(), center.y()).rotate(degrees).scale(radius, radius)
    return move.map(path)


def _letter_font(font: QFont, radius: float) -> QFont:
    letter = QFont(font)
    letter.setBold(True)
    letter.setPixelSize(max(8, round(2.4 * radius)))
    return letter
