"""A box that follows what it surrounds from frame to frame, by dense optical flow checked backwards."""

import itertools
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Edges = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max in pixels of the frame."""
Read = Callable[[int], NDArray[np.uint8]]
"""A frame's number to its pixels, (H, W, 3) RGB; raises `FrameMissing`."""

LONG_SIDE_PX = 256
"""The flow is computed on frames of at most this size."""
MAX_RETURN_PX = 2.0
"""A pixel counts whose flow there and back ends within so many px of where it began."""
MIN_SHARE = 0.05
"""Of the box's pixels, that must count; with fewer the box is lost."""
MIN_CORRELATION = 0.3
"""Of these pixels' brightness on both frames, below which the box is lost."""
MAX_SCALE = 1.1
"""By how much a box may grow from one frame to the next; it may shrink as much."""
MIN_SIDE_PX = 4.0
"""Of the part of a box inside the frame; a smaller one is lost."""


def track(read: Read, keys: Mapping[int, Edges], first: int, last: int) -> dict[int, Edges]:
    """Follow a box from its key frames over the frames `first` to `last`, both included: edges by frame.

    Beyond the outer key frames a box follows until it is lost. Between two it is followed from both, and each counts
    the more the nearer it is; where both are lost, it moves evenly. `read` is called in the order of the frames.
    """
    numbers = sorted(keys)
    result = dict(keys)
    result |= dict(follow(read, keys[numbers[0]], numbers[0], first))
    for left, right in itertools.pairwise(numbers):
        result |= between(read, keys, left, right)
    return result | dict(follow(read, keys[numbers[-1]], numbers[-1], last))


def between(read: Read, keys: Mapping[int, Edges], left: int, right: int) -> dict[int, Edges]:
    """Edges by frame between two neighbouring key frames, without these; see `track`."""
    forwards = dict(follow(read, keys[left], left, right - 1))
    backwards = dict(follow(read, keys[right], right, left + 1))
    result = {}
    for frame in range(left + 1, right):
        share = (frame - left) / (right - left)
        start, end = forwards.get(frame), backwards.get(frame)
        if start is None and end is None:
            start, end = keys[left], keys[right]
        pair = np.array([start or end, end or start])
        x_min, y_min, x_max, y_max = ((1 - share) * pair[0] + share * pair[1]).tolist()
        result[frame] = (x_min, y_min, x_max, y_max)
    return result


def follow(read: Read, box: Edges, start: int, stop: int) -> Iterator[tuple[int, Edges]]:
    """Follow a box from a frame to another, backwards where `stop` lies before; ends early where the box is lost.

    Yields:
        Frame and edges, from the frame after `start` to `stop`.
    """
    import cv2

    flow = cv2.DISOpticalFlow.create(cv2.DISOpticalFlow_PRESET_MEDIUM)
    if stop == start:
        return
    direction = 1 if stop > start else -1
    before, scale, size = _prepared(read(start))
    small = np.array(box) * scale
    for frame in range(start + direction, stop + direction, direction):
        after, _, _ = _prepared(read(frame))
        there = flow.calc(before, after, None)  # type: ignore[call-overload]  # None: no flow to begin with
        back = flow.calc(after, before, None)  # type: ignore[call-overload]
        moved = _moved(small, (before, after), (np.asarray(there), np.asarray(back)))
        if moved is None:
            return
        small, before = moved, after
        inside = np.clip(small / scale, 0, [*size, *size])
        if min(inside[2] - inside[0], inside[3] - inside[1]) < MIN_SIDE_PX:
            return
        x_min, y_min, x_max, y_max = inside.tolist()
        yield frame, (x_min, y_min, x_max, y_max)


def _prepared(frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float, tuple[int, int]]:
    """The green channel, made small; by which factor; and the frame's width and height."""
    import cv2

    height, width = frame.shape[:2]
    scale = min(1.0, LONG_SIDE_PX / max(height, width))
    green = np.ascontiguousarray(frame[..., 1])
    if scale < 1:
        green = np.asarray(cv2.resize(green, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return green, scale, (width, height)


def _moved(
    box: NDArray[np.float64],
    frames: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    flows: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> NDArray[np.float64] | None:
    """Move and scale a box as the median of its pixels; None where the flow cannot be trusted.

    `flows` are (H, W, 2) from the first frame to the second, and back.
    """
    (before, after), (there, back) = frames, flows
    height, width = before.shape
    x_min, y_min, x_max, y_max = np.clip(box, 0, [width, height, width, height]).astype(int)
    ys, xs = (grid.ravel() for grid in np.mgrid[y_min:y_max:2, x_min:x_max:2])
    start = np.stack([xs, ys], axis=1).astype(np.float64)
    end = start + there[ys, xs]
    columns, rows = np.rint(end).astype(int).T.clip(0, [[width - 1], [height - 1]])
    returned = end + back[rows, columns]
    counts = np.linalg.norm(returned - start, axis=1) <= MAX_RETURN_PX
    if counts.sum() < max(4, MIN_SHARE * len(start)):
        return None
    pixels = before[ys, xs][counts].astype(np.float64), after[rows, columns][counts].astype(np.float64)
    if _correlation(*pixels) < MIN_CORRELATION:
        return None
    start, end = start[counts], end[counts]
    middles = np.median(start, axis=0), np.median(end, axis=0)
    spread = [float(np.median(np.abs(at - middle))) for at, middle in zip((start, end), middles, strict=True)]
    scale = float(np.clip(spread[1] / max(spread[0], 1e-3), 1 / MAX_SCALE, MAX_SCALE))
    center = (box[:2] + box[2:]) / 2 + np.median(end - start, axis=0)
    half = (box[2:] - box[:2]) / 2 * scale
    return np.concatenate([center - half, center + half])


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Of two rows of values; 1 where both are even."""
    one, other = one - one.mean(), other - other.mean()
    length = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / length if length > 0 else 1.0
