"""Indexing many dropped files one after the other, without holding up the window."""

from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from training.video import FrameIndex, build_index
from wce_desktop.threads.function_thread import FunctionThread


class IndexQueue(QObject):
    """Takes paths, gives each one's index; a file that cannot be read is told and the next one begins."""

    indexed = Signal(object, object)
    """Path, FrameIndex."""
    failed = Signal(object)
    """UserError."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[Path] = deque()
        self._running: Path | None = None
        self._thread = FunctionThread(self)
        self._thread.returned.connect(self._take)
        self._thread.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """True while a file is being indexed."""
        return self._running is not None

    def add(self, path: Path) -> None:
        """Index this file when its turn comes."""
        self._waiting.append(path)
        if self._running is None:
            self._next()

    def close(self) -> None:
        """Forget what waits and end what runs."""
        self._waiting.clear()
        self._thread.close()

    def _next(self) -> None:
        self._running = self._waiting.popleft() if self._waiting else None
        if self._running is not None:
            path = self._running
            self._thread.request(lambda reporter: build_index(path, reporter))

    def _take(self, index: FrameIndex) -> None:
        path = self._running
        self._next()
        self.indexed.emit(path, index)

    def _fail(self, outcome: object) -> None:
        message = getattr(outcome, "message", "A file could not be read.")
        self._next()
        self.failed.emit(UserError(str(message), str(getattr(outcome, "hint", ""))))
