"""Mouse and keyboard input on a map: hover, click, pan, lasso, box, keys."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from wce_desktop.core.language import to_translate
from wce_desktop.features.embedding_map.map_points import MapPoints, inside_box, inside_polygon, nearest_point

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.map_canvas import MapCanvas


Tool: TypeAlias = Literal["pan", "lasso", "box"]
Place: TypeAlias = tuple[float, float]
How: TypeAlias = Literal["replace", "add", "remove"]
STILL_PX = 4.0
"""A press that moves less than this is a click."""
STEP_PX = 2.0
"""The corners of a lasso are at least so far apart."""


class Drag:
    """What a pressed button does: pan the map, or draw a closed shape, whose corners are places of the map."""

    def __init__(self, tool: Tool, at: QPointF, canvas: "MapCanvas") -> None:
        self.tool, self._last, self._pan = tool, at, canvas.pan_by
        self._to_map = canvas.view.to_map
        self._corners = [self._to_map(at.x(), at.y())]

    def move(self, to: QPointF) -> None:
        """Pan by the distance moved, add a corner to the lasso, or move the second corner of the box."""
        step = to - self._last
        if self.tool == "pan":
            self._pan(step.x(), step.y())
            self._last = to
        elif self.tool == "box":
            self._corners[1:] = [self._to_map(to.x(), to.y())]
        elif step.manhattanLength() >= STEP_PX:
            self._corners.append(self._to_map(to.x(), to.y()))
            self._last = to

    @property
    def outline(self) -> list[Place]:
        """The shape that was drawn so far."""
        if self.tool == "lasso":
            return self._corners
        if self.tool == "pan" or len(self._corners) < 2:
            return []
        (left, bottom), (right, top) = self._corners
        return [(left, bottom), (right, bottom), (right, top), (left, top)]

    def rows(self, points: MapPoints) -> NDArray[np.int64] | None:
        """The points inside the finished shape; None: it selects nothing."""
        if self.tool == "pan":
            return None
        if self.tool == "lasso":
            return inside_polygon(points, np.array(self._corners, dtype=np.float64))
        return inside_box(points, self._corners[0], self._corners[-1])


REACH_PX = 9.0
"""How near the pointer must be to a point."""


class MapPointer:
    """Tracks the current gesture and passes its result to the canvas."""

    def __init__(self, canvas: "MapCanvas") -> None:
        self._canvas = canvas
        self._gesture: Drag | None = None
        self._how: How = "replace"
        self._pressed, self._is_click = QPointF(), True
        self._hovered = -1

    @property
    def outline(self) -> list[Place]:
        """The shape that is being drawn, in places of the map."""
        return self._gesture.outline if self._gesture is not None else []

    def drop_gesture(self) -> bool:
        """Cancel the current gesture; returns whether there was one."""
        was_drawing, self._gesture = self._gesture is not None, None
        return was_drawing

    def press(self, event: QMouseEvent) -> None:
        """Start a gesture; any but the left button pans. Shift adds to the selection, Ctrl removes from it."""
        canvas, at = self._canvas, event.position()
        if not len(canvas.state.points):
            return
        shift, control = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
        self._how = "add" if event.modifiers() & shift else "remove" if event.modifiers() & control else "replace"
        self._pressed, self._is_click = at, True
        tool = canvas.tool if event.button() == Qt.MouseButton.LeftButton else "pan"
        self._gesture = Drag(tool, at, canvas)

    def move(self, event: QMouseEvent) -> None:
        """Continue the gesture, or emit which point is under the pointer."""
        at = event.position()
        if self._gesture is None:
            self.emit_hover(self.row_at(at), at.toPoint())
            return
        self._is_click &= (at - self._pressed).manhattanLength() < STILL_PX  # a lasso ends where it began
        if not (self._is_click and self._gesture.tool == "pan"):
            self._gesture.move(at)
            self.emit_hover(-1, at.toPoint())
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

    def emit_hover(self, row: int, at: QPoint) -> None:
        """Emit which point is under the pointer, or none."""
        if row != self._hovered:
            self._hovered = row
            self._canvas.hovered.emit(row, at)


PAN_PX = 60.0
ZOOM_STEP = 1.25
HINT = to_translate(
    "arrows pan   + − zoom   Home all   Tab next in time   Enter show frame   Space select nearby   Ctrl+Tab leave"
)
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
_TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class MapKeys:
    """Tab goes through the frames in order of time; Ctrl+Tab leaves the map for the next control."""

    def __init__(self, canvas: "MapCanvas") -> None:
        self._canvas = canvas
        self._steps: dict[int, Callable[[bool], None]] = {
            Qt.Key.Key_Left: lambda _: canvas.pan_by(PAN_PX, 0),
            Qt.Key.Key_Right: lambda _: canvas.pan_by(-PAN_PX, 0),
            Qt.Key.Key_Up: lambda _: canvas.pan_by(0, PAN_PX),
            Qt.Key.Key_Down: lambda _: canvas.pan_by(0, -PAN_PX),
            Qt.Key.Key_Plus: lambda _: canvas.zoom_by(ZOOM_STEP),
            Qt.Key.Key_Equal: lambda _: canvas.zoom_by(ZOOM_STEP),
            Qt.Key.Key_Minus: lambda _: canvas.zoom_by(1 / ZOOM_STEP),
            Qt.Key.Key_Home: lambda _: canvas.fit(),
            Qt.Key.Key_Return: lambda _: self._go(),
            Qt.Key.Key_Enter: lambda _: self._go(),
            Qt.Key.Key_Space: lambda is_more: canvas.select_neighbourhood("add" if is_more else "replace"),
            Qt.Key.Key_Escape: lambda _: canvas.cancel_step(),
        }

    def takes_first(self, event: QKeyEvent) -> bool:
        """Whether a key is ours and not a shortcut of the window; Tab is dealt with at once."""
        if event.type() == QEvent.Type.ShortcutOverride:
            return self._is_ours(event)
        if event.type() != QEvent.Type.KeyPress or event.key() not in _TABS:
            return False
        is_back = event.key() == Qt.Key.Key_Backtab
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._canvas.leave_requested.emit(not is_back)
        else:
            self.step_in_time(-1 if is_back else 1)
        return True

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means; False where it means nothing here."""
        if not self._is_ours(event):
            return False
        if event.key() == Qt.Key.Key_A:
            self._canvas.select(np.flatnonzero(self._canvas.state.shown))
        else:
            self._steps[event.key()](bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        return True

    def _is_ours(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_all = event.key() == Qt.Key.Key_A and modifiers == Qt.KeyboardModifier.ControlModifier
        return is_all or (modifiers in _PLAIN and event.key() in self._steps)

    def _go(self) -> None:
        if self._canvas.state.current >= 0:
            self._canvas.go_requested.emit(self._canvas.state.current)

    def step_in_time(self, step: int) -> None:
        """To the next shown point in order of studies and frames; at first to the playing frame's."""
        state = self._canvas.state
        rows = state.points.by_time
        rows = rows[state.shown[rows]]
        if not len(rows):
            return
        places = np.flatnonzero(rows == state.current)
        if len(places):
            row = int(rows[(int(places[0]) + step) % len(rows)])
        else:
            row = state.playing if state.playing >= 0 else int(rows[0])
        self._canvas.go_to_row(row)
