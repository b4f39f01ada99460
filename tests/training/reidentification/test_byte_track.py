"""ByteTrack's association against slow references: all assignments, and a Kalman filter written out."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from training.reidentification.byte_track import (
    POSITION,
    VELOCITY,
    TrackerSettings,
    associate,
    overlap,
    track_boxes,
)

Boxes = NDArray[np.float64]


def some_boxes(count: int, seed: int) -> Boxes:
    rng = np.random.default_rng(seed)
    corner, size = rng.uniform(0, 40, (count, 2)), rng.uniform(10, 40, (count, 2))
    return np.concatenate([corner, corner + size], axis=1)


def slow_overlap(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    inside = 0
    for x in range(80):
        for y in range(80):
            inside += all(box[0] <= x < box[2] and box[1] <= y < box[3] for box in (first, second))
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    return float(inside / (sum(areas) - inside))


def test_overlap_equals_counted_pixels() -> None:
    first, second = some_boxes(3, 0).round(), some_boxes(4, 1).round()
    slow = [[slow_overlap(one, other) for other in second] for one in first]
    np.testing.assert_allclose(overlap(first, second), slow)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_have_the_largest_total_overlap(seed: int) -> None:
    tracks, boxes = some_boxes(3, seed), some_boxes(4, seed + 100)
    values = overlap(tracks, boxes)
    best = max(
        sum(values[at, row] for at, row in enumerate(rows) if values[at, row] >= 0.2)
        for rows in permutations(range(4), 3)
    )
    found = associate(list(tracks), boxes, 0.2)
    assert sum(values[at, row] for at, row in found) == pytest.approx(best)
    assert all(values[at, row] >= 0.2 for at, row in found)
    assert associate([], boxes, 0.2) == associate(list(tracks), boxes[:0], 0.2) == []


def follow(
    boxes: Boxes, frames: list[int] | None = None, scores: list[float] | None = None, kept_frames: int = 30
) -> list[int]:
    numbers = np.array(frames if frames is not None else range(len(boxes)), np.int64)
    given = np.array(scores if scores is not None else [0.9] * len(boxes))
    found: list[int] = track_boxes(numbers, boxes, given, TrackerSettings(kept_frames=kept_frames)).tolist()
    return found


def moving(count: int, step: float = 2.0) -> Boxes:
    """One box that moves to the right."""
    left = 10 + step * np.arange(count)
    return np.stack([left, np.full(count, 10.0), left + 20, np.full(count, 30.0)], axis=1)


def test_a_filter_written_out_predicts_the_same_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `associate` is given in each frame is the prediction of Wojke et al.'s filter."""
    from training.reidentification import byte_track

    asked: list[NDArray[np.float64]] = []
    real = associate

    def listen(tracks: list[NDArray[np.float64]], boxes: Boxes, least: float) -> list[tuple[int, int]]:
        if tracks and len(boxes):
            asked.append(tracks[0])
        return real(tracks, boxes, least)

    monkeypatch.setattr(byte_track, "associate", listen)
    boxes = moving(6, 3.0)
    assert follow(boxes) == [0] * 6
    # Width, height and y stay; x is a filter of its own: place and velocity.
    height, place, speed = 20.0, 20.0, 0.0
    var = np.diag([(2 * POSITION * height) ** 2, (10 * VELOCITY * height) ** 2])
    for number, seen in enumerate(asked, start=1):
        place, speed = place + speed, speed
        move = np.array([[1.0, 1.0], [0.0, 1.0]])
        var = move @ var @ move.T + np.diag([(POSITION * height) ** 2, (VELOCITY * height) ** 2])
        assert seen == pytest.approx([place - 10, 10, place + 10, 30])
        gain = var[:, 0] / (var[0, 0] + (POSITION * height) ** 2)
        off = 20.0 + 3.0 * number - place
        place, speed = place + gain[0] * off, speed + gain[1] * off
        var = var - np.outer(gain, var[0])


def test_a_track_is_found_again_within_the_frames_that_it_is_kept() -> None:
    boxes = moving(2, 0.0)
    assert follow(boxes, [0, 11], kept_frames=10) == [0, 0]
    assert follow(boxes, [0, 12], kept_frames=10) == [0, 1]


def test_a_box_of_low_score_goes_on_with_a_track_and_starts_none() -> None:
    boxes = moving(4, 1.0)
    assert follow(boxes, scores=[0.9, 0.3, 0.2, 0.9]) == [0, 0, 0, 0]
    assert follow(boxes, scores=[0.3, 0.9, 0.05, 0.9]) == [-1, 0, -1, 0]
    assert follow(boxes, [0, 2, 3, 4], scores=[0.9, 0.9, 0.9, 0.55])[-1] == 0
    assert follow(boxes[:1], scores=[0.55]) == [-1], "confident, but too low to start"


def test_a_track_that_was_lost_needs_a_confident_box() -> None:
    boxes = np.concatenate([moving(1), moving(1) + 100, moving(1)])
    assert follow(boxes, [0, 1, 2], scores=[0.9, 0.9, 0.3]) == [0, 1, -1]
    assert follow(boxes, [0, 1, 2], scores=[0.9, 0.9, 0.9]) == [0, 1, 0]


def test_two_that_cross_a_frame_are_two_tracks() -> None:
    boxes = np.concatenate([moving(5), moving(5) + np.array([0, 40, 0, 40])])
    assert follow(boxes, [*range(5), *range(5)]) == [0] * 5 + [1] * 5


def test_no_box() -> None:
    assert len(track_boxes(np.zeros(0, np.int64), np.zeros((0, 4)), np.zeros(0), TrackerSettings())) == 0
