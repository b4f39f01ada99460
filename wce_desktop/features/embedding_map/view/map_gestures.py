"""What a pressed mouse button does on a map until it is let go: pulling it along, drawing a lasso, drawing a box."""

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt

from wce_desktop.features.embedding_map.model.lasso import inside_box, inside_polygon
from wce_desktop.features.embedding_map.model.map_points import MapPoints

Tool: TypeAlias = Literal["pan", "lasso", "box"]
Place: TypeAlias = tuple[float, float]
How: TypeAlias = Literal["replace", "add", "remove"]
STILL_PX = 4.0
"""A press that moves less than this is a click."""
STEP_PX = 2.0
"""The corners of a lasso are at least so far apart."""


def how_of(modifiers: Qt.KeyboardModifier) -> How:
    """Shift adds to the selection, Ctrl takes away from it."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return "add"
    return "remove" if modifiers & Qt.KeyboardModifier.ControlModifier else "replace"


class MapGesture(Protocol):
    """Something that a drag does."""

    def moved(self, to: QPointF) -> None:
        """The pointer is here now."""

    def outline(self) -> list[Place]:
        """The closed shape that was drawn so far, on the map."""

    def rows(self, points: MapPoints) -> NDArray[np.int64] | None:
        """The points that the finished shape holds; None: it selects nothing."""


class Pull:
    """Pulls the map along."""

    def __init__(self, at: QPointF, pull: Callable[[float, float], None]) -> None:
        self._last, self._pull = at, pull

    def moved(self, to: QPointF) -> None:
        """Pull by as much as the pointer moved."""
        self._pull(to.x() - self._last.x(), to.y() - self._last.y())
        self._last = to

    def outline(self) -> list[Place]:
        """No shape."""
        return []

    def rows(self, points: MapPoints) -> NDArray[np.int64] | None:
        """Selects nothing."""
        return None


class DrawLasso:
    """Collects the way of the pointer in places of the map, which zooming meanwhile does not change."""

    def __init__(self, at: QPointF, to_map: Callable[[float, float], Place]) -> None:
        self._to_map, self._last = to_map, at
        self._corners = [to_map(at.x(), at.y())]

    def moved(self, to: QPointF) -> None:
        """Add a corner."""
        if abs(to.x() - self._last.x()) + abs(to.y() - self._last.y()) >= STEP_PX:
            self._corners.append(self._to_map(to.x(), to.y()))
            self._last = to

    def outline(self) -> list[Place]:
        """The corners so far."""
        return self._corners

    def rows(self, points: MapPoints) -> NDArray[np.int64] | None:
        """The points inside."""
        return inside_polygon(points, np.array(self._corners, dtype=np.float64))


class DrawBox:
    """An upright rectangle between where the button was pressed and where the pointer is."""

    def __init__(self, at: QPointF, to_map: Callable[[float, float], Place]) -> None:
        self._to_map = to_map
        self._from = self._to = to_map(at.x(), at.y())

    def moved(self, to: QPointF) -> None:
        """Move the corner."""
        self._to = self._to_map(to.x(), to.y())

    def outline(self) -> list[Place]:
        """The four corners."""
        (left, bottom), (right, top) = self._from, self._to
        return [(left, bottom), (right, bottom), (right, top), (left, top)]

    def rows(self, points: MapPoints) -> NDArray[np.int64] | None:
        """The points inside."""
        return inside_box(points, self._from, self._to)
