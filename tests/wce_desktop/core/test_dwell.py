"""What counts as seen."""

from collections.abc import Sequence

import pytest

from wce_desktop.core.dwell import Dwell, Looked, counts_as_seen
from wce_desktop.core.span import Span, SpanSet


def look(steps: Sequence[tuple[int, float, int | None]], end: float, views: int = 1) -> list[Looked]:
    """All that was looked at, for (frame, time it came on screen, rate) steps."""
    dwell, found = Dwell(), []
    for frame, now, rate in steps:
        found.append(dwell.shown(Span(frame, frame + views), now, rate))
    return [one for one in (*found, *dwell.flush(end)) if one is not None]


def seen(looked: list[Looked], *, is_seen: bool = True) -> SpanSet:
    """The frames that count as seen, or those that do not."""
    return SpanSet(one.frames for one in looked if one.is_seen == is_seen)


def run(steps: Sequence[tuple[int, float, int | None]], end: float) -> SpanSet:
    """Frames that counted as seen."""
    return seen(look(steps, end))


@pytest.mark.parametrize(
    ("rate", "views", "is_seen"),
    [(15, 1, True), (16, 1, False), (15, 2, True), (16, 2, False), (7, 4, True), (8, 4, False)],
)
def test_several_frames_at_once_may_be_played_at_twice_the_frames(rate: int, views: int, is_seen: bool) -> None:
    assert counts_as_seen(rate, views) is is_seen


def test_a_frame_that_stays_is_seen_and_one_that_flashes_by_is_not() -> None:
    assert run([(3, 0.0, None), (9, 0.02, None)], 1.0) == SpanSet([Span(9, 10)])
    assert look([(3, 0.0, None)], 0.079) == []
    assert look([(3, 0.0, None)], 0.08) == [Looked(Span(3, 4), True, 0)]


def test_frames_played_at_a_readable_rate_are_seen() -> None:
    assert look([(at, at / 12, 12) for at in range(50)], 50 / 12) == [Looked(Span(0, 50), True, 12)]


def test_frames_played_too_fast_are_not_seen_but_the_last_that_stays_is() -> None:
    looked = look([(at, at / 20, 20) for at in range(50)], 50 / 20)
    assert looked == [Looked(Span(0, 49), False, 20)]
    looked = look([(at, at / 20, 20) for at in range(50)], 3.0)
    assert looked == [Looked(Span(0, 49), False, 20), Looked(Span(49, 50), True, 0)]


def test_frames_of_a_slow_decoder_stay_longer_than_their_rate_says() -> None:
    assert run([(at, at / 5, 60) for at in range(10)], 2.0) == SpanSet([Span(0, 10)])


def test_four_frames_at_once_at_a_high_rate_are_not_seen_however_long_each_stays() -> None:
    looked = look([(at, at / 32, 8) for at in range(0, 40, 4)], 40 / 32, views=4)
    assert seen(looked, is_seen=False) == SpanSet([Span(0, 36)])
    assert {one.fps for one in looked} == {32}


def test_a_change_of_rate_makes_another_stretch() -> None:
    steps = [(at, at / 8, 8) for at in range(8)] + [(at, 1 + (at - 8) / 20, 20) for at in range(8, 28)]
    assert look(steps, 2.0) == [Looked(Span(0, 8), True, 8), Looked(Span(8, 27), False, 20)]


def test_pausing_on_a_frame_makes_it_seen() -> None:
    dwell = Dwell()
    dwell.shown(Span(7, 8), 0.0, 25)
    dwell.pause_here(0.02)
    assert dwell.flush(0.05) == ()
    assert dwell.flush(0.11) == (Looked(Span(7, 8), True, 0),)


def test_the_limit_can_be_set() -> None:
    dwell = Dwell()
    dwell.seen_up_to_fps = 10
    dwell.shown(Span(0, 1), 0.0, 12)
    assert dwell.shown(Span(1, 2), 1 / 12, 12) is None
    assert dwell.shown(Span(5, 6), 2 / 12, None) is None
    assert dwell.flush(1.0) == (Looked(Span(0, 2), False, 12), Looked(Span(5, 6), True, 0))


def test_playing_backwards_joins_too() -> None:
    assert run([(at, (9 - at) / 8, 8) for at in range(9, -1, -1)], 2.0) == SpanSet([Span(0, 10)])


def test_nothing_is_told_twice_and_a_flush_does_not_take_the_frame_off_the_screen() -> None:
    dwell = Dwell()
    dwell.shown(Span(4, 6), 0.0, None)
    assert dwell.flush(0.05) == ()
    assert dwell.flush(0.2) == (Looked(Span(4, 6), True, 0),)
    assert dwell.flush(0.9) == ()
    assert dwell.shown(Span(8, 9), 1.0, None) is None


def test_a_gap_ends_a_span() -> None:
    dwell = Dwell()
    dwell.shown(Span(0, 1), 0.0, None)
    assert dwell.shown(Span(5, 6), 1.0, None) is None
    assert dwell.shown(Span(6, 7), 2.0, None) == Looked(Span(0, 1), True, 0)
    assert dwell.flush(3.0) == (Looked(Span(5, 7), True, 0),)
    dwell.clear()
    assert dwell.flush(9.0) == ()


def test_the_frame_from_which_one_plays_is_played_too() -> None:
    dwell = Dwell()
    dwell.shown(Span(0, 1), 0.0, None)
    dwell.play_from_here(12)
    dwell.shown(Span(1, 2), 0.04, 12)
    assert dwell.flush(0.05) == (Looked(Span(0, 2), True, 12),)
