"""Similar frames as one, and the pace, against slow references."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from wce_desktop.core.similar import (
    FASTEST,
    PACES,
    SLOWEST,
    SMOOTHED_FRAMES,
    Similar,
    kept_frames,
    pace_of,
    similar_counts,
    skipped_frames,
    smoothed,
)


def similar_of(starts: list[bool], change: list[float] | None = None) -> Similar:
    """Runs that begin where `starts` is True, and at the first frame."""
    first, begin = [], 0
    for number, is_start in enumerate(starts):
        begin = number if is_start or number == 0 else begin
        first.append(begin)
    values = np.zeros(len(starts)) if change is None else np.array(change)
    return Similar(np.array(first, np.int64), values.astype(np.float32))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_what_is_kept_and_for_how_many_it_stands(frames: list[tuple[bool, bool]]) -> None:
    starts, flagged = [start for start, _ in frames], [flag for _, flag in frames]
    kept = kept_frames(similar_of(starts), np.array(flagged))
    counts = similar_counts(kept)
    expected = [number == 0 or start or flag for number, (start, flag) in enumerate(frames)]
    assert kept.tolist() == expected
    for number, is_kept in enumerate(expected):
        following = 1
        while is_kept and number + following < len(frames) and not expected[number + following]:
            following += 1
        assert counts[number] == following
    assert counts[kept].sum() == len(frames), "no frame is lost"


def slow_smoothed(change: list[float]) -> list[float]:
    half = SMOOTHED_FRAMES // 2
    means = []
    for number in range(len(change)):
        near = [value for value in change[max(0, number - half) : number + half + 1] if not math.isnan(value)]
        means.append(sum(near) / len(near) if near else math.nan)
    return means


CHANGES = st.lists(
    st.one_of(st.just(math.nan), st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0, 64.0])), min_size=1, max_size=40
)


@given(CHANGES)
def test_the_change_is_averaged_over_what_is_known(change: list[float]) -> None:
    np.testing.assert_allclose(smoothed(np.array(change, np.float32)), slow_smoothed(change), rtol=1e-5, atol=1e-6)


@given(CHANGES, st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.5, 0.9]))
def test_the_pace_equals_a_slow_reference(change: list[float], seed: int, threshold: float) -> None:
    scores = np.random.default_rng(seed).random((2, len(change))).astype(np.float32)
    scores[0, ::3] = np.nan
    similar = similar_of([True] * len(change), change)
    mean = smoothed(similar.change)
    pace = pace_of(similar, {"polyp": scores[0], "blood": scores[1]}, threshold)
    moving = sorted(float(value) for value in mean if value > 0)
    for number, value in enumerate(mean.tolist()):
        expected = 1.0
        if moving and not math.isnan(value):
            middle = float(np.median(moving))
            wanted = min(FASTEST, max(SLOWEST, math.sqrt(middle / max(value, middle * 1e-3))))
            expected = max(one for one in PACES if one <= wanted + 1e-6)
        for track in scores:
            if track[number] >= threshold / 2:
                expected = min(expected, 1.0)
        if any(track[number] >= threshold for track in scores):
            expected = SLOWEST
        assert pace[number] == pytest.approx(expected, rel=1e-4)


def test_a_flagged_frame_is_never_left_out_and_never_fast() -> None:
    similar = similar_of([True] + [False] * 9, [0.0, *[1.0] * 5, *[0.01] * 4])
    track: NDArray[np.float32] = np.zeros(10, np.float32)
    track[8] = 0.9
    assert np.flatnonzero(kept_frames(similar, track >= 0.5)).tolist() == [0, 8]
    pace = pace_of(similar, {"polyp": track}, 0.5)
    assert pace[9] > 1
    assert pace[8] == SLOWEST
    unknown = Similar.unknown(3)
    assert kept_frames(unknown, np.zeros(3, bool)).all()
    assert pace_of(unknown, {}, 0.5).tolist() == [1, 1, 1]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_skipped_is_what_lies_unseen_behind_a_shown_frame_that_was_seen(frames: list[tuple[bool, bool]]) -> None:
    kept = np.array([True, *(one for one, _ in frames[1:])])
    seen = np.array([one for _, one in frames])
    found = skipped_frames(kept, seen)
    for at in range(len(frames)):
        first = max(before for before in range(at + 1) if kept[before])
        assert found[at] == (not kept[at] and not seen[at] and seen[first])
