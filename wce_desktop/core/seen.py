"""How much of a stretch of frames was seen: the one figure of messages, timeline, worklist and report."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.clock import whole_percent
from wce_desktop.core.language import tr_count
from wce_desktop.core.span import Span


class Seen(NamedTuple):
    """Of `frames` frames that are to be read `seen` were on screen long enough; `left_out` show no mucosa."""

    frames: int
    seen: int
    left_out: int = 0

    @property
    def left(self) -> int:
        """Frames that are to be read and were not seen."""
        return self.frames - self.seen

    @property
    def text(self) -> str:
        """The share that was seen in whole per cent, rounded down."""
        return whole_percent(self.seen, self.frames) if self.frames else "100 %"

    @property
    def reason(self) -> str:
        """How many frames need not be read; empty where all of them are to be read."""
        if not self.left_out:
            return ""
        return tr_count(
            "{count} frame without visible mucosa is left out.",
            "{count} frames without visible mucosa are left out.",
            self.left_out,
        )


def seen_in(seen: NDArray[np.bool_] | None, has_view: NDArray[np.bool_] | None, within: Span) -> Seen:
    """How much of a span was seen.

    Args:
        seen: (N,) bool, the frames that were on screen long enough; None: none were.
        has_view: (N,) bool, the frames that are to be read; None where that is not known: all of them.
        within: the frames that count.
    """
    part = slice(within.start, within.stop)
    looked = np.zeros(len(within), np.bool_) if seen is None else seen[part]
    shown = np.ones(len(within), np.bool_) if has_view is None else has_view[part]
    frames = int(np.count_nonzero(shown))
    return Seen(frames, int(np.count_nonzero(looked & shown)), len(within) - frames)
