"""A random sample of frames that nobody saw, and how many of all such frames can show a finding, going by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.report_part import ReportPart

LEVEL = 0.95


def draw_sample(frames: NDArray[np.int64], count: int, seed: int) -> NDArray[np.int64]:
    """Some of the frames at random: one from each of `count` parts, so that no stretch of time is left out.

    The parts are equal, to within one frame where the frames cannot be divided.

    Args:
        frames: (N,) ascending.
        count: how many; all where there are no more.
        seed: equal seeds draw equal frames.

    Returns:
        (min(count, N),) ascending, each once.
    """
    count = min(count, len(frames))
    edges = np.arange(count + 1) * len(frames) // max(count, 1)
    drawn = np.random.default_rng(seed).integers(edges[:-1], edges[1:])
    return frames[drawn]


def upper_bound(positive: int, count: int, level: float = LEVEL) -> float:
    """The share of all frames that shows a finding is at most this, with a probability of at least `level`.

    One-sided bound of Clopper and Pearson (Biometrika 26:404, 1934). It is exact for independent draws; drawing one
    frame from each of equal parts, and without repeats, varies less, so it holds for this sample, too.

    Args:
        positive: frames of the sample that show a finding.
        count: frames of the sample, at least 1.
        level: in (0, 1).
    """
    from scipy.special import betaincinv

    if not 0 <= positive <= count or count < 1:
        raise ValueError(f"{positive} of {count} frames")
    return 1.0 if positive == count else float(betaincinv(positive + 1, count - positive, level))


@dataclass(frozen=True)
class UnseenSample:
    """The content of a `ReportPart` ("sample"): frames to look at, out of those not seen.

    Attributes:
        frames: of the sample, ascending.
        total: how many frames it was drawn from: neither seen nor flagged.
        is_small_bowel: whether they are of the small bowel only; otherwise of the whole study.
        is_finished: whether the reader has looked at all of them.
    """

    frames: tuple[int, ...]
    total: int
    is_small_bowel: bool
    is_finished: bool = False

    @property
    def content(self) -> dict[str, Any]:
        """As the content of a `ReportPart`."""
        return {
            "frames": list(self.frames),
            "total": self.total,
            "small bowel": self.is_small_bowel,
            "finished": self.is_finished,
        }


def sample_of(part: ReportPart | None) -> UnseenSample | None:
    """The sample of a part; None without one, and where another program wrote something else."""
    return read_sample(part.content) if part is not None else None


def read_sample(content: Mapping[str, Any]) -> UnseenSample | None:
    """As `sample_of`, from the content."""
    frames, total = content.get("frames"), content.get("total")
    flags = content.get("small bowel"), content.get("finished")
    if not isinstance(frames, list) or not frames or not all(type(each) is int and each >= 0 for each in frames):
        return None
    if type(total) is not int or total < len(frames) or not all(isinstance(flag, bool) for flag in flags):
        return None
    return UnseenSample(tuple(sorted(frames)), total, bool(flags[0]), bool(flags[1]))
