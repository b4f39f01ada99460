"""Going from event to event, by hypothesis against the plain definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.event import EventList, find_events
from wce_desktop.features.reading.events import next_event


def events_at(frames: list[int]) -> EventList:
    """One event a frame, no two side by side."""
    track = np.zeros(402, dtype=np.float32)
    track[[2 * frame for frame in frames]] = 0.9
    return EventList([find_events(track, 0.5, "polyp")])


EVENTS = st.lists(st.integers(0, 200), unique=True, max_size=12).map(events_at)


@given(EVENTS, st.integers(0, 401))
def test_forwards_is_the_nearest_after_and_then_starts_over(events: EventList, frame: int) -> None:
    peaks = sorted(event.peak_frame for event in events)
    found = next_event(events, frame)
    after = [peak for peak in peaks if peak > frame]
    assert (found.peak_frame if found else None) == next(iter(after or peaks), None)


@given(EVENTS, st.integers(0, 401))
def test_backwards_is_the_nearest_before_and_then_starts_over(events: EventList, frame: int) -> None:
    peaks = sorted(event.peak_frame for event in events)
    found = next_event(events, frame, backwards=True)
    before = [peak for peak in peaks if peak < frame]
    assert (found.peak_frame if found else None) == next(reversed(before or peaks), None)


@given(EVENTS, st.integers(0, 401))
def test_pressing_it_as_often_as_there_are_events_visits_each(events: EventList, frame: int) -> None:
    visited = set()
    for _ in events:
        found = next_event(events, frame)
        assert found is not None
        frame = found.peak_frame
        visited.add(frame)
    assert visited == {event.peak_frame for event in events}


def test_only_wanted_events_count() -> None:
    events = events_at([3, 8, 20])
    found = next_event(events, 0, wanted=np.array([False, True, True]))
    assert found is not None
    assert found.peak_frame == 16
    assert next_event(events, 0, wanted=np.zeros(3, dtype=bool)) is None
