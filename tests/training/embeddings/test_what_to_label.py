"""What to label next: against a slow reference, and at the edges where there is hardly anything to choose from."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.embeddings.what_to_label import (
    NEIGHBOURHOOD_RANK,
    ROUNDING,
    candidates,
    foremost,
    label_count,
    pick_to_label,
    undecided,
)


def reference_picks(
    points: NDArray[np.float64], doubt: NDArray[np.float64], known: NDArray[np.float64], count: int
) -> list[int]:
    """The same by loops over frames: doubt times farness, then everything in the neighbourhood is struck off."""
    between = [[float(np.linalg.norm(a - b)) for b in points] for a in points]
    radius = 0.0
    if len(points) > 4 * NEIGHBOURHOOD_RANK:
        radius = float(np.median([sorted(row)[NEIGHBOURHOOD_RANK] for row in between]))
    distance = [min((float(np.linalg.norm(a - b)) for b in known), default=np.inf) for a in points]
    typical = float(np.median(distance)) if len(known) else 0.0
    left = set(range(len(points)))
    picked: list[int] = []
    while left and len(picked) < count:
        far = {row: 1.0 if np.isinf(distance[row]) else distance[row] / (distance[row] + typical) for row in left}
        best = max(left, key=lambda row: (doubt[row] * far[row], -row))
        picked.append(best)
        left = {row for row in left if between[best][row] > radius * (1 + ROUNDING)}
        distance = [min(value, between[best][row]) for row, value in enumerate(distance)]
        typical = typical or float(np.median([distance[row] for row in left] or [1.0]))
    return picked


@example(seed=7188, frames=29, labelled=6, count=5)  # a candidate at exactly the radius
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), frames=st.integers(1, 45), labelled=st.integers(0, 6), count=st.integers(1, 12))
def test_picks_are_those_of_the_slow_reference(seed: int, frames: int, labelled: int, count: int) -> None:
    random = np.random.default_rng(seed)
    points, known = random.normal(size=(frames, 4)), random.normal(size=(labelled, 4))
    doubt = random.uniform(0.05, 1, frames)
    found = [pick.row for pick in pick_to_label(points, doubt, known, count=count)]
    assert found == reference_picks(points, doubt, known, count)


def test_a_draw_is_undecided_and_a_missing_frame_is_nothing() -> None:
    scores = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.6, 0.3, 0.1], [np.nan] * 3])
    assert undecided(scores)[:3] == pytest.approx([1.0, 0.0, 0.7])
    assert np.isnan(undecided(scores)[3])


def test_of_one_class_the_middle_is_undecided() -> None:
    assert undecided(np.array([[0.5], [0.0], [0.75]])) == pytest.approx([1.0, 0.0, 0.5])


def test_of_each_stretch_of_time_the_most_undecided_frame_is_a_candidate() -> None:
    doubt = np.array([0.1, 0.9, 0.3, 0.2, np.nan, 0.8])
    seconds = np.array([0.0, 0.5, 1.0, 2.1, 4.0, 4.5])
    is_open = np.array([True, False, True, True, True, True])
    assert candidates(doubt, seconds, is_open, apart_seconds=2.0).tolist() == [5, 2, 3]
    assert candidates(doubt, seconds, is_open, most=1).tolist() == [5]


def test_duplicates_are_asked_for_once() -> None:
    points = np.zeros((6, 2))
    points[3:] = 5.0
    picks = pick_to_label(points, np.full(6, 0.5), np.zeros((0, 2)), count=6)
    assert sorted(pick.row // 3 for pick in picks) == [0, 1]


def test_what_is_labelled_already_is_not_asked_for_again() -> None:
    points = np.array([[0.0, 0.0], [5.0, 0.0], [9.0, 0.0]])
    picks = pick_to_label(points, np.array([0.9, 0.8, 0.8]), np.array([[0.0, 0.0], [5.1, 0.0]]), count=3)
    assert picks[0].row == 2
    assert picks[0].nearest == 1
    assert picks[0].distance == pytest.approx(3.9, abs=1e-3)
    assert picks[-1].row == 0


def test_rows_without_an_embedding_are_left_out() -> None:
    points = np.array([[np.nan, 0.0], [1.0, 1.0]])
    known = np.array([[np.nan, np.nan], [0.0, 0.0]])
    (pick,) = pick_to_label(points, np.array([1.0, 0.1]), known, count=2)
    assert (pick.row, pick.nearest) == (1, 1)
    assert pick_to_label(points[:1], np.ones(1), known, count=2) == []


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_one_to_three_frames_are_enough(frames: int) -> None:
    points = np.arange(frames)[:, None].astype(float)
    picks = pick_to_label(points, np.full(frames, 0.4), np.zeros((0, 1)), count=10)
    assert len(picks) == frames
    assert picks[0].far == 1.0


def test_with_few_labels_distance_alone_decides() -> None:
    points = np.array([[1.0, 0.0], [9.0, 0.0], [20.0, 0.0]])
    known, doubt = np.zeros((1, 2)), np.array([1.0, 0.5, 0.01])
    (pick,) = pick_to_label(points, doubt, known, count=1, by_doubt=False)
    assert pick.row == 2
    assert pick.undecided == pytest.approx(0.01)
    assert pick_to_label(points, doubt, known, count=1)[0].row == 1


def test_stretches_are_kept_over_the_whole_study_where_doubt_does_not_count() -> None:
    doubt, seconds = np.linspace(1, 0.5, 100), np.arange(100.0)
    rows = candidates(doubt, seconds, np.ones(100, bool), most=5, apart_seconds=1, by_doubt=False)
    assert rows.tolist() == [0, 24, 49, 74, 99]
    assert foremost(np.array([3, 1, 2]), 3, by_doubt=False).tolist() == [3, 1, 2]


def test_labelled_frames_of_a_stretch_are_one_label() -> None:
    is_labelled = np.array([True, True, True, False, True, False, True, True])
    assert label_count(np.arange(8.0), is_labelled) == 4
    assert label_count(np.zeros(0), np.zeros(0, bool)) == 0
