"""The map widget: pan, zoom, hover, click, and selection with a lasso or a box."""

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map import map_coloring, map_state
from wce_desktop.features.embedding_map.map_input import HINT, ZOOM_STEP, How, MapKeys, MapPointer, Tool
from wce_desktop.features.embedding_map.map_points import MapPoints, MapView, nearest_points
from wce_desktop.features.embedding_map.map_raster import MapRaster
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import basic, glyphs, key_texts
from wce_desktop.widgets.theme import ON_PICTURE

NEIGHBOURHOOD = 50
"""Points that Space selects."""
EMPTY = (to_translate("There is no map yet."), to_translate("New map (Ctrl+N) creates one from scored studies."))


class MapCanvas(QWidget):
    """Shows a `MapState` and emits the user's actions; selections are requested by signal, not applied here."""

    hovered = Signal(int, QPoint)  # point or -1, where the pointer is
    current_changed = Signal(int, QPoint)  # point chosen by keys or -1, its position on screen
    go_requested = Signal(int)  # point
    selection_requested = Signal(object)  # sorted points
    leave_requested = Signal(bool)  # Ctrl+Tab: on to the next control; False: back

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = map_state.MapState()
        self.tool: Tool = "pan"
        self.view = MapView.fit(map_state.NOWHERE.bounds, 100, 100)
        self.empty = EMPTY
        self._raster: MapRaster | None = None
        self._image: QtGui.QImage | None = None
        self._pointer = MapPointer(self)
        self._keys = MapKeys(self)
        key_texts.give_keys(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Map of frames"))
        self.setAccessibleDescription(tr(HINT))

    spoken_role = QtGui.QAccessible.Role.Canvas

    @property
    def spoken_value(self) -> str:
        """What a screen reader says: the frame that the keys are on, else how many frames the map has."""
        return self.state.words or " ".join(self._empty_words())

    def _empty_words(self) -> list[str]:
        return [with_keys(tr(text)) for text in self.empty]

    def sizeHint(self) -> QSize:
        """As large as it can be."""
        return QSize(700, 560)

    # What is shown

    def set_points(self, points: MapPoints, extent: map_state.Extent | None = None) -> None:
        """Show other frames, the whole of them; `extent` where the map is larger than they are now."""
        self.state.set_points(points, extent)
        self._pointer.drop_gesture()
        self._pointer.emit_hover(-1, QPoint())
        basic.value_changed(self)
        self.fit()

    def move_points(self, coordinates: NDArray[np.float32]) -> None:
        """Move the frames to other coordinates; a zoomed view keeps its centre."""
        self.state.move_points(coordinates)
        self._refit()

    def set_coloring(self, coloring: map_coloring.Coloring) -> None:
        """Colour by something else."""
        self.state.set_coloring(coloring)
        self.repaint_points()

    def set_hidden(self, hidden: frozenset[int]) -> None:
        """Switch categories off."""
        self.state.set_hidden(hidden)
        self.repaint_points()

    def set_selected(self, rows: NDArray[np.int64]) -> None:
        """Show these points as selected."""
        self.state.set_selected(rows)
        basic.value_changed(self)
        self.repaint_points()

    def set_marked(self, rows: NDArray[np.int64]) -> None:
        """Show these points as those of the marked span."""
        if not np.array_equal(rows, self.state.marked):
            self.state.marked = rows
            self.update()

    def set_tail(self, rows: NDArray[np.int64]) -> None:
        """Show the playing frame (the last of these points) and the frames before it."""
        if not np.array_equal(rows, self.state.tail):
            self.state.tail = rows
            self.update()

    def set_tool(self, tool: Tool) -> None:
        """Set the tool for dragging with the left button."""
        self.tool = tool
        self.setCursor(Qt.CursorShape.ArrowCursor if tool == "pan" else Qt.CursorShape.CrossCursor)

    def repaint_points(self) -> None:
        """Repaint the points with the next paint event."""
        self._image = None
        self.update()

    # Moving about

    def fit(self) -> None:
        """Show the whole map."""
        self._look(MapView.fit(self.state.bounds, self.width(), self.height()))

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom; the place under `at` stays."""
        self._look(self.view.zoomed(factor, (at.x(), at.y()) if at is not None else None))

    def pan_by(self, right_px: float, down_px: float) -> None:
        """Pan the map."""
        self._look(self.view.panned(right_px, down_px))

    def _refit(self) -> None:
        """Fit a view of the whole map into the widget; a zoomed one keeps its middle."""
        is_whole, bounds = abs(self.view.zoom - 1.0) < 1e-6, self.state.bounds
        fitting = MapView.fit(bounds, self.width(), self.height())
        self.view = fitting if is_whole else self.view.resized(bounds, self.width(), self.height())
        self.repaint_points()

    def _look(self, view: MapView) -> None:
        if view != self.view:
            self.view = view
            self.repaint_points()

    def go_to_row(self, row: int) -> None:
        """Move the keyboard marker to a point and scroll to it; -1 removes the marker."""
        self.state.current = row
        basic.value_changed(self)
        if row >= 0:
            x, y = self.state.points.coordinates[row].tolist()
            self._look(self.view.showing(x, y))
        self.update()
        self.current_changed.emit(row, self.place_of(row))

    def place_of(self, row: int) -> QPoint:
        """Where a point lies on the widget."""
        if row < 0:
            return QPoint()
        x, y = self.state.points.coordinates[row].tolist()
        return QPointF(*self.view.to_screen(x, y)).toPoint()

    # Painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint the cached points and the overlays."""
        painter = QtGui.QPainter(self)
        area = QRectF(self.rect())
        if not len(self.state.points):
            map_state.paint_sentence(painter, area, *self._empty_words())
        else:
            if self._image is None:
                self._image = self._paint_points()
            painter.drawImage(0, 0, self._image)
            map_state.paint_overlay(painter, self.state, self.view, self._pointer.outline)
        if self.hasFocus():
            map_state.paint_focus(painter, area)
        painter.end()

    def _paint_points(self) -> QtGui.QImage:
        ratio = self.devicePixelRatioF()
        width, height = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        if self._raster is None or (self._raster.width, self._raster.height) != (width, height):
            ground = QtGui.QColor(ON_PICTURE.background)
            self._raster = MapRaster(width, height, (ground.red(), ground.green(), ground.blue()), glyphs.make_stamp)
        self._raster.paint(self.state.drawing, self.view, ratio)
        pixels = self._raster.image
        image = QtGui.QImage(pixels.data, width, height, 4 * width, QtGui.QImage.Format.Format_RGB32).copy()
        image.setDevicePixelRatio(ratio)
        return image

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Keep the middle and the zoom."""
        self._refit()
        self.current_changed.emit(self.state.current, self.place_of(self.state.current))

    # The mouse

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Start a gesture."""
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Continue the gesture, or emit which point is under the pointer."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """End the gesture: a click goes to the point under it, a shape selects."""
        self._pointer.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._pointer.emit_hover(-1, QPoint())

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Zoom around the pointer."""
        self.zoom_by(ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    # Selecting

    def select(self, rows: NDArray[np.int64], how: How = "replace") -> None:
        """Request a selection of shown points: replacing, extending or reducing the current one."""
        result = rows[self.state.shown[rows]]
        if how == "add":
            result = np.union1d(self.state.selected, result)
        elif how == "remove":
            result = np.setdiff1d(self.state.selected, result)
        self.selection_requested.emit(result)

    def select_neighbourhood(self, how: How = "replace") -> None:
        """The points around the one that keys are on, else around the playing frame's."""
        row = self.state.current if self.state.current >= 0 else self.state.playing
        if row >= 0:
            self.select(nearest_points(self.state.points, row, NEIGHBOURHOOD, self.state.shown), how)

    def cancel_step(self) -> None:
        """Cancel the shape being drawn, else clear the keyboard point, else the selection."""
        if self._pointer.drop_gesture():
            self.update()
        elif self.state.current >= 0:
            self.go_to_row(-1)
        elif len(self.state.selected):
            self.selection_requested.emit(map_state.NO_ROWS)

    # Keys

    def event(self, event: QEvent) -> bool:
        """Take our keys before the window's shortcuts do, and Tab before it moves the focus."""
        if isinstance(event, QtGui.QKeyEvent) and len(self.state.points) and self._keys.takes_first(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows pan, + - zoom, Home shows all, Enter shows the frame, Space selects nearby points, Escape cancels."""
        if not len(self.state.points) or not self._keys.press(event):
            super().keyPressEvent(event)
