"""How long work reports what it does and how fast it goes, and learns that it should end."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by `Reporter.check` when the work should end at once, keeping nothing new."""


class Reporter(Protocol):
    """What a long piece of work talks to: the shell's progress bar, or the window behind a pipe."""

    @property
    def stop_requested(self) -> bool:
        """True once the work should finish its running step, keep what it has, and return."""

    def check(self) -> None:
        """Raise `Cancelled` once the work should end at once."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Say that `done` of `total` `unit` (a plural: "frames", "steps") of `what` ("scoring P11") are done."""

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Hand over a partial result (JSON values only), such as one point of a loss curve."""

    def log(self, line: str) -> None:
        """Add a line to the log that a person can open."""


class PassedOn:
    """Passes everything on to another reporter; who says more, or less, overrides a method."""

    def __init__(self, inner: Reporter) -> None:
        self._inner = inner

    @property
    def stop_requested(self) -> bool:
        """Whether the one who listens asked for a stop."""
        return self._inner.stop_requested

    def check(self) -> None:
        """Raise `Cancelled` if the one who listens asked for it."""
        self._inner.check()

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Pass on."""
        self._inner.progress(done, total, unit, what)

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Pass on."""
        self._inner.partial(name, payload)

    def log(self, line: str) -> None:
        """Pass on."""
        self._inner.log(line)


class EndsAtOnce(PassedOn):
    """For work that has nothing to keep yet: a stop ends it like a cancellation."""

    def check(self) -> None:
        """Raise `Cancelled` also for a stop."""
        super().check()
        if self.stop_requested:
            raise Cancelled


class SilentReporter:
    """Says nothing and never asks to stop: for tests and for callers who need no progress."""

    stop_requested = False

    def check(self) -> None:
        """Never cancels."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Ignore."""

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Ignore."""

    def log(self, line: str) -> None:
        """Ignore."""


Item = TypeVar("Item")


def reported(items: Sequence[Item], reporter: Reporter, unit: str, what: str, *, every: int = 256) -> Iterator[Item]:
    """Each of the items; the reporter hears of the first one and of each `every`-th, and may cancel there."""
    for done, item in enumerate(items):
        if done % every == 0:
            reporter.check()
            reporter.progress(done, len(items), unit, what)
        yield item


WINDOW_SECONDS = 10.0
FIRST_SECONDS = 0.3


class RateMeter:
    """Units a second over the last ten seconds, so that a resumed job does not count what it found already done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._what = ""
        self._points: deque[tuple[float, int]] = deque()

    def measure(self, what: str, done: int, total: int) -> tuple[float | None, float | None]:
        """Rate in units a second and seconds left; None while either cannot be known yet."""
        now_seconds = self._clock()
        if what != self._what or (self._points and done < self._points[-1][1]):
            self._what = what
            self._points.clear()
        self._points.append((now_seconds, done))
        while len(self._points) > 2 and now_seconds - self._points[1][0] >= WINDOW_SECONDS:
            self._points.popleft()
        first_seconds, first_done = self._points[0]
        elapsed_seconds = now_seconds - first_seconds
        if elapsed_seconds < FIRST_SECONDS or done == first_done:
            return None, None
        rate = (done - first_done) / elapsed_seconds
        return rate, (max(total - done, 0) / rate if total else None)
