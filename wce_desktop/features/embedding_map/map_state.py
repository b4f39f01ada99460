"""The state of a map (points, colours, hidden, selected and marked points), and what is painted over it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from wce_desktop.core import format_frame, format_time, tr, tr_count
from wce_desktop.features.embedding_map.map_coloring import Coloring, Drawing, plain
from wce_desktop.features.embedding_map.map_points import MapPoints, MapView
from wce_desktop.widgets.theme import ON_PICTURE

Extent: TypeAlias = tuple[float, float, float, float]
NO_ROWS: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
NOWHERE = MapPoints((), np.zeros(0, np.int32), NO_ROWS, np.zeros(0), np.zeros((0, 2), np.float32))


@dataclass(eq=False)
class MapState:
    """Changed by its own methods only; `drawing` is rebuilt on access after a change.

    Attributes:
        points: N of them.
        coloring: of the same points.
        hidden: the codes that the legend has switched off.
        selected: the selected points, sorted.
        marked: the points of the marked span, in order of time.
        tail: the points of the frames before the playing one, the playing one last; empty when none is on the map.
        current: the point chosen by keys; -1 for none.
        extent: what the whole map is, where that is more than where its points lie now.
    """

    points: MapPoints = NOWHERE
    coloring: Coloring = field(default_factory=lambda: plain(0))
    hidden: frozenset[int] = frozenset()
    selected: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    marked: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    tail: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    current: int = -1
    extent: Extent | None = None
    _drawing: Drawing | None = None
    _shown: NDArray[np.bool_] | None = None
    _shuffled: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)

    def set_points(self, points: MapPoints, extent: Extent | None = None) -> None:
        """Show other frames, in one colour until a colouring is set."""
        self.points, self.extent = points, extent
        self.hidden, self.current = frozenset(), -1
        self.selected = self.marked = self.tail = NO_ROWS
        self._shuffled = np.random.default_rng(0).permutation(len(points))
        self.set_coloring(plain(len(points)))

    def move_points(self, coordinates: NDArray[np.float32]) -> None:
        """Move the frames to other coordinates (N, 2)."""
        self.points = replace(self.points, coordinates=coordinates)
        if self._drawing is not None:
            self._drawing = self._drawing.moved(coordinates)

    def set_coloring(self, coloring: Coloring) -> None:
        """Colour by something else; everything is shown again where the categories are others."""
        before, after = ([category.name for category in each.categories] for each in (self.coloring, coloring))
        self.coloring = coloring
        self.set_hidden(self.hidden if before == after else frozenset())

    def set_hidden(self, hidden: frozenset[int]) -> None:
        """Switch categories off."""
        self.hidden = hidden
        self._drawing = self._shown = None

    def set_selected(self, rows: NDArray[np.int64]) -> None:
        """Set the selected points."""
        self.selected = rows
        self._drawing = None

    @property
    def words(self) -> str:
        """The frame that the keys are on, or the playing one, or how many there are; "" for an empty map."""
        count, at = len(self.points), self.current if self.current >= 0 else self.playing
        if at < 0:
            if not len(self.selected):
                return tr_count("map of {count} frame", "map of {count} frames", count) if count else ""
            return tr_count(
                "map of {count} frame, {selected} selected",
                "map of {count} frames, {selected} selected",
                count,
                selected=len(self.selected),
            )
        values = {
            "frame": format_frame(int(self.points.frame_index[at]) + 1),
            "time": format_time(float(self.points.video_seconds[at])),
            "category": self.coloring.categories[int(self.coloring.codes[at])].title,
        }
        if at in self.selected:
            return tr("frame {frame} of its study, {time}, {category}, selected", **values)
        return tr("frame {frame} of its study, {time}, {category}", **values)

    @property
    def bounds(self) -> Extent:
        """Lower left and upper right corner of the whole map."""
        return self.extent or self.points.bounds

    @property
    def playing(self) -> int:
        """The point of the playing frame, or -1."""
        return int(self.tail[-1]) if len(self.tail) else -1

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(N,) bool: the points of categories that are switched on."""
        if self._shown is None:
            is_on = np.ones(len(self.coloring.categories), dtype=bool)
            is_on[list(self.hidden)] = False
            self._shown = is_on[self.coloring.codes]
        return self._shown

    @property
    def drawing(self) -> Drawing:
        """The points in the order of painting."""
        if self._drawing is None:
            self._drawing = Drawing.of(
                self.points.coordinates, self.coloring, self.shown, self.selected, self._shuffled
            )
        return self._drawing


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
