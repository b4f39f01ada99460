"""Going from event to event, by hypothesis against the plain definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core import Span
from wce_desktop.core.annotation import Landmark, Region
from wce_desktop.core.event import EventList, find_events
from wce_desktop.features.reading.events import next_event, next_unread, to_read


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


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 29), st.integers(0, 29), st.integers(1, 30))
def test_the_next_unread_stretch_is_that_of_the_plain_definition(
    seen: list[bool], frame: int, start: int, length: int
) -> None:
    within = Span(min(start, len(seen) - 1), min(min(start, len(seen) - 1) + length, len(seen)))
    begins = [at for at in range(within.start, within.stop) if not seen[at] and (at == within.start or seen[at - 1])]
    later = [at for at in begins if at > frame + 1]
    assert next_unread(~np.array(seen), frame, within) == next(iter(later or begins), None)


def test_what_is_to_be_read_is_the_small_bowel_once_it_is_known() -> None:
    assert to_read([], 100) == (Span(0, 100), "the study")
    landmarks = [Landmark("a", "s", Region.SMALL_BOWEL, 20), Landmark("b", "s", Region.COLON, 70)]
    assert to_read(landmarks[1:], 100) == (Span(0, 100), "the study")
    assert to_read(landmarks, 100) == (Span(20, 70), "the small bowel")
