"""The reporter of one request: reports progress, and learns that the request is no longer needed."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from training.runs.events import Progress
from training.runs.reporter import Cancelled, RateMeter, Reporter
from training.service.inbox import Asked

PROGRESS_SECONDS = 0.1


class RequestReporter:
    """The reporter of one request: its progress leaves as partial results that carry its number.

    Args:
        reporter: the child's own.
        asked: the request.
        between: called at each `check`, that is between two batches; answers what is short and was asked meanwhile.
    """

    def __init__(self, reporter: Reporter, asked: Asked, between: Callable[[Asked], None] = lambda _: None) -> None:
        self._reporter = reporter
        self._asked = asked
        self._between = between
        self._meter = RateMeter()
        self._sent_seconds = float("-inf")

    @property
    def stop_requested(self) -> bool:
        """True once the answer is no longer needed."""
        return self._asked.needless.is_set() or self._reporter.stop_requested

    def check(self) -> None:
        """Raise `Cancelled` once the answer is no longer needed; otherwise lets a short request come between."""
        if self.stop_requested:
            raise Cancelled
        self._between(self._asked)
        if self.stop_requested:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Report progress, at most ten times a second."""
        now_seconds = time.monotonic()
        if now_seconds - self._sent_seconds < PROGRESS_SECONDS and done < total:
            return
        self._sent_seconds = now_seconds
        rate, seconds_left = self._meter.measure(what, done, total)
        sent = Progress(int(done), int(total), unit, what, rate, seconds_left)
        self._reporter.partial("progress", {"number": self._asked.number, "progress": asdict(sent)})

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Partial results of the work itself are not reported; only the answer is."""

    def log(self, line: str) -> None:
        """Add a line to the log."""
        self._reporter.log(line)
