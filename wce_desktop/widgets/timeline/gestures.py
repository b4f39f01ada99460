"""Mouse gestures, one class each."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QPointF

STILL_PX = 3.0
"""A press that moves less than this is a click."""


class Gesture(Protocol):
    """The effect of a drag."""

    def moved(self, to: QPointF) -> None:
        """The pointer is here now."""

    def finished(self) -> None:
        """The button was released."""


class Scrub:
    """Asks for the frame under the pointer, each one once in a row."""

    def __init__(self, at: QPointF, frame_at: Callable[[float], int], request: Callable[[int], None]) -> None:
        self._frame_at, self._request = frame_at, request
        self._last = -1
        self.moved(at)

    def moved(self, to: QPointF) -> None:
        """Ask for this frame, if it is another one."""
        frame = self._frame_at(to.x())
        if frame != self._last:
            self._last = frame
            self._request(frame)

    def finished(self) -> None:
        """Nothing is left to do."""


class HorizontalDrag:
    """Drags by the horizontal movement in pixels."""

    def __init__(self, at: QPointF, drag: Callable[[float], None]) -> None:
        self._x, self._drag = at.x(), drag

    def moved(self, to: QPointF) -> None:
        """Drag by the distance moved since the last call."""
        step, self._x = to.x() - self._x, to.x()
        if step:
            self._drag(step)

    def finished(self) -> None:
        """Nothing is left to do."""


class VerticalDrag:
    """Moves something up and down with the pointer, and commits on release."""

    def __init__(self, move: Callable[[float], None], commit: Callable[[], None]) -> None:
        self._move, self._commit = move, commit

    def moved(self, to: QPointF) -> None:
        """Move it to this height."""
        self._move(to.y())

    def finished(self) -> None:
        """It stays here."""
        self._commit()


class VerticalOrHorizontal:
    """Chooses a gesture by the first movement: vertical, or horizontal (also for a click)."""

    def __init__(self, at: QPointF, upright: Callable[[], Gesture], sideways: Callable[[], Gesture]) -> None:
        self._from, self._upright, self._sideways = at, upright, sideways
        self._chosen: Gesture | None = None

    def moved(self, to: QPointF) -> None:
        """Choose once the pointer has moved far enough, then follow it."""
        away = to - self._from
        if self._chosen is None and max(abs(away.x()), abs(away.y())) >= STILL_PX:
            self._chosen = self._upright() if abs(away.y()) > abs(away.x()) else self._sideways()
        if self._chosen is not None:
            self._chosen.moved(to)

    def finished(self) -> None:
        """Without a movement it was a click."""
        if self._chosen is None:
            self._chosen = self._sideways()
        self._chosen.finished()


class ClickOrDrag:
    """A drag, or, where the pointer stays still, a click."""

    def __init__(self, x: float, drag: HorizontalDrag, click: Callable[[], None]) -> None:
        self._x, self._drag, self._click = x, drag, click
        self._is_still = True

    def moved(self, to: QPointF) -> None:
        """Drag once the pointer has moved far enough."""
        self._is_still = self._is_still and abs(to.x() - self._x) < STILL_PX
        if not self._is_still:
            self._drag.moved(to)

    def finished(self) -> None:
        """Without a movement it was a click."""
        if self._is_still:
            self._click()


class FrameDrag:
    """Something that lies on a frame is taken along; where the pointer stays still it was a click."""

    def __init__(
        self,
        start: QPointF,
        frame_at: Callable[[float], int],
        move: Callable[[int], None],
        drop: Callable[[int], None],
        click: Callable[[], None],
    ) -> None:
        self._x, self._frame_at, self._move, self._drop, self._click = start.x(), frame_at, move, drop, click
        self._frame: int | None = None

    def moved(self, to: QPointF) -> None:
        """Follow the pointer once it has moved far enough."""
        if self._frame is not None or abs(to.x() - self._x) >= STILL_PX:
            self._frame = self._frame_at(to.x())
            self._move(self._frame)

    def finished(self) -> None:
        """Let it lie where it is now."""
        if self._frame is None:
            self._click()
        else:
            self._drop(self._frame)
