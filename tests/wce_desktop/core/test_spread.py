"""A few frames that stand for a span."""

from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.span import Span, spread_frames


@given(st.integers(0, 1000), st.integers(1, 3000), st.integers(1, 20), st.data())
def test_frames_are_in_order_within_the_span_and_hold_the_one_that_matters(
    start: int, length: int, count: int, data: st.DataObject
) -> None:
    span = Span(start, start + length)
    peak = data.draw(st.integers(span.start, span.stop - 1))
    frames = spread_frames(span, count, peak)
    assert len(frames) == min(count, length)
    assert list(frames) == sorted(set(frames))
    assert peak in frames
    assert all(frame in span for frame in frames)


def test_without_one_that_matters_first_and_last_are_there() -> None:
    assert spread_frames(Span(10, 31), 5) == (10, 15, 20, 25, 30)
    assert spread_frames(Span(10, 12), 5) == (10, 11)
