"""Buffer between the thread that reads a child's output and the window."""

import threading
from collections import deque
from dataclasses import dataclass, field

from training.runs.events import Busy, Event, LogLine, Partial, Progress

LOG_LINES = 2000


@dataclass
class Mail:
    """Events received since the last call."""

    progress: Progress | None = None  # only the newest
    partials: list[Partial] = field(default_factory=list)  # all, in order
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LOG_LINES))  # the last ones, in order
    busy: Busy | None = None  # only the newest


class Mailbox:
    """Collects events until they are taken; of many log lines the last 2,000 are kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mail: Mail | None = None

    def post(self, event: Event) -> bool:
        """Put an event in, from any thread; True when the window has to be woken because the box was empty."""
        with self._lock:
            was_empty = self._mail is None
            mail = self._mail = self._mail or Mail()
            if isinstance(event, Progress):
                mail.progress = event
            elif isinstance(event, Partial):
                mail.partials.append(event)
            elif isinstance(event, LogLine):
                mail.lines.append(event.line)
            elif isinstance(event, Busy):
                mail.busy = event
            return was_empty

    def take(self) -> Mail:
        """All that came in since the last call; the box is empty then."""
        with self._lock:
            mail, self._mail = self._mail, None
            return mail or Mail()
