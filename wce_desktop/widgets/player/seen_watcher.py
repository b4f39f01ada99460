"""Measures how long frames stay on screen and emits which were seen."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from wce_desktop.core import dwell, span

EMITTED_EVERY_MS = 1000
_DWELL_MS = math.ceil(dwell.MIN_DWELL_SECONDS * 1000) + 2  # a timer may be early by one


class SeenWatcher(QObject):
    """A clock around `Dwell`: emits about once a second while playing, else when a frame stayed long enough."""

    looked = Signal(object)
    """`Looked`: frames that were on screen long enough, or were played too fast to be seen, and at which speed."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self._clock = clock
        self._dwell = dwell.Dwell()
        self.play_from_here = self._dwell.play_from_here
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.flush)

    def set_limit(self, seen_up_to_fps: int) -> None:
        """Set up to which rate frames count as seen."""
        self._dwell.seen_up_to_fps = seen_up_to_fps

    def shown(self, frames: span.Span, rate_fps: int, *, is_playing: bool, is_in_turn: bool) -> None:
        """`frames` came on screen; `is_in_turn` if they were due in playing, not asked for by hand."""
        self._emit(self._dwell.shown(frames, self._clock(), rate_fps if is_in_turn else None))
        if not is_playing:
            self._timer.start(_DWELL_MS)
        elif not self._timer.isActive():
            self._timer.start(EMITTED_EVERY_MS)

    def paused(self) -> None:
        """Playback has ended; emit soon."""
        self._dwell.pause_here(self._clock())
        self._timer.start(_DWELL_MS)

    def flush(self) -> None:
        """Emit all frames seen until now."""
        for looked in self._dwell.flush(self._clock()):
            self._emit(looked)

    def off_screen(self) -> None:
        """Nothing is on screen: emit the seen frames and forget the rest."""
        self.flush()
        self._dwell.clear()
        self._timer.stop()

    def _emit(self, looked: dwell.Looked | None) -> None:
        if looked is not None:
            self.looked.emit(looked)
