"""Capsules that turn back often: lesions come into view again, much later, in many fragments."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from training.errors import UserError
from training.metrics.detector import auc
from training.phantom.patient import PhantomConfig
from training.phantom.plan import make_plan
from training.reidentification.byte_track import TrackerSettings, track_boxes

TURNS = PhantomConfig(
    frames=600, seed=3, size_px=48, positive_share=0.5, frames_per_second=5, speed=0.5, alike=True, places=True
)


def tracklets(config: PhantomConfig) -> NDArray[np.int64]:
    """(T, 3) first frame, last frame and lesion of what ByteTrack makes of boxes: a lesion has one while it is ahead.

    It lies in the middle, and the box grows as the capsule comes near.
    """
    plan = make_plan(config)
    rows = []
    for number, lesion in enumerate(plan.lesions):
        ahead = lesion.depth - plan.motion.depth
        frames = np.flatnonzero((ahead > 0.3) & (ahead < 1.8))
        left, half = 100.0 * number, 8 / (0.5 + ahead[frames])
        boxes = np.stack([left - half, -half, left + half, half], axis=1)
        tracks = track_boxes(frames, boxes, np.ones(len(frames)), TrackerSettings())
        rows += [
            (frames[tracks == track].min(), frames[tracks == track].max(), number)
            for track in range(int(tracks.max(initial=-1)) + 1)
        ]
    return np.array(rows, np.int64)


def fragments_and_time(config: PhantomConfig) -> tuple[float, float, float]:
    """Fragments of a lesion, AUROC of the time between fragments, and median seconds between those of one lesion."""
    counts, gaps, is_same = list[int](), list[int](), list[bool]()
    for patient in range(4):
        found = tracklets(replace(config, patient=patient))
        counts += np.unique(found[:, 2], return_counts=True)[1].tolist()
        for (start, stop, lesion), (other_start, other_stop, other) in combinations(found.tolist(), 2):
            gaps.append(max(start - other_stop, other_start - stop))
            is_same.append(lesion == other)
    same, seconds = np.array(is_same), np.array(gaps) / config.frames_per_second
    value = auc(same, -seconds)
    assert value is not None
    return float(np.mean(counts)), value, float(np.median(seconds[same]))


def test_lesions_have_more_fragments_that_come_later_than_time_alone_could_join() -> None:
    usual, often = fragments_and_time(replace(TURNS, places=False)), fragments_and_time(replace(TURNS, turns=5))
    assert often[0] > 1.5 * usual[0]
    assert often[1] < min(0.6, usual[1] - 0.1)
    assert often[2] > 2 * usual[2]


@pytest.mark.parametrize("turns", [0, 10])
def test_a_number_of_turns_that_cannot_be_is_refused(turns: int) -> None:
    with pytest.raises(UserError, match="turns back"):
        replace(TURNS, turns=turns)
