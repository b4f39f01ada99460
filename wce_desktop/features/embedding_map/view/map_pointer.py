"""What the mouse does on a map: hovering, clicking, pulling, drawing."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from wce_desktop.features.embedding_map.model.lasso import nearest_point
from wce_desktop.features.embedding_map.view.map_gestures import (
    STILL_PX,
    DrawBox,
    DrawLasso,
    How,
    MapGesture,
    Place,
    Pull,
    how_of,
)

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas

REACH_PX = 9.0
"""How near the pointer must be to a point."""


class MapPointer:
    """Knows the gesture that is under way; tells the canvas what came of it."""

    def __init__(self, canvas: "MapCanvas") -> None:
        self._canvas = canvas
        self._gesture: MapGesture | None = None
        self._how: How = "replace"
        self._pressed, self._is_click = QPointF(), True
        self._hovered = -1

    @property
    def outline(self) -> list[Place]:
        """The shape that is being drawn, in places of the map."""
        return self._gesture.outline() if self._gesture is not None else []

    def drop_gesture(self) -> bool:
        """Forget what was begun; whether there was something."""
        was_drawing, self._gesture = self._gesture is not None, None
        return was_drawing

    def press(self, event: QMouseEvent) -> None:
        """Begin a gesture; any but the left button pulls the map along."""
        canvas, at = self._canvas, event.position()
        if not len(canvas.state.points):
            return
        self._pressed, self._is_click, self._how = at, True, how_of(event.modifiers())
        tool = canvas.tool if event.button() == Qt.MouseButton.LeftButton else "pan"
        if tool == "pan":
            self._gesture = Pull(at, canvas.pan_by)
        else:
            self._gesture = (DrawLasso if tool == "lasso" else DrawBox)(at, canvas.view.to_map)

    def move(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or say which point is under the pointer."""
        at = event.position()
        if self._gesture is None:
            self.tell_hover(self.row_at(at), at.toPoint())
            return
        self._is_click &= (at - self._pressed).manhattanLength() < STILL_PX  # a lasso ends where it began
        if not (self._is_click and isinstance(self._gesture, Pull)):
            self._gesture.moved(at)
            self.tell_hover(-1, at.toPoint())
            self._canvas.update()

    def release(self, event: QMouseEvent) -> None:
        """End the gesture: a click goes to the point under it, a shape selects."""
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return
        canvas, at = self._canvas, event.position()
        if self._is_click:
            row = self.row_at(at)
            if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
                canvas.go_to_row(row)
                canvas.go_requested.emit(row)
        elif (rows := gesture.rows(canvas.state.points)) is not None:
            canvas.select(rows, self._how)
        canvas.update()

    def row_at(self, at: QPointF) -> int:
        """The shown point under the pointer, or -1."""
        canvas = self._canvas
        place = canvas.view.to_map(at.x(), at.y())
        return nearest_point(canvas.state.points, place, REACH_PX / canvas.view.scale, canvas.state.shown)

    def tell_hover(self, row: int, at: QPoint) -> None:
        """Say that another point is under the pointer, or none any more."""
        if row != self._hovered:
            self._hovered = row
            self._canvas.hovered.emit(row, at)
