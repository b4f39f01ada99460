"""Which frames were on screen long enough to count as seen."""

from wce_desktop.core.span import Span

MIN_DWELL_SECONDS = 0.08
MAX_READABLE_FPS = 30


class Dwell:
    """Collects seen frames into spans.

    A frame counts as seen when it stayed on screen for `MIN_DWELL_SECONDS`, or when it was played, in its turn, at a
    rate that the reader chose and that is not above `MAX_READABLE_FPS` (at 30 frames/s a frame stays 33 ms, which a
    reader who asked for it can follow). Frames skipped over while scrubbing or playing fast do not count.
    """

    def __init__(self) -> None:
        self._on_screen: Span | None = None
        self._since_seconds = 0.0
        self._is_readable = False
        self._pending: Span | None = None

    def shown(self, frames: Span, now_seconds: float, playing_fps: int | None) -> Span | None:
        """`frames` came on screen, played at `playing_fps` or (None) by hand; replacing the frames before.

        Returns a completed span of seen frames, once newly seen frames do not continue it.
        """
        finished = self._count(now_seconds)
        self._on_screen, self._since_seconds = frames, now_seconds
        self._is_readable = playing_fps is not None and playing_fps <= MAX_READABLE_FPS
        return finished

    def play_from_here(self, playing_fps: int) -> None:
        """Playback starts: the frame on screen stays for one more period."""
        self._is_readable = playing_fps <= MAX_READABLE_FPS

    def flush(self, now_seconds: float) -> tuple[Span, ...]:
        """Return all that was seen and not yet returned, the frames on screen included if they stayed long enough."""
        finished = self._count(now_seconds)
        spans = tuple(span for span in (finished, self._pending) if span is not None)
        self._pending = None
        return spans

    def clear(self) -> None:
        """Forget everything: another study, or nothing is on screen."""
        self._on_screen = self._pending = None

    def _count(self, now_seconds: float) -> Span | None:
        """Put what is on screen with what was seen, once; returns the span that it does not continue."""
        on_screen = self._on_screen
        if on_screen is None or not (self._is_readable or now_seconds - self._since_seconds >= MIN_DWELL_SECONDS):
            return None
        self._on_screen = None
        before, self._pending = self._pending, on_screen
        if before is None or on_screen.start > before.stop or before.start > on_screen.stop:
            return before
        self._pending = Span(min(before.start, on_screen.start), max(before.stop, on_screen.stop))
        return None
