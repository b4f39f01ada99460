"""When a text that is being typed is saved: at each pause, and once a second while typing goes on."""

from PySide6.QtCore import QObject, QTimer, Signal

PAUSE_MILLISECONDS = 300
LONGEST_MILLISECONDS = 1000
"""A killed process loses at most what was typed in this time."""


class TypingPause(QObject):
    """Call `start` at each change of a text; `reached` is emitted when the text is to be saved."""

    reached = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._longest = QTimer(self, singleShot=True, interval=LONGEST_MILLISECONDS)
        self._pause.timeout.connect(self._longest.stop)
        for timer in (self._pause, self._longest):
            timer.timeout.connect(self.reached)

    def start(self) -> None:
        """The text has changed."""
        self._pause.start()
        if not self._longest.isActive():
            self._longest.start()

    def stop(self) -> None:
        """Nothing is to be saved any more."""
        self._pause.stop()
        self._longest.stop()

    def isActive(self) -> bool:
        """Whether the reader is typing."""
        return self._pause.isActive()
