"""Writes the window as a picture once nothing is being opened, drawn or computed any more."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from wce_desktop.ui.main_window import MainWindow

CHECK_MILLISECONDS = 100
IDLE_CHECKS = 5
LIMIT_SECONDS = 900.0


class Screenshot(QObject):
    """Waits until the window has been idle for half a second, writes it as PNG, and tells the exit status."""

    finished = Signal(int)

    def __init__(self, window: "MainWindow", path: Path) -> None:
        super().__init__(window)
        self._window = window
        self._path = path
        self._idle_checks = 0
        self._started = time.monotonic()
        self._timer = QTimer(self, interval=CHECK_MILLISECONDS)
        self._timer.timeout.connect(self._check)
        self._timer.start()

    def _check(self) -> None:
        self._idle_checks = self._idle_checks + 1 if self._window.is_idle else 0
        is_too_late = time.monotonic() - self._started > LIMIT_SECONDS
        if self._idle_checks >= IDLE_CHECKS or is_too_late:
            self._timer.stop()
            self.finished.emit(0 if self._write() and not is_too_late else 1)

    def _write(self) -> bool:
        """Write the picture; a place that cannot be written is said on stderr, where no window stays to say it."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            is_written = self._window.grab().save(str(self._path), "PNG")
        except OSError:
            is_written = False
        if not is_written:
            sys.stderr.write(f"The picture {self._path} cannot be written.\n")
        return is_written
