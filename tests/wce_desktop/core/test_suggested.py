"""Suggested findings: their parts and main parts, and what the reader's links say of events."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wce_desktop.core.annotation.link import Link
from wce_desktop.core.event import EventList, find_events
from wce_desktop.core.suggested import SuggestedFindings, linked_events


def events_of(seed: int, frames: int = 200) -> EventList:
    random = np.random.default_rng(seed)
    tracks = {name: random.random(frames).astype(np.float32) for name in ("polyp", "blood")}
    return EventList(find_events(track, 0.8, name) for name, track in tracks.items())


def link(first: tuple[int, str], second: tuple[int, str], *, is_same: bool = True, other: str = "s") -> Link:
    ends = {"frame_index": first[0], "name": first[1], "other_frame_index": second[0], "other_name": second[1]}
    return Link.new(study_id="s", other_study_id=other, is_same=is_same, **ends)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 30))
def test_parts_and_main_parts_equal_a_slow_reference(seed: int, count: int) -> None:
    events = events_of(seed)
    random = np.random.default_rng(seed)
    groups = np.unique(random.integers(count, size=len(events)), return_inverse=True)[1].astype(np.int64)
    scores = random.random(int(groups.max()) + 1).astype(np.float32)
    found = SuggestedFindings(events, groups, scores)
    held = {group: [event for event, of in zip(events, groups, strict=True) if of == group] for group in set(groups)}
    mains = {max(parts, key=lambda part: part.peak_score) for parts in held.values()}
    assert set(found.main) == mains
    assert [event.span.start for event in found.main] == sorted(event.span.start for event in mains)
    assert len(found) == len(held)
    for event, group in zip(events, groups, strict=True):
        assert found.parts_of(event) == held[group]
        assert found.main_of(event) in mains
        assert found.score_of(event) == scores[group]
    counts = [len(found.parts_of(main)) for main in found.main]
    assert found.main_part_counts.tolist() == counts
    by_first = sorted(mains, key=lambda main: (found.parts_of(main)[0].span.start, found.main.row_of(main)))
    assert list(found.ordered("time")) == by_first
    assert found.ordered("time").order == "time"
    by_score = sorted(found.main, key=lambda main: -main.peak_score)
    assert list(found.ordered("score")) == by_score
    for order in ("time", "score"):
        listed = found.ordered(order)
        ranked = found.main_part_counts[found.ranking(order)]
        assert ranked.tolist() == [len(found.parts_of(main)) for main in listed]
    assert sorted(map(len, found.with_parts())) == sorted(count for count in counts if count > 1)


def test_an_event_of_another_list_stands_for_itself() -> None:
    events, other = events_of(0), events_of(1)
    found = SuggestedFindings(events, np.zeros(len(events), np.int64), np.ones(1, np.float32))
    stranger = next(event for event in other if events.row_of(event) < 0)
    assert found.parts_of(stranger) == [stranger]
    assert found.main_of(stranger) == stranger
    assert found.score_of(stranger) == stranger.peak_score


def test_groups_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match="groups"):
        SuggestedFindings(events_of(0), np.zeros(3, np.int64), np.ones(1, np.float32))


def test_links_name_the_events_that_hold_their_frames() -> None:
    polyp, blood = np.zeros(100, np.float32), np.zeros(100, np.float32)
    polyp[[10, 11, 30, 31, 50]] = 0.9
    blood[[30, 70]] = 1.0
    events = EventList(find_events(track, 0.5, name) for name, track in (("polyp", polyp), ("blood", blood)))
    row = {(event.name, event.span.start): at for at, event in enumerate(events)}
    first, second, third = row["polyp", 10], row["polyp", 30], row["polyp", 50]
    polyp_10, polyp_30, blood_30 = (10, "polyp"), (31, "polyp"), (30, "blood")
    assert linked_events(events, [link((11, "polyp"), (30, "polyp"))]) == (((first, second),), ())
    assert linked_events(events, [link(polyp_10, (50, "polyp"), is_same=False)]) == ((), ((first, third),))
    assert linked_events(events, [link(polyp_10, blood_30)]) == (((first, row["blood", 30]),), ()), "of the class named"
    assert linked_events(events, [link(polyp_10, (30, ""))]) == (((first, row["blood", 30]),), ()), "the highest"
    assert linked_events(events, [link((30, "polyp"), blood_30)]) == (((second, row["blood", 30]),), ()), "at one frame"
    assert linked_events(events, [link(polyp_10, (11, "polyp"))]) == ((), ()), "an event is one already"
    assert linked_events(events, [link(polyp_10, (90, "polyp"))]) == ((), ()), "not flagged any more"
    assert linked_events(events, [link(polyp_10, (70, "polyp"))]) == ((), ()), "not as this class"
    assert linked_events(events, [link(polyp_10, polyp_30, other="t")]) == ((), ()), "of another study"
