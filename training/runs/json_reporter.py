"""The reporter of a child process: every call becomes a line on a private descriptor."""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from training.runs.events import Busy, Event, LogLine, Outcome, Partial, Progress, encode
from training.runs.reporter import Cancelled, RateMeter, Reporter

PROGRESS_SECONDS = 0.1


class JsonReporter:
    """Writes events to `descriptor`, progress at most ten times a second; may be called from several threads.

    When nobody reads the other end any more the window is gone: the work is asked to stop and continues silently.
    """

    def __init__(self, descriptor: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._descriptor = descriptor
        self._clock = clock
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._cancel = threading.Event()
        self._is_deaf = False
        self._meter = RateMeter(clock)
        self._sent_seconds = float("-inf")
        self._sent_what = ""
        self._held_back: Progress | None = None
        self.asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        """What the window asks of a child that answers questions, line by line; None once it is to end."""

    @property
    def stop_requested(self) -> bool:
        """True once the window asked to stop or to cancel, or is gone."""
        return self._stop.is_set()

    @property
    def cancel_requested(self) -> bool:
        """True once the window asked to cancel."""
        return self._cancel.is_set()

    def request_stop(self) -> None:
        """Ask the work to finish its running step, keep what it has, and return."""
        self._stop.set()
        self.asked.put(None)

    def request_cancel(self) -> None:
        """Ask the work to end at once."""
        self._cancel.set()
        self.request_stop()

    def check(self) -> None:
        """Raise `Cancelled` once the window asked to cancel."""
        if self._cancel.is_set():
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Report progress with rate and time left, not too often; the last call is always sent."""
        with self._lock:
            now_seconds = self._clock()
            is_due = now_seconds - self._sent_seconds >= PROGRESS_SECONDS or what != self._sent_what or done >= total
            if not is_due:
                self._held_back = Progress(int(done), int(total), unit, what)
                return
            rate, seconds_left = self._meter.measure(what, int(done), int(total))
            self._sent_seconds, self._sent_what, self._held_back = now_seconds, what, None
            self._write(Progress(int(done), int(total), unit, what, rate, seconds_left))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Hand over a partial result."""
        self._send(Partial(name, payload))

    def log(self, line: str) -> None:
        """Add lines to the log."""
        for part in line.splitlines() if "\n" in line else (line,):
            self._send(LogLine(part))

    def busy(self, is_busy: bool, what: str) -> None:
        """Say that a stretch that must not be killed begins or ends."""
        self._send(Busy(is_busy, what))

    def outcome(self, outcome: Outcome) -> None:
        """Say how the job ended; the caller sees to it that this comes once and last."""
        line = encode(outcome)
        with self._lock:
            if self._held_back is not None:
                self._write(self._held_back)
            self._write_line(line)

    def _send(self, event: Event) -> None:
        line = encode(event)
        with self._lock:
            self._write_line(line)

    def _write(self, event: Event) -> None:
        self._write_line(encode(event))

    def _write_line(self, line: str) -> None:
        if self._is_deaf:
            return
        rest = memoryview((line + "\n").encode())
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:  # the reading end was closed: nobody receives it
            self._is_deaf = True
            self.request_stop()


@contextmanager
def uninterrupted(reporter: Reporter, what: str = "writing a checkpoint") -> Iterator[None]:
    """Keep the window from killing this process while the body runs.

    The window hears of the begin and the end (`Busy` events) and lets its grace wait for the end. No such stretch
    begins after a cancel was asked for: a begin that the window has not yet read is therefore older than the cancel,
    and is read long before the grace is over.

    Raises:
        Cancelled: cancel was asked for before the body began.
    """
    reporter.check()
    if not isinstance(reporter, JsonReporter):
        yield
        return
    reporter.busy(True, what)
    try:
        yield
    finally:
        reporter.busy(False, what)
