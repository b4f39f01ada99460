"""Overlays of a map: path of the playing frame, keyboard point, drawn shape."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from wce_desktop.features.embedding_map.model.map_view import MapView
from wce_desktop.features.embedding_map.view.map_state import MapState
from wce_desktop.widgets.theme import ON_PICTURE

PLAYING_PX, CURRENT_PX, MARKED_PX = 7.0, 10.0, 5.0
MOST_MARKED, MOST_RINGS = 3000, 60
SHADOW = QColor(0, 0, 0, 170)


def paint_overlay(painter: QPainter, state: MapState, view: MapView, outline: Sequence[tuple[float, float]]) -> None:
    """Paint it all; `outline` is the lasso or box that is being drawn, in places of the map."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _paint_span(painter, _on_screen(state, view, state.marked[:MOST_MARKED].tolist()))
    _paint_tail(painter, _on_screen(state, view, state.tail.tolist()))
    if state.current >= 0:
        (at,) = _on_screen(state, view, [state.current])
        _ring(painter, at, CURRENT_PX, QColor(ON_PICTURE.accent))
    if len(outline) > 1:
        shape = QPolygonF([QPointF(*view.to_screen(x, y)) for x, y in outline])
        painter.setPen(QPen(QColor(ON_PICTURE.accent), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(86, 180, 233, 28))
        painter.drawPolygon(shape)


def _on_screen(state: MapState, view: MapView, rows: Sequence[int]) -> list[QPointF]:
    places = state.points.coordinates[list(rows)].tolist()
    return [QPointF(*view.to_screen(x, y)) for x, y in places]


def _paint_span(painter: QPainter, way: Sequence[QPointF]) -> None:
    """The frames of the marked span: a line from the first to the last of them, a ring around each of a few."""
    painter.setPen(QPen(QColor(ON_PICTURE.warning), 1.6))
    painter.drawPolyline(QPolygonF(list(way)))
    for at in way if len(way) <= MOST_RINGS else (*way[:1], *way[-1:]):
        _ring(painter, at, MARKED_PX, QColor(ON_PICTURE.warning))


def _paint_tail(painter: QPainter, way: Sequence[QPointF]) -> None:
    """The latest frames as a line that fades into the past, the playing one as a cross in a ring."""
    for number in range(1, len(way)):
        color = QColor(ON_PICTURE.text)
        color.setAlphaF(0.12 + 0.75 * number / len(way))
        painter.setPen(QPen(color, 0.8 + 1.6 * number / len(way)))
        painter.drawLine(way[number - 1], way[number])
    if way:
        at = way[-1]
        _ring(painter, at, PLAYING_PX, QColor("white"))
        painter.setPen(QPen(QColor("white"), 1.6))
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            inner, outer = PLAYING_PX - 3, PLAYING_PX + 5
            painter.drawLine(at + QPointF(across * inner, down * inner), at + QPointF(across * outer, down * outer))


def _ring(painter: QPainter, at: QPointF, radius: float, color: QColor) -> None:
    """A ring that is seen on any ground."""
    for pen in (QPen(SHADOW, 4.5), QPen(color, 2.0)):
        painter.setPen(pen)
        painter.drawEllipse(at, radius, radius)


def paint_sentence(painter: QPainter, area: QRectF, sentence: str, hint: str) -> None:
    """Say in the middle of an empty map what to do."""
    painter.fillRect(area, QColor(ON_PICTURE.background))
    painter.setPen(QColor(ON_PICTURE.text))
    room = area.adjusted(40, 0, -40, 0)
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(room.adjusted(0, area.height() / 2 - 30, 0, 0), flags, f"{sentence}\n\n{hint}")


def paint_focus(painter: QPainter, area: QRectF) -> None:
    """The frame of a map that takes the keys."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor(ON_PICTURE.accent), 1))
    painter.drawRect(area.adjusted(0, 0, -1, -1))
