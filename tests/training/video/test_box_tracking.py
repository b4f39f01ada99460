"""Boxes follow what they surround: against the true motion of a synthetic sequence."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.video.box_tracking import Edges, between, follow, track

SIZE = 160


def sequence(shifts: NDArray[np.floating], sizes: NDArray[np.floating]) -> tuple[NDArray[np.uint8], list[Edges]]:
    """Frames of one texture that moves by `shifts` (F, 2) and grows by `sizes` (F,), with the true box on each."""
    texture = np.random.default_rng(0).normal(size=(3 * SIZE, 3 * SIZE, 3))
    texture = np.asarray(cv2.GaussianBlur(texture, (25, 25), 4), np.float64)
    texture = (127 + 110 * texture / np.abs(texture).max()).astype(np.uint8)
    frames, boxes = [], []
    middle = 1.5 * SIZE
    for (right, down), size in zip(shifts, sizes, strict=True):
        matrix = np.array(
            [[size, 0, SIZE / 2 + right - size * middle], [0, size, SIZE / 2 + down - size * middle]], np.float64
        )
        frames.append(cv2.warpAffine(texture, matrix, (SIZE, SIZE)))
        x, y, half = SIZE / 2 + right, SIZE / 2 + down, 20 * size
        boxes.append((x - half, y - half, x + half, y + half))
    return np.array(frames), boxes


def overlap(one: Edges, other: Edges) -> float:
    """Intersection over union, pixel by pixel on a grid of quarter pixels."""
    at = np.arange(0, SIZE, 0.25)
    masks = [
        np.outer((at >= y_min) & (at < y_max), (at >= x_min) & (at < x_max))
        for x_min, y_min, x_max, y_max in (one, other)
    ]
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def moving(count: int = 12) -> tuple[NDArray[np.uint8], list[Edges]]:
    steps = np.arange(count)
    return sequence(np.stack([3.0 * steps - 15, 2 * np.sin(steps)], axis=1), np.power(1.03, steps).astype(np.float64))


@pytest.mark.parametrize("start", [0, 5, 11])
def test_a_box_follows_forwards_and_backwards(start: int) -> None:
    frames, boxes = moving()
    result = track(lambda frame: frames[frame], {start: boxes[start]}, 0, 11)
    assert sorted(result) == list(range(12))
    assert result[start] == boxes[start]
    assert min(overlap(result[frame], boxes[frame]) for frame in range(12)) > 0.85
    assert overlap(boxes[0], boxes[11]) < 0.3


def test_a_box_is_lost_where_the_picture_changes() -> None:
    frames, boxes = moving()
    frames[6:] = np.random.default_rng(1).integers(0, 255, frames[6:].shape)
    assert [frame for frame, _ in follow(lambda frame: frames[frame], boxes[0], 0, 11)] == [1, 2, 3, 4, 5]


def test_a_box_that_leaves_the_frame_is_lost() -> None:
    steps = np.arange(12)
    frames, boxes = sequence(np.stack([10.0 * steps, 0 * steps], axis=1), np.ones(12))
    followed = dict(follow(lambda frame: frames[frame], boxes[0], 0, 11))
    assert 8 <= max(followed) < 11
    assert all(0 <= box[0] < box[2] <= SIZE for box in followed.values())


def test_between_key_frames_a_box_follows_both() -> None:
    frames, boxes = moving()
    keys = {2: boxes[2], 9: boxes[9]}
    result = between(lambda frame: frames[frame], keys, 2, 9)
    assert sorted(result) == list(range(3, 9))
    assert min(overlap(result[frame], boxes[frame]) for frame in result) > 0.9


def test_between_key_frames_a_box_that_is_lost_moves_evenly() -> None:
    frames = np.random.default_rng(1).integers(0, 255, (5, SIZE, SIZE, 3)).astype(np.uint8)
    keys: dict[int, Edges] = {0: (10, 10, 30, 30), 4: (50, 20, 90, 60)}
    result = between(lambda frame: frames[frame], keys, 0, 4)
    assert result[2] == pytest.approx((30, 15, 60, 45))


def test_the_size_of_frames_does_not_matter() -> None:
    frames, boxes = moving()
    large = np.array([cv2.resize(frame, None, fx=3, fy=3) for frame in frames])
    x_min, y_min, x_max, y_max = (3 * edge for edge in boxes[0])
    result = track(lambda frame: large[frame], {0: (x_min, y_min, x_max, y_max)}, 0, 11)
    last = tuple(edge / 3 for edge in result[11])
    assert overlap(last, boxes[11]) > 0.8  # type: ignore[arg-type]
