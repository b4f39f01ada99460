"""Which frame to show next, and when."""

import math

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.dwell import MANY_VIEWS, SEEN_UP_TO_FPS

RATES_FPS = (1, 2, 4, 6, 8, 12, 16, 20, 25, 30, 40, 50, 60)
DEFAULT_RATE_FPS = 8
VIEWS = (1, 2, 4)


class Playback:
    """State machine of playback; independent of screen and decoder, driven by the caller's clock.

    `tick` answers with the next position once it is due and then waits for `shown`: a slow decoder makes frames *late*,
    it never makes them *missing*. Positions fall due on a grid (start + n / rate), so timer jitter below half a period
    does not add up. A longer delay moves the grid: no frame is shortened to catch up, each stays at least half a
    period, and the study plays more slowly than the rate says.

    A position is the first of `views` frames shown side by side; playing advances by that many. It leaves out frames
    that are not of `set_flagged` or not of `set_kept`, and stays longer or shorter at some positions by `set_pace`.
    """

    def __init__(self, frame_count: int = 0) -> None:
        self.frame_count = frame_count
        self.position = 0
        self.is_playing = False
        self.direction = 1
        self.rate_fps = DEFAULT_RATE_FPS
        self.views = 1
        self.seen_up_to_fps = SEEN_UP_TO_FPS
        """Up to which rate frames count as seen; see `core.dwell`."""
        self._flagged: NDArray[np.bool_] | None = None
        self._kept: NDArray[np.bool_] | None = None
        self._played: NDArray[np.int64] | None = None
        self._pace: NDArray[np.float32] | None = None
        self._due_seconds = 0.0
        self._waits_for: int | None = None
        self._came_from: int | None = None

    def open(self, frame_count: int) -> None:
        """Start over with a study of `frame_count` frames, paused at its first; rate and views stay, nothing else."""
        if frame_count < 0:
            raise ValueError(f"frame_count must not be negative, got {frame_count}")
        self.frame_count = frame_count
        self.position = 0
        self.direction = 1
        self._flagged = self._kept = self._played = self._pace = None
        self.pause()

    def play(self, now_seconds: float, direction: int = 1) -> bool:
        """Play from the position on, 1 forwards or -1 backwards; False when there is nothing left that way."""
        if direction not in (1, -1):
            raise ValueError(f"direction must be 1 or -1, got {direction}")
        self.pause()
        self.direction = direction
        self.is_playing = self._after(self.position) is not None
        self._due_seconds = now_seconds + self.stay_seconds(self.position)
        return self.is_playing

    def pause(self) -> None:
        """Stop at the frame on screen, not at the position that `tick` returned last."""
        if self._came_from is not None:
            self.position = self._came_from
        self.is_playing = False
        self._waits_for = self._came_from = None

    def seek(self, frame_index: int, now_seconds: float) -> int:
        """Go to `frame_index`, held within the study; playback continues from there. Returns the position."""
        self.position = max(0, min(frame_index, self.frame_count - 1))
        self._came_from = None
        if self.is_playing:
            self._waits_for = self.position
            self._due_seconds = now_seconds
        return self.position

    def set_rate(self, rate_fps: int, now_seconds: float) -> None:
        """Set the rate, 1 to 60 frames (positions) a second."""
        if not RATES_FPS[0] <= rate_fps <= RATES_FPS[-1]:
            raise ValueError(f"rate_fps must lie in 1..60, got {rate_fps}")
        self.rate_fps = rate_fps
        if self._waits_for is None:
            self._due_seconds = now_seconds + self.stay_seconds(self.position)

    def faster(self, now_seconds: float) -> int:
        """Take the next higher of `RATES_FPS`; returns the rate."""
        self.set_rate(next((rate for rate in RATES_FPS if rate > self.rate_fps), RATES_FPS[-1]), now_seconds)
        return self.rate_fps

    def slower(self, now_seconds: float) -> int:
        """Take the next lower of `RATES_FPS`; returns the rate."""
        lower = [rate for rate in RATES_FPS if rate < self.rate_fps]
        self.set_rate(lower[-1] if lower else RATES_FPS[0], now_seconds)
        return self.rate_fps

    def set_views(self, views: int) -> None:
        """Show 1, 2 or 4 successive frames at once."""
        if views not in VIEWS:
            raise ValueError(f"views must be one of {VIEWS}, got {views}")
        self.views = views

    def set_flagged(self, flagged: NDArray[np.bool_] | None) -> None:
        """Play only some frames, such as those of events: (N,) bool, True for these; None plays everything."""
        if flagged is not None and flagged.shape != (self.frame_count,):
            raise ValueError(f"flagged must be ({self.frame_count},), got {flagged.shape}")
        self._flagged, self._played = flagged, None

    def set_kept(self, kept: NDArray[np.bool_] | None) -> None:
        """Leave out frames while playing: (N,) bool, False for those; None leaves out none."""
        if kept is not None and kept.shape != (self.frame_count,):
            raise ValueError(f"kept must be ({self.frame_count},), got {kept.shape}")
        self._kept, self._played = kept, None

    def set_pace(self, pace: NDArray[np.float32] | None) -> None:
        """Play faster where `pace` (N,) is above 1, slower where it is below; None plays evenly."""
        if pace is not None and (pace.shape != (self.frame_count,) or not bool((pace > 0).all())):
            raise ValueError(f"pace must be ({self.frame_count},) and positive")
        self._pace = pace

    @property
    def is_adaptive(self) -> bool:
        """Whether positions stay on screen for different times."""
        return self._pace is not None

    def stay_seconds(self, position: int) -> float:
        """How long a position stays on screen; the pace takes no rate to where frames no longer count as seen."""
        if self._pace is None or not 0 <= position < self.frame_count:
            return 1 / self.rate_fps
        paced = self.rate_fps * float(self._pace[position])
        readable = self.seen_up_to_fps * min(self.views, MANY_VIEWS) / self.views
        return 1 / min(paced, max(self.rate_fps, readable))

    def rate_at(self, position: int) -> int:
        """The rate in frames/s (positions) at which a position is played, rounded up."""
        return math.ceil(1 / self.stay_seconds(position) - 1e-6)

    @property
    def waits_for(self) -> int | None:
        """The position that `tick` named and that is not yet `shown`."""
        return self._waits_for

    def seconds_until_due(self, now_seconds: float) -> float | None:
        """How long until `tick` answers; None while paused or waiting for `shown`."""
        if not self.is_playing or self._waits_for is not None:
            return None
        return max(0.0, self._due_seconds - now_seconds)

    def tick(self, now_seconds: float) -> int | None:
        """Return the position to show now, once; None while nothing is due. At either end playing stops."""
        if self.seconds_until_due(now_seconds) != 0.0:
            return None
        following = self._after(self.position)
        if following is None:
            self.pause()
            return None
        self._came_from, self.position, self._waits_for = self.position, following, following
        return following

    def shown(self, position: int, now_seconds: float) -> None:
        """Note that `position` is on screen; the next position is due once it has stayed since it was due."""
        if position != self._waits_for:
            return
        self._waits_for = self._came_from = None
        stay = self.stay_seconds(position)
        if now_seconds - self._due_seconds > stay / 2:
            self._due_seconds = now_seconds
        self._due_seconds += stay

    def upcoming(self, count: int) -> list[int]:
        """The next `count` positions after this one, in order, fewer at the end: what a decoder may prepare."""
        positions: list[int] = []
        following = self._after(self.position)
        while following is not None and len(positions) < count:
            positions.append(following)
            following = self._after(following)
        return positions

    def _after(self, position: int) -> int | None:
        """The position that follows in the direction of play, or None at the end."""
        if self.direction > 0:
            return self._first_played(position + self.views)
        last = self._last_played(position - 1)
        return None if last is None else max(0, last - self.views + 1)

    def _first_played(self, frame: int) -> int | None:
        """The first frame to play at or after a frame, or None."""
        if self._flagged is None and self._kept is None:
            return frame if frame < self.frame_count else None
        at = int(np.searchsorted(self._frames_played(), frame))
        return int(self._frames_played()[at]) if at < len(self._frames_played()) else None

    def _last_played(self, frame: int) -> int | None:
        """The last frame to play at or before a frame, or None."""
        if self._flagged is None and self._kept is None:
            return frame if frame >= 0 else None
        at = int(np.searchsorted(self._frames_played(), frame, side="right")) - 1
        return int(self._frames_played()[at]) if at >= 0 else None

    def _frames_played(self) -> NDArray[np.int64]:
        """The frames to play, in order, where some are left out."""
        if self._played is None:
            masks = [mask for mask in (self._flagged, self._kept) if mask is not None]
            self._played = np.flatnonzero(np.logical_and.reduce(masks))
        return self._played
