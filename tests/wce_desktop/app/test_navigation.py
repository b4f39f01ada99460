"""Going from event to event, by hypothesis against the plain definition."""

from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.app.navigation import next_event
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span

EVENTS = st.lists(st.integers(0, 200), unique=True, max_size=12).map(
    lambda frames: [Event(Span(frame, frame + 1), "polyp", 0.9, frame) for frame in frames]
)


@given(EVENTS, st.integers(0, 200))
def test_forwards_is_the_nearest_after_and_then_starts_over(events: list[Event], frame: int) -> None:
    peaks = sorted(event.peak_frame for event in events)
    found = next_event(events, frame)
    after = [peak for peak in peaks if peak > frame]
    assert (found.peak_frame if found else None) == next(iter(after or peaks), None)


@given(EVENTS, st.integers(0, 200))
def test_backwards_is_the_nearest_before_and_then_starts_over(events: list[Event], frame: int) -> None:
    peaks = sorted(event.peak_frame for event in events)
    found = next_event(events, frame, backwards=True)
    before = [peak for peak in peaks if peak < frame]
    assert (found.peak_frame if found else None) == next(reversed(before or peaks), None)


@given(EVENTS, st.integers(0, 200))
def test_pressing_it_as_often_as_there_are_events_visits_each(events: list[Event], frame: int) -> None:
    visited = set()
    for _ in events:
        found = next_event(events, frame)
        assert found is not None
        frame = found.peak_frame
        visited.add(frame)
    assert visited == {event.peak_frame for event in events}


def test_only_wanted_events_count() -> None:
    events = [Event(Span(frame, frame + 1), "polyp", 0.9, frame) for frame in (3, 8, 20)]
    found = next_event(events, 0, keep=lambda event: event.peak_frame != 3)
    assert found is not None
    assert found.peak_frame == 8
    assert next_event(events, 0, keep=lambda event: False) is None
