"""What appears and disappears between two sets of scores."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.comparison import FlagCounts, compare_events, compare_scores, count_flags
from wce_desktop.core.event import find_events
from wce_desktop.core.scores import Scores

flags = st.lists(st.booleans(), min_size=12, max_size=12)


@given(flags, flags)
def test_an_event_is_kept_when_it_shares_a_frame_with_one_before(old: list[bool], new: list[bool]) -> None:
    before = find_events(np.array(old, dtype=np.float32), 0.5, "polyp")
    after = find_events(np.array(new, dtype=np.float32), 0.5, "polyp")
    changes = compare_events(before, after)
    assert list(changes.kept) == [one for one in after if any(one.span.intersects(other.span) for other in before)]
    assert list(changes.appeared) == [one for one in after if one not in list(changes.kept)]
    assert list(changes.disappeared) == [
        one for one in before if not any(one.span.intersects(other.span) for other in after)
    ]


def test_classes_that_both_models_know_are_compared_but_not_normal() -> None:
    index = np.arange(4, dtype=np.int64)
    old = Scores(("normal", "polyp"), np.array([[0, 1], [1, 0], [1, 0], [1, 0]], dtype=np.float32), index)
    new = Scores(
        ("normal", "blood", "polyp"), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]], dtype=np.float32), index
    )
    (changes,) = compare_scores(old, new, 0.5, 4)
    assert changes.name == "polyp"
    assert [event.peak_frame for event in changes.appeared] == [2]
    assert [event.peak_frame for event in changes.disappeared] == [0]
    assert count_flags(old, new, 0.5, 4) == (FlagCounts("polyp", 1, 1, 1, 1),)


def test_flags_are_counted_in_frames_and_in_events() -> None:
    index = np.arange(6, dtype=np.int64)
    tracks = [np.array(track, dtype=np.float32)[:, None] for track in ([1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1])]
    old, new = (Scores(("polyp",), track, index) for track in tracks)
    assert count_flags(old, new, 0.5, 6, max_gap=1) == (FlagCounts("polyp", 3, 1, 2, 1),)
