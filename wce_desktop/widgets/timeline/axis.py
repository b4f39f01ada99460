"""Which frames a lane shows, and where on the screen each of them lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

CLOSEST_FRAMES = 16.0
"""The fewest frames that zooming in leaves on screen."""


@dataclass(frozen=True, slots=True)
class FrameWindow:
    """The stretch of frames `[start, stop)` on screen, in fractions of frames; empty only for an empty study."""

    start: float
    stop: float

    @classmethod
    def whole(cls, frame_count: int) -> FrameWindow:
        """All of a study."""
        return cls(0.0, float(frame_count))

    @classmethod
    def opening(cls, frame_count: int) -> FrameWindow:
        """What a study opens with: a twenty-fifth of it, and at least 500 frames."""
        return cls(0.0, min(float(frame_count), max(500.0, frame_count / 25)))

    @property
    def length(self) -> float:
        """How many frames are on screen."""
        return self.stop - self.start

    def shows(self, frame: int) -> bool:
        """Whether the middle of a frame is on screen, where the cursor stands."""
        return self.start <= frame + 0.5 < self.stop

    def kept_inside(self, frame_count: int) -> FrameWindow:
        """The same window with a length that suits the study, moved until it lies inside it."""
        length = min(max(self.length, CLOSEST_FRAMES), float(frame_count))
        start = min(max(self.start, 0.0), frame_count - length)
        return FrameWindow(start, start + length)

    def moved(self, frames: float, frame_count: int) -> FrameWindow:
        """Moved along the study by so many frames, as far as it goes."""
        return FrameWindow(self.start + frames, self.stop + frames).kept_inside(frame_count)

    def zoomed(self, factor: float, around: float, frame_count: int) -> FrameWindow:
        """`factor` times as many frames, with the position `around` staying where it is on the screen."""
        length = min(max(self.length * factor, CLOSEST_FRAMES), float(frame_count))
        share = (around - self.start) / self.length if self.length else 0.0
        start = around - share * length
        return FrameWindow(start, start + length).kept_inside(frame_count)

    def centred(self, frame: float, frame_count: int) -> FrameWindow:
        """Of the same length, with a frame in the middle where the ends of the study allow it."""
        return self.moved(frame - (self.start + self.stop) / 2, frame_count)

    def following(self, frame: int, frame_count: int) -> FrameWindow:
        """The window that shows a frame: this one where it does, else a page on or back, or centred after a jump.

        A frame that was cut by an end of the window only moves it by the part that was missing.
        """
        if self.shows(frame):
            return self
        if frame < self.start < frame + 1:
            return self.moved(frame - self.start, frame_count)
        if frame < self.stop < frame + 1:
            return self.moved(frame + 1 - self.stop, frame_count)
        if self.stop <= frame <= self.stop + self.length:
            return self.moved(frame - (self.start + 0.1 * self.length), frame_count)
        if self.start - self.length <= frame <= self.start:
            return self.moved(frame - (self.start + 0.9 * self.length), frame_count)
        return self.centred(frame + 0.5, frame_count)


@dataclass(frozen=True, slots=True)
class FrameAxis:
    """A window laid over `width` pixels from `left`: frame `i` fills the stretch from `x(i)` to `x(i + 1)`."""

    window: FrameWindow
    left: float
    width: float

    @property
    def px_per_frame(self) -> float:
        """Screen pixels that one frame takes."""
        return self.width / self.window.length if self.window.length else 0.0

    def x(self, position: float) -> float:
        """Where a position in frames lies on the screen."""
        return self.left + (position - self.window.start) * self.px_per_frame

    def position(self, x: float) -> float:
        """Which position in frames lies at a point of the screen."""
        if not self.px_per_frame:
            return self.window.start
        return self.window.start + (x - self.left) / self.px_per_frame

    def frame(self, x: float, frame_count: int) -> int:
        """The frame at a point of the screen, the first or last one beyond the ends; -1 in an empty study."""
        return min(max(math.floor(self.position(x)), 0), frame_count - 1)
