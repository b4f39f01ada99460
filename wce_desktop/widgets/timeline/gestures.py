"""Mouse gestures."""

from collections.abc import Callable

from PySide6.QtCore import QPointF

STILL_PX = 3.0
"""A press that moves less than this is a click."""


class Gesture:
    """What a drag does, from the press to the release."""

    def __init__(
        self,
        at: QPointF,
        move: Callable[[QPointF, float], None],
        drop: Callable[[QPointF], None] = lambda _: None,
        click: Callable[[], None] | None = None,
    ) -> None:
        """The button was pressed `at` a place.

        Args:
            at: where.
            move: gets where the pointer is, and how many pixels it has gone to the right since the last call.
            drop: gets the last place at the release.
            click: done at the release instead where the pointer stayed still; without it nothing is a click.
        """
        self._from = self._last = at
        self._move, self._drop, self._click = move, drop, click
        self._is_drag = click is None

    def moved(self, to: QPointF) -> None:
        """The pointer is here now."""
        self._is_drag = self._is_drag or abs(to.x() - self._from.x()) >= STILL_PX
        if self._is_drag:
            before, self._last = self._last, to
            self._move(to, to.x() - before.x())

    def finished(self) -> None:
        """The button was released."""
        if self._is_drag or self._click is None:
            self._drop(self._last)
        else:
            self._click()


class VerticalOrHorizontal(Gesture):
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
        (self._chosen or self._sideways()).finished()
