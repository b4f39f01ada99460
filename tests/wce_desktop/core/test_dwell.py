"""What counts as seen."""

from wce_desktop.core.dwell import Dwell
from wce_desktop.core.span import Span, SpanSet


def run(steps: list[tuple[int, float, int | None]], end: float) -> SpanSet:
    """Frames that counted, for (frame, time it came on screen, rate) steps."""
    dwell, seen = Dwell(), SpanSet()
    for frame, now, rate in steps:
        if span := dwell.shown(Span(frame, frame + 1), now, rate):
            seen = seen.add(span)
    return seen.union(dwell.flush(end))


def test_a_frame_that_stays_is_seen_and_one_that_flashes_by_is_not() -> None:
    assert run([(3, 0.0, None), (9, 0.02, None)], 1.0) == SpanSet([Span(9, 10)])
    assert run([(3, 0.0, None)], 0.079) == SpanSet()
    assert run([(3, 0.0, None)], 0.08) == SpanSet([Span(3, 4)])


def test_frames_played_at_a_readable_rate_are_seen() -> None:
    assert run([(at, at / 30, 30) for at in range(50)], 50 / 30) == SpanSet([Span(0, 50)])


def test_frames_played_too_fast_are_not_seen_but_the_last_that_stays_is() -> None:
    assert run([(at, at / 60, 60) for at in range(50)], 50 / 60) == SpanSet()
    assert run([(at, at / 60, 60) for at in range(50)], 2.0) == SpanSet([Span(49, 50)])


def test_playing_backwards_joins_too() -> None:
    assert run([(at, (9 - at) / 8, 8) for at in range(9, -1, -1)], 2.0) == SpanSet([Span(0, 10)])


def test_nothing_is_told_twice_and_a_flush_does_not_take_the_frame_off_the_screen() -> None:
    dwell = Dwell()
    dwell.shown(Span(4, 6), 0.0, None)
    assert dwell.flush(0.05) == ()
    assert dwell.flush(0.2) == (Span(4, 6),)
    assert dwell.flush(0.9) == ()
    assert dwell.shown(Span(8, 9), 1.0, None) is None


def test_a_gap_ends_a_span() -> None:
    dwell = Dwell()
    dwell.shown(Span(0, 1), 0.0, None)
    assert dwell.shown(Span(5, 6), 1.0, None) is None
    assert dwell.shown(Span(6, 7), 2.0, None) == Span(0, 1)
    assert dwell.flush(3.0) == (Span(5, 7),)
    dwell.clear()
    assert dwell.flush(9.0) == ()


def test_the_frame_from_which_one_plays_is_played_too() -> None:
    dwell = Dwell()
    dwell.shown(Span(0, 1), 0.0, None)
    dwell.play_from_here(25)
    dwell.shown(Span(1, 2), 0.04, 25)
    assert dwell.flush(0.05) == (Span(0, 2),)
