"""Buffer between the thread that reads a child's output and the window."""

import threading
from collections import deque
from dataclasses import dataclass

from training.runs.events import Busy, Event, LogLine, Partial, Progress

LOG_LINES = 2000


@dataclass(frozen=True)
class Mail:
    """Events received since the last call."""

    progress: Progress | None = None  # only the newest
    partials: tuple[Partial, ...] = ()  # all, in order
    lines: tuple[str, ...] = ()  # the last `LOG_LINES`, in order
    busy: Busy | None = None  # only the newest


class Mailbox:
    """Collects events until they are taken; of many log lines the last 2,000 are kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_waiting = False
        self._progress: Progress | None = None
        self._partials: list[Partial] = []
        self._lines: deque[str] = deque(maxlen=LOG_LINES)
        self._busy: Busy | None = None

    def post(self, event: Event) -> bool:
        """Put an event in, from any thread; True when the window has to be woken because the box was empty."""
        with self._lock:
            if isinstance(event, Progress):
                self._progress = event
            elif isinstance(event, Partial):
                self._partials.append(event)
            elif isinstance(event, LogLine):
                self._lines.append(event.line)
            elif isinstance(event, Busy):
                self._busy = event
            was_waiting, self._is_waiting = self._is_waiting, True
            return not was_waiting

    def take(self) -> Mail:
        """All that came in since the last call; the box is empty then."""
        with self._lock:
            mail = Mail(self._progress, tuple(self._partials), tuple(self._lines), self._busy)
            self._progress, self._busy = None, None
            self._partials.clear()
            self._lines.clear()
            self._is_waiting = False
            return mail
