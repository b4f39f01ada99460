"""Clips of a study and their vectors. Importing this module does not import torch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Clips:
    """Clips of one study, in the order of time; they may overlap.

    Args:
        starts, stops: (n,) int64 frame indices, half-open, each at least one frame long; `starts` ascend.
        vectors: (n, D) float32 of length 1, one for each clip; zeros where a clip has none.

    Raises:
        ValueError: the arrays do not fit each other, or a clip is empty.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def __post_init__(self) -> None:
        shapes: tuple[Any, ...] = self.starts.shape, self.stops.shape, self.vectors.shape[:1]
        if len(set(shapes)) != 1 or self.starts.ndim != 1 or self.vectors.ndim != 2:
            raise ValueError(f"clips need equally many starts, stops and vectors, not {shapes}")
        if np.any(self.stops <= self.starts) or np.any(np.diff(self.starts) < 0):
            raise ValueError("clips need ascending starts, and a stop behind each start")

    def __len__(self) -> int:
        return len(self.starts)


def clip_bounds(frames: int, length: int, stride: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts and stops of the clips of a study: every `stride` frames one of `length` frames, the last one at the end.

    A study that is shorter than a clip is one clip.

    Args:
        frames: frames of the study, at least 0.
        length, stride: frames, at least 1.

    Returns:
        (n,) int64 starts and (n,) int64 stops.

    Raises:
        ValueError: a number is out of range.
    """
    if frames < 0 or length < 1 or stride < 1:
        raise ValueError(f"no clips of {length} frames every {stride} frames can be cut from {frames} frames")
    if not frames:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    last = max(frames - length, 0)
    starts = np.unique(np.append(np.arange(0, last + 1, stride, dtype=np.int64), last))
    return starts, np.minimum(starts + length, frames)
