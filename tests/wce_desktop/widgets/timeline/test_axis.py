"""Windows of frames stay inside the study, and pixels lead back to the frame they came from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.widgets.timeline.axis import CLOSEST_FRAMES, FrameAxis, FrameWindow

COUNTS = st.integers(1, 600_000)
SHARES = st.floats(0, 1)


@st.composite
def studies(draw: st.DrawFn) -> tuple[int, FrameWindow]:
    """A number of frames and a window inside them."""
    count = draw(COUNTS)
    length = draw(st.floats(1, count)) if count > 1 else 1.0
    start = draw(SHARES) * (count - length)
    return count, FrameWindow(start, start + length).kept_inside(count)


def assert_inside(window: FrameWindow, count: int) -> None:
    assert window.start >= -1e-6
    assert window.stop <= count + 1e-6
    assert window.length >= min(CLOSEST_FRAMES, count) - 1e-6


@given(studies(), st.floats(0.01, 100), SHARES)
def test_zooming_keeps_the_place_under_the_pointer(study: tuple[int, FrameWindow], factor: float, share: float) -> None:
    count, window = study
    around = window.start + share * window.length
    zoomed = window.zoomed(factor, around, count)
    assert_inside(zoomed, count)
    touches_an_end = zoomed.start <= 1e-6 or zoomed.stop >= count - 1e-6
    assert touches_an_end or (around - zoomed.start) / zoomed.length == pytest.approx(share, abs=1e-6)


@given(studies(), SHARES)
def test_following_shows_the_frame_and_keeps_the_zoom(study: tuple[int, FrameWindow], share: float) -> None:
    count, window = study
    frame = min(int(share * count), count - 1)
    followed = window.following(frame, count)
    assert followed.start - 1e-6 <= frame + 0.5 <= followed.stop + 1e-6
    assert followed.length == pytest.approx(window.length)
    assert_inside(followed, count)


def test_following_turns_pages() -> None:
    window = FrameWindow(1000, 1100)
    assert window.following(1099, 5000) == window
    assert window.following(1100, 5000) == FrameWindow(1090, 1190)
    assert window.following(999, 5000) == FrameWindow(909, 1009)
    assert window.following(3000, 5000) == FrameWindow(2950.5, 3050.5)


def test_a_frame_cut_by_an_end_moves_the_window_by_what_is_missing() -> None:
    window = FrameWindow(1000.7, 1100.2)
    assert window.following(1000, 5000).start == pytest.approx(1000)
    assert window.following(1100, 5000).stop == pytest.approx(1101)


@given(studies(), st.floats(1, 4000), SHARES)
def test_the_middle_of_a_frame_leads_back_to_it(study: tuple[int, FrameWindow], width: float, share: float) -> None:
    count, window = study
    axis = FrameAxis(window, 132, width)
    frame = min(int(window.start + share * window.length), count - 1)
    assert axis.frame(axis.x(frame + 0.5), count) == frame


def test_an_empty_study_has_no_frames() -> None:
    axis = FrameAxis(FrameWindow.whole(0), 10, 100)
    assert axis.frame(50, 0) == -1
    assert axis.position(50) == 0.0
    assert FrameWindow.opening(0) == FrameWindow(0, 0)
