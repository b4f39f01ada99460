"""How much of a stretch of frames was seen: the one figure of messages, timeline, worklist and report."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.clock import whole_percent
from wce_desktop.core.language import tr_count
from wce_desktop.core.span import Span


class Seen(NamedTuple):
    """Of `frames` frames in a row `left` were not on screen long enough, and `seen` were and show mucosa."""

    frames: int
    left: int
    seen: int

    @property
    def text(self) -> str:
        """The share that was seen in whole per cent, rounded down."""
        return whole_percent(self.seen, self.frames) if self.frames else "0 %"

    @property
    def reason(self) -> str:
        """Why frames that were on screen are not in the share; empty where all are."""
        without = self.frames - self.left - self.seen
        if not without:
            return ""
        return tr_count(
            "{count} frame does not count as seen: it shows no mucosa, or cannot be read.",
            "{count} frames do not count as seen: they show no mucosa, or cannot be read.",
            without,
        )


def seen_in(seen: NDArray[np.bool_] | None, has_view: NDArray[np.bool_] | None, within: Span) -> Seen:
    """How much of a span was seen.

    Args:
        seen: (N,) bool, the frames that were on screen long enough; None: none were.
        has_view: (N,) bool, the frames that show mucosa; None where that is not known.
        within: the frames that count.
    """
    part = slice(within.start, within.stop)
    looked = np.zeros(len(within), np.bool_) if seen is None else seen[part]
    shown = looked if has_view is None else looked & has_view[part]
    return Seen(len(within), len(within) - int(looked.sum()), int(shown.sum()))
