"""How fast a piece of work goes, and how long it will still take."""

import time
from collections import deque
from collections.abc import Callable

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
