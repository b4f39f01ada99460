"""What the keys do on a map."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas

PAN_PX = 60.0
ZOOM_STEP = 1.25
HINT = "arrows pan   + − zoom   Home all   Tab next in time   Enter go there   Space select around   Ctrl+Tab leave"
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
            Qt.Key.Key_Escape: lambda _: canvas.let_go(),
        }

    def takes_first(self, event: QKeyEvent) -> bool:
        """Whether a key is ours and not a shortcut of the window; Tab is dealt with at once."""
        if event.type() == QEvent.Type.ShortcutOverride:
            return self._is_ours(event)
        if event.type() == QEvent.Type.KeyPress and event.key() in _TABS:
            self._press_tab(event)
            return True
        return False

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

    def _press_tab(self, event: QKeyEvent) -> None:
        is_back = event.key() == Qt.Key.Key_Backtab
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._canvas.leave_requested.emit(not is_back)
        else:
            self.step_in_time(-1 if is_back else 1)

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
