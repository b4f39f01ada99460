"""Locks an encrypted library that nobody uses, after the time chosen in the settings."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from wce_desktop.library.storage import key_file
from wce_desktop.session.session import Session

CHECK_MILLISECONDS = 5_000
USE = frozenset(
    {
        QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove,
        QEvent.Type.Wheel, QEvent.Type.TouchBegin, QEvent.Type.TabletPress, QEvent.Type.Drop,
    }
)  # fmt: skip
"""What a person does; a key that is a shortcut comes as the second one only."""


def seconds_since_start() -> float:
    """A clock that nobody sets; where the system has one that goes on while the computer sleeps, that one."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class IdleLock(QObject):
    """Looks every few seconds whether the library is to be locked.

    It waits for jobs and other work, for a dialog that asks something, for a patient record that was typed and not
    saved, and while a study is played. Locking closes the windows as usual, which saves what they hold.
    """

    def __init__(
        self, session: Session, is_at_work: Callable[[], bool], lock: Callable[[], object], parent: QObject
    ) -> None:
        """`is_at_work` says whether something runs that the lock waits for."""
        super().__init__(parent)
        self._session, self._is_at_work, self._lock = session, is_at_work, lock
        self.clock: Callable[[], float] = seconds_since_start
        self._used = self.clock()
        self._timer = QTimer(self, interval=CHECK_MILLISECONDS)
        self._timer.timeout.connect(self.check)
        self._has_passphrase = key_file.is_protected(session.library.folder)
        app = QApplication.instance()
        if self._has_passphrase and app is not None:
            app.installEventFilter(self)
            self._timer.start()

    def check(self) -> None:
        """Lock where it is time and nothing has to be waited for; after waiting the time does not begin again."""
        if self._is_due and not self._has_to_wait:
            self._lock()

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
        if (app := QApplication.instance()) is not None:
            app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note that somebody uses the program; the first move after a sleep of the computer comes too late."""
        if event.type() in USE:
            if self._is_due and not self._has_to_wait:
                QTimer.singleShot(0, self, self.check)
            else:
                self._used = self.clock()
        return super().eventFilter(watched, event)

    @property
    def _is_due(self) -> bool:
        minutes = int(self._session.settings["lock_minutes"])
        return self._has_passphrase and minutes > 0 and self.clock() - self._used >= 60 * minutes

    @property
    def _has_to_wait(self) -> bool:
        has_dialog = QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None
        return has_dialog or self._is_at_work()
