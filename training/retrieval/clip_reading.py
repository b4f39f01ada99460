"""Clips of a study as pixels; each frame is decoded once, however many clips share it. No torch."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from training.video import FieldOfView, FrameSource, prepare_frame

ClipPixels = NDArray[np.uint8]
"""(T, S, S, 3) RGB, prepared as for every model."""


def read_clips(
    source: FrameSource,
    view: FieldOfView,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    *,
    length: int,
    size: int,
) -> Iterator[ClipPixels | None]:
    """The pixels of clips, in their order; at most one clip's frames are held.

    A frame that does not decode is replaced by the one before it in the clip, else by the first one behind it. A clip
    that is shorter than `length`, because its study is, repeats its last frame.

    Args:
        source: the study.
        view: its field of view.
        starts, stops: (n,) frames, half-open; both ascend.
        length: T.
        size: S in px.

    Returns:
        (T, S, S, 3) each; None for a clip none of whose frames decodes.

    Raises:
        ValueError: a clip is longer than `length`, empty or outside of the study, or they are not in order.
    """
    _check(starts, stops, length, len(source))
    if not len(starts):
        return
    held: dict[int, NDArray[np.uint8]] = {}
    at = 0
    for index, frame in source.iterate(int(starts[0]), int(stops[-1])):
        if frame is not None and index >= starts[at]:
            held[index] = prepare_frame(frame, view, size)
        while at < len(stops) and stops[at] == index + 1:
            yield _clip(held, int(starts[at]), int(stops[at]), length)
            at += 1
        if at < len(starts):
            held = {number: kept for number, kept in held.items() if number >= starts[at]}


def _check(starts: NDArray[np.int64], stops: NDArray[np.int64], length: int, frames: int) -> None:
    if len(starts) != len(stops) or np.any(np.diff(starts) < 0) or np.any(np.diff(stops) < 0):
        raise ValueError("clips are read in order, so their starts and stops must ascend")
    if len(starts) and (starts[0] < 0 or stops[-1] > frames):
        raise ValueError(f"a study of {frames} frames has no frames {starts[0]} to {stops[-1]}")
    if np.any(stops <= starts) or np.any(stops - starts > length):
        raise ValueError(f"clips must have 1 to {length} frames")


def _clip(held: dict[int, NDArray[np.uint8]], start: int, stop: int, length: int) -> ClipPixels | None:
    there = [index for index in range(start, stop) if index in held]
    if not there:
        return None
    taken = [max((index for index in there if index <= wanted), default=there[0]) for wanted in range(start, stop)]
    taken += [taken[-1]] * (length - len(taken))
    return np.stack([held[index] for index in taken])
