"""Selected frames on the timeline: where their pins stand, and that they are there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage

from tests.wce_desktop.widgets.timeline.conftest import FRAMES
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.marks_paint import pin_positions


@given(
    st.lists(st.integers(0, 999), unique=True).map(sorted),
    st.floats(0, 900),
    st.floats(1, 1000),
    st.floats(10, 2000),
)
def test_a_pin_stands_over_the_middle_of_each_frame_shown(
    frames: list[int], start: float, length: float, width: float
) -> None:
    axis = FrameAxis(FrameWindow(start, start + length), 7.0, width)
    found = pin_positions(axis, np.array(frames, np.int64))
    wanted = {round(axis.x(frame + 0.5)) for frame in frames if int(start) <= frame < start + length}
    assert len(found) == len(set(found.tolist()))
    assert all(min(abs(x - y) for y in wanted) <= 1 for x in found.tolist())
    assert all(min(abs(x - y) for x in found.tolist()) <= 1 for y in wanted)


def _pixels(view: TimelineView) -> np.ndarray:
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine()).copy()


def test_the_selection_is_drawn_and_goes_again(timeline: TimelineView) -> None:
    before = _pixels(timeline)
    timeline.set_selected(np.array([5, 1000, 1001, FRAMES - 1]))
    assert not np.array_equal(_pixels(timeline), before)
    timeline.set_selected(np.empty(0, np.int64))
    assert np.array_equal(_pixels(timeline), before)


def test_half_a_million_selected_frames_are_drawn(timeline: TimelineView) -> None:
    timeline.set_study(500_000, np.arange(500_000) / 8.0)
    timeline.set_selected(np.arange(500_000))
    axis = FrameAxis(FrameWindow(0, 500_000), 0.0, 800.0)
    assert len(pin_positions(axis, np.arange(500_000))) <= 801
    assert not timeline.grab().isNull()
