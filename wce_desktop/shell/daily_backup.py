"""A backup each day for a window that stays open for days; every opening makes one anyway."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file
from wce_desktop.threads.function_thread import FunctionThread

CHECK_MILLISECONDS = 3_600_000
DUE_AFTER = timedelta(days=1)


class DailyBackup(QObject):
    """Checks every hour whether a backup is due, and makes it in a thread."""

    checked = Signal()
    failed = Signal(object, object)  # a sentence, and what to do

    def __init__(self, library: Library, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._thread = FunctionThread(self)
        self._thread.failed.connect(lambda outcome: self.failed.emit(outcome.message, outcome.hint))
        self._thread.returned.connect(lambda _: self.checked.emit())
        self._timer = QTimer(self, interval=CHECK_MILLISECONDS)
        self._timer.timeout.connect(self.check)
        self._timer.start()

    def check(self) -> None:
        """Make a backup where one is due; a library that is open for reading only needs none."""
        folder = self._library.folder
        has_none = self._library.read_only or self._library.is_on_server
        if not (has_none or self._thread.is_busy) and is_due(folder, datetime.now(UTC)):
            self._thread.request(lambda _: self._library.back_up())
        else:
            self.checked.emit()

    def close(self) -> None:
        """Stop checking, and wait for a running backup."""
        self._timer.stop()
        self._thread.close()


def is_due(folder: Path, now: datetime) -> bool:
    """Whether the newest backup is a day old, or seems to come from the future."""
    result = backup_file.find_backups(folder)
    return not result or not timedelta(0) <= now - result[-1].made < DUE_AFTER
