"""Looks whether a folder on a share answers, so that the window never waits for one that does not.

Tests: `tests/wce_desktop/shell/test_slow_share.py`.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

ASKED_EVERY_SECONDS = 0.5
PATIENCE_SECONDS = 2.0
"""A share that has not answered for so long is waited for."""
LOOKED_EVERY_MILLISECONDS = 100


class ShareWatch(QObject):
    """Asks for a folder again and again, in a thread that nobody waits for: a share may take minutes to say no."""

    waiting = Signal()
    """A step waits for the share."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is asked before `watch`: every step is taken at once."""
        super().__init__(parent)
        self._answered = time.monotonic()
        self._ended = threading.Event()
        self._is_watching = False
        self._step: Callable[[], object] | None = None
        self._timer = QTimer(self, interval=LOOKED_EVERY_MILLISECONDS)
        self._timer.timeout.connect(self._look)

    def watch(self, folder: Path) -> None:
        """Begin to ask for a folder."""
        self._is_watching, self._answered = True, time.monotonic()
        threading.Thread(target=self._ask, args=(folder,), daemon=True).start()

    def _ask(self, folder: Path) -> None:
        while not self._ended.is_set():
            with suppress(OSError):  # that it is not there is an answer, too
                folder.stat()
            self._answered = time.monotonic()
            self._ended.wait(ASKED_EVERY_SECONDS)

    @property
    def answers(self) -> bool:
        """Whether the share has answered lately."""
        return not self._is_watching or time.monotonic() - self._answered < PATIENCE_SECONDS

    @property
    def is_waiting(self) -> bool:
        """Whether a step waits for the share."""
        return self._step is not None

    def take(self, step: Callable[[], object]) -> None:
        """Take a step now, or as soon as the share answers; a newer step takes its place meanwhile."""
        if self.answers:
            self.give_up()
            step()
            return
        self._step = step
        self._timer.start()
        self.waiting.emit()

    def give_up(self) -> None:
        """Do not take the step that waits."""
        self._step = None
        self._timer.stop()

    def _look(self) -> None:
        step = self._step
        if step is not None and self.answers:
            self.take(step)

    def close(self) -> None:
        """Ask no more."""
        self._ended.set()
        self.give_up()
