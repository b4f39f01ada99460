"""Which frames were on screen long enough to count as seen, and at which speeds they were played."""

from dataclasses import dataclass

from wce_desktop.core.span import Span

MIN_DWELL_SECONDS = 0.08
SEEN_UP_TO_FPS = 15
"""Readers find fewer lesions above 10 to 15 frames/s: Nakamura et al., Dig Dis Sci 60:1743 (2015); the ESGE's technical
review, Rondonotti et al., Endoscopy 50:423 (2018), recommends at most 10 in single view."""
MANY_VIEWS = 2
"""Two or four frames at once may be played at so many times the frames a second: in both publications 20 frames/s with
several views find as much as 10 with one (the factor is ours)."""


def counts_as_seen(rate_fps: int, views: int, seen_up_to_fps: int = SEEN_UP_TO_FPS) -> bool:
    """Whether frames played at a rate count as seen.

    Args:
        rate_fps: positions a second.
        views: frames shown at each position, 1, 2 or 4.
        seen_up_to_fps: the limit for one view.
    """
    return rate_fps * views <= seen_up_to_fps * min(views, MANY_VIEWS)


@dataclass(frozen=True, slots=True)
class Looked:
    """Successive frames that were on screen.

    Args:
        is_seen: False for frames that were played, in their turn, too fast to count as seen.
        fps: frames a second while playing; 0 for frames that were stepped to or paused on.
    """

    frames: Span
    is_seen: bool
    fps: int


class Dwell:
    """Collects the frames on screen into spans.

    A frame counts as seen when it stayed on screen for `MIN_DWELL_SECONDS` by hand, or when it was played, in its turn,
    at a rate that `counts_as_seen`. One played faster does not, unless it stayed for two of the rate's periods, because
    decoding was slow or the study ended. Frames skipped over while scrubbing are neither.
    """

    def __init__(self) -> None:
        self.seen_up_to_fps = SEEN_UP_TO_FPS
        self._on_screen: Span | None = None
        self._since_seconds = 0.0
        self._rate_fps: int | None = None
        self._pending: Looked | None = None

    def shown(self, frames: Span, now_seconds: float, playing_fps: int | None) -> Looked | None:
        """`frames` came on screen, played at `playing_fps` positions a second or (None) by hand.

        Returns what is complete, once what is on screen does not continue it.
        """
        finished = self._count(now_seconds)
        self._on_screen, self._since_seconds, self._rate_fps = frames, now_seconds, playing_fps
        return finished

    def play_from_here(self, playing_fps: int) -> None:
        """Playback starts: the frames on screen stay for one more period."""
        if self._on_screen is not None and self._is_readable(playing_fps):
            self._rate_fps = playing_fps

    def pause_here(self, now_seconds: float) -> None:
        """Playback has ended: what is on screen stays by hand, from now on if it was played too fast."""
        if self._rate_fps is not None and not self._is_readable(self._rate_fps):
            self._rate_fps, self._since_seconds = None, now_seconds

    def flush(self, now_seconds: float) -> tuple[Looked, ...]:
        """Return all that was looked at and not yet returned, what is on screen included if it stayed long enough."""
        finished = self._count(now_seconds, is_leaving=False)
        result = tuple(one for one in (finished, self._pending) if one is not None)
        self._pending = None
        return result

    def clear(self) -> None:
        """Forget everything: another study, or nothing is on screen."""
        self._on_screen = self._pending = None

    def _is_readable(self, rate_fps: int) -> bool:
        return self._on_screen is not None and counts_as_seen(rate_fps, len(self._on_screen), self.seen_up_to_fps)

    def _count(self, now_seconds: float, *, is_leaving: bool = True) -> Looked | None:
        """Put what is on screen with what was there before, once; returns what it does not continue."""
        looked = self._looked(now_seconds - self._since_seconds)
        if looked is None or not (looked.is_seen or is_leaving):
            return None
        self._on_screen = None
        before, self._pending = self._pending, looked
        if before is None or (before.is_seen, before.fps) != (looked.is_seen, looked.fps):
            return before
        if looked.frames.start > before.frames.stop or before.frames.start > looked.frames.stop:
            return before
        whole = Span(min(before.frames.start, looked.frames.start), max(before.frames.stop, looked.frames.stop))
        self._pending = Looked(whole, looked.is_seen, looked.fps)
        return None

    def _looked(self, stayed_seconds: float) -> Looked | None:
        """What is on screen as it counts now; None for what flashed by."""
        frames, rate = self._on_screen, self._rate_fps
        if frames is None:
            return None
        if rate is None:
            return Looked(frames, True, 0) if stayed_seconds >= MIN_DWELL_SECONDS else None
        if self._is_readable(rate):
            return Looked(frames, True, rate * len(frames))
        if stayed_seconds >= max(MIN_DWELL_SECONDS, 2 / rate):
            return Looked(frames, True, 0)
        return Looked(frames, False, rate * len(frames))
