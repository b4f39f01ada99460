"""Writes the window as a picture once nothing is being opened, drawn or computed any more."""

import sys
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from training.files.kinds import SOFTWARE, WINDOW_PICTURE
from training.files.outputs import written_beside
from training.files.terminal import print_lines
from wce_desktop.shell.main_window import MainWindow

CHECK_MILLISECONDS = 100
IDLE_CHECKS = 5
LIMIT_SECONDS = 900.0


class Screenshot(QObject):
    """Waits until the window has been idle for half a second, writes it as PNG, and gives the exit status.

    The status is 1 where the window shows an error, such as a study that cannot be opened; it goes to stderr too.
    """

    finished = Signal(int)

    def __init__(self, window: MainWindow, path: Path) -> None:
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
            error = self._window.banner.error
            if error:
                print_lines(*error.split("\n"), file=sys.stderr)
            self.finished.emit(0 if self._write() and not is_too_late and not error else 1)

    def _write(self) -> bool:
        """Write the picture; a place that cannot be written is reported on stderr."""
        picture = self._window.grab().toImage()
        picture.setText(SOFTWARE, WINDOW_PICTURE)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with written_beside(self._path) as beside:
                if not picture.save(str(beside), "PNG"):  # type: ignore[call-overload]  # its stub knows no text
                    raise OSError("the disk is full or the folder does not exist")
        except OSError:
            print_lines(f"The picture {self._path} cannot be written.", file=sys.stderr)
            return False
        return True
