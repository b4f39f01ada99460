"""Events against a loop that anybody can follow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.metrics.events import flagged_frames
from wce_desktop.core.event import Event, find_events
from wce_desktop.core.span import Span


def slow_events(values: list[float], threshold: float, max_gap: int) -> list[Event]:
    flagged = [at for at, value in enumerate(values) if value >= threshold]
    groups: list[list[int]] = []
    for at in flagged:
        if groups and at - groups[-1][-1] - 1 <= max_gap:
            groups[-1].append(at)
        else:
            groups.append([at])
    events = []
    for group in groups:
        peak = max(group, key=lambda at: (values[at], -at))
        events.append(Event(Span(group[0], group[-1] + 1), "polyp", values[peak], peak))
    return events


scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, float("nan")]), max_size=40)


@given(scores, st.sampled_from([0.0, 0.5, 0.75, 1.0]), st.integers(0, 3))
def test_events_agree_with_the_obvious_loop(values: list[float], threshold: float, max_gap: int) -> None:
    found = find_events(np.array(values, dtype=np.float32), threshold, "polyp", max_gap=max_gap)
    assert list(found) == slow_events(values, threshold, max_gap)


def test_a_missing_frame_is_never_flagged() -> None:
    values = np.array([np.nan, 0.9, np.nan], dtype=np.float32)
    assert flagged_frames(values, 0.0).tolist() == [False, True, False]


def test_the_threshold_itself_is_flagged_also_when_float32_rounds_it() -> None:
    assert flagged_frames(np.array([0.1], dtype=np.float32), 0.1).tolist() == [True]


def test_a_slice_of_events_is_events() -> None:
    found = find_events(np.array([0.6, 0, 0.9, 0, 0.6], dtype=np.float32), 0.5, "polyp")
    assert [event.peak_frame for event in found[1:]] == [2, 4]


def test_a_position_past_the_end_is_an_error() -> None:
    with pytest.raises(IndexError):
        find_events(np.zeros(3, dtype=np.float32), 0.5, "polyp")[0]
