"""Events of several classes as one list, against plain sorting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from wce_desktop.core.event import Event, EventList, Events, find_events
from wce_desktop.core.span import SpanSet

TRACKS = arrays(np.float32, (40, 3), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
NAMES = ("polyp", "ulcer", "blood")


def tables(tracks: NDArray[np.float32], threshold: float = 0.5) -> list[Events]:
    return [find_events(tracks[:, at], threshold, name, max_gap=1) for at, name in enumerate(NAMES)]


@given(TRACKS)
def test_it_holds_the_events_of_all_classes_in_order(tracks: NDArray[np.float32]) -> None:
    plain = [event for table in tables(tracks) for event in table]
    by_time, by_score = EventList(tables(tracks)), EventList(tables(tracks)).ordered("score")
    assert list(by_time) == sorted(plain, key=lambda event: (event.span.start, NAMES.index(event.name)))
    assert [event.peak_score for event in by_score] == sorted((event.peak_score for event in plain), reverse=True)
    assert list(by_score.ordered("time")) == list(by_time)
    for order in (by_time, by_score):
        assert [order.class_names[at] for at in order.classes] == [event.name for event in order]


@given(TRACKS)
def test_the_frames_of_all_events_are_those_of_their_spans(tracks: NDArray[np.float32]) -> None:
    events = EventList(tables(tracks)).ordered("score")
    assert SpanSet.from_mask(events.mask(len(tracks))) == SpanSet(event.span for event in events)


@given(TRACKS, st.integers(0, 39))
def test_a_frame_finds_its_events(tracks: NDArray[np.float32], frame: int) -> None:
    events = EventList(tables(tracks))
    here = [event for event in events if frame in event.span]
    assert sorted(events.at(frame), key=lambda event: event.name) == sorted(here, key=lambda event: event.name)
    scores = [event.peak_score for event in events.at(frame)]
    assert scores == sorted(scores, reverse=True)


@given(TRACKS)
def test_an_event_finds_its_row(tracks: NDArray[np.float32]) -> None:
    for order in (EventList(tables(tracks)), EventList(tables(tracks)).ordered("score")):
        assert [order.row_of(event) for event in order] == list(range(len(order)))
        assert order.row_of(None) == -1


def test_an_event_of_another_class_is_not_found_and_none_is_empty() -> None:
    tracks = np.zeros((40, 3), dtype=np.float32)
    tracks[5, 0] = 1.0
    events = EventList(tables(tracks))
    (event,) = events
    assert events.row_of(Event(event.span, "ulcer", event.peak_score, event.peak_frame)) == -1
    assert list(EventList()) == []
    assert EventList().at(3) == []
