"""What appears and disappears between two sets of scores."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.comparison import FlagCounts, changed_events, count_flags
from wce_desktop.core.event import Scores, find_events

flags = st.lists(st.booleans(), min_size=12, max_size=12)


@given(flags, flags)
def test_an_event_changes_when_it_shares_no_frame_with_one_of_the_other_model(old: list[bool], new: list[bool]) -> None:
    tracks = [np.array(track, dtype=np.float32) for track in (old, new)]
    before, after = (find_events(track, 0.5, "polyp") for track in tracks)
    appear = [one for one in after if not any(one.span.intersects(other.span) for other in before)]
    disappear = [one for one in before if not any(one.span.intersects(other.span) for other in after)]
    first, second = (Scores(("polyp",), track[:, None], np.arange(12, dtype=np.int64)) for track in tracks)
    changes = changed_events(first, second, 0.5, 12)
    assert changes == (*(("appears", one) for one in appear), *(("disappears", one) for one in disappear))


def test_classes_that_both_models_know_are_compared_but_not_normal() -> None:
    index = np.arange(4, dtype=np.int64)
    old = Scores(("normal", "polyp"), np.array([[0, 1], [1, 0], [1, 0], [1, 0]], dtype=np.float32), index)
    new = Scores(
        ("normal", "blood", "polyp"), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]], dtype=np.float32), index
    )
    changes = changed_events(old, new, 0.5, 4)
    assert [(kind, event.name, event.peak_frame) for kind, event in changes] == [
        ("appears", "polyp", 2),
        ("disappears", "polyp", 0),
    ]
    assert count_flags(old, new, 0.5, 4) == (FlagCounts("polyp", 1, 1, 1, 1),)


def test_flags_are_counted_in_frames_and_in_events() -> None:
    index = np.arange(6, dtype=np.int64)
    tracks = [np.array(track, dtype=np.float32)[:, None] for track in ([1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1])]
    old, new = (Scores(("polyp",), track, index) for track in tracks)
    assert count_flags(old, new, 0.5, 6, max_gap=1) == (FlagCounts("polyp", 3, 1, 2, 1),)
