"""Which of many events are drawn, and how short bars become wide enough to be seen, against plain loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.wce_desktop.widgets.timeline.conftest import event_list
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.scores_paint import events_to_draw
from wce_desktop.widgets.timeline.spans_paint import SHORTEST_BAR_PX, _widened

EVENTS = st.lists(st.tuples(st.integers(0, 60), st.sampled_from([0.25, 0.5, 0.75]), st.sampled_from(["a", "b"])))


@given(EVENTS, st.integers(0, 40), st.integers(1, 40), st.integers(1, 50))
def test_of_the_events_that_share_a_pixel_the_highest_is_drawn(
    events: list[tuple[int, float, str]], start: int, length: int, width: int
) -> None:
    table = event_list([Event(Span(at, at + 1), name, score, at) for at, score, name in events])
    axis = FrameAxis(FrameWindow(start, start + length), 10, width)
    best: dict[int, int] = {}
    for row in sorted(range(len(table.peak_frames)), key=lambda row: (-table.peak_scores[row], row)):
        middle = float(table.peak_frames[row]) + 0.5
        if start <= middle < start + length:
            best.setdefault(int((middle - start) * axis.px_per_frame), row)
    assert events_to_draw(axis, table).tolist() == list(best.values())


@given(st.lists(st.booleans(), max_size=30))
def test_every_bar_is_wide_enough_and_none_other_grows(columns: list[bool]) -> None:
    mask: NDArray[np.bool_] = np.array(columns, dtype=bool)
    wanted = mask.copy()
    for at in range(len(columns)):
        if columns[at] and (at == 0 or not columns[at - 1]):
            wanted[at : at + SHORTEST_BAR_PX] = True
    assert _widened(mask).tolist() == wanted.tolist()
