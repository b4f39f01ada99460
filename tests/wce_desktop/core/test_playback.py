"""Playing: order, timing on a fake clock, ends, flagged frames."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.dwell import SEEN_UP_TO_FPS
from wce_desktop.core.playback import RATES_FPS, Playback
from wce_desktop.core.span import Span, SpanSet


def play_all(playback: Playback, now: float = 0.0, direction: int = 1) -> list[int]:
    """All positions until playing stops by itself, each shown the moment it is due."""
    positions = []
    playback.play(now, direction)
    while playback.is_playing:
        now += playback.seconds_until_due(now) or 0.0
        position = playback.tick(now)
        if position is not None:
            positions.append(position)
            playback.shown(position, now)
    return positions


def test_plays_every_frame_once_and_stops_at_the_end() -> None:
    playback = Playback(10)
    assert play_all(playback) == list(range(1, 10))
    assert playback.position == 9
    assert not playback.is_playing
    assert play_all(playback, direction=-1) == list(range(8, -1, -1))


def test_does_not_play_where_nothing_is_left() -> None:
    playback = Playback(3)
    assert not playback.play(0.0, -1)
    playback.seek(2, 0.0)
    assert not playback.play(0.0)
    assert not Playback(0).play(0.0)


@given(st.integers(0, 40), st.sampled_from([1, 2, 4]), st.sampled_from([1, -1]), st.integers(0, 39))
def test_views_leave_no_frame_out(frames: int, views: int, direction: int, start: int) -> None:
    playback = Playback(frames)
    playback.set_views(views)
    start = playback.seek(start, 0.0)
    positions = [start, *play_all(playback, direction=direction)]
    shown = {frame for first in positions for frame in range(first, first + views)}
    assert set(range(start, frames) if direction > 0 else range(start + 1 if frames else 0)) <= shown


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 39), st.sampled_from([1, 2, 4]), st.sampled_from([1, -1]))
def test_flagged_only_plays_all_flagged_frames(mask: list[bool], start: int, views: int, direction: int) -> None:
    playback = Playback(len(mask))
    playback.set_views(views)
    playback.set_flagged(np.array(mask, dtype=bool))
    start = playback.seek(start, 0.0)
    positions = play_all(playback, direction=direction)
    shown = {frame for first in [start, *positions] for frame in range(first, first + views)}
    ahead = range(start + 1, len(mask)) if direction > 0 else range(max(start, 0))
    assert {frame for frame in ahead if mask[frame]} <= shown
    for first in positions:
        assert any(mask[first : first + views])
    if views == 1:
        assert all(mask[first] for first in positions)
        assert positions == sorted(set(positions), reverse=direction < 0)


def test_upcoming_is_what_comes() -> None:
    playback = Playback(100)
    playback.set_flagged(SpanSet([Span(3, 5), Span(90, 92)]).to_mask(100))
    playback.play(0.0)
    assert playback.upcoming(3) == [3, 4, 90]
    assert playback.upcoming(9) == play_all(playback)


@given(st.sampled_from(RATES_FPS), st.lists(st.floats(0.001, 0.49), min_size=30, max_size=30))
def test_jitter_below_half_a_period_does_not_add_up(rate: int, late: list[float]) -> None:
    playback = Playback(31)
    playback.set_rate(rate, 0.0)
    playback.play(0.0)
    for step, part in enumerate(late, start=1):
        now = (step + part) / rate
        assert playback.tick(now) == step
        playback.shown(step, now)
    assert playback.seconds_until_due(31 / rate) is not None
    assert playback.tick(31.001 / rate) is None


@given(st.lists(st.floats(0, 3), min_size=20, max_size=20))
def test_a_slow_decoder_makes_frames_late_but_skips_none_and_flashes_none(delays: list[float]) -> None:
    playback = Playback(21)
    playback.play(0.0)
    now, shown_at, positions = 0.0, [0.0], []
    for delay in delays:
        now += playback.seconds_until_due(now) or 0.0
        position = playback.tick(now)
        assert position is not None
        assert playback.tick(now) is None, "it waits until the frame is shown"
        now += delay
        playback.shown(position, now)
        positions.append(position)
        shown_at.append(now)
    assert positions == list(range(1, 21))
    assert all(later - earlier >= playback.stay_seconds(0) / 2 - 1e-9 for earlier, later in pairwise(shown_at))


def test_pausing_stays_with_what_was_shown() -> None:
    playback = Playback(10)
    playback.play(0.0)
    assert playback.tick(1.0) == 1
    playback.pause()
    assert playback.position == 0
    playback.play(1.0)
    playback.seek(7, 1.0)
    playback.pause()
    assert playback.position == 7, "a seek is a wish of its own"


def test_seeking_while_playing_goes_on_from_there() -> None:
    playback = Playback(100)
    playback.play(0.0)
    playback.seek(50, 0.05)
    assert playback.tick(5.0) is None
    playback.shown(50, 5.0)
    assert playback.tick(5.0 + playback.stay_seconds(0)) == 51


def test_rates_step_through_the_table_and_hold_at_its_ends() -> None:
    playback = Playback(10)
    assert playback.rate_fps == 8
    assert [playback.faster(0.0) for _ in range(10)] == [12, 16, 20, 25, 30, 40, 50, 60, 60, 60]
    assert [playback.slower(0.0) for _ in range(14)][-3:] == [1, 1, 1]
    with pytest.raises(ValueError, match="60"):
        playback.set_rate(61, 0.0)


def test_seeking_holds_within_the_study() -> None:
    playback = Playback(10)
    assert playback.seek(99, 0.0) == 9
    assert playback.seek(-4, 0.0) == 0


def slow_order(
    flagged: list[bool], kept: list[bool], start: int, views: int, direction: int, is_flagged_only: bool
) -> list[int]:
    """The positions that are played, frame by frame."""
    played = [
        is_kept and (is_flagged or not is_flagged_only) for is_kept, is_flagged in zip(kept, flagged, strict=True)
    ]
    positions: list[int] = []
    at = start
    while True:
        if direction > 0:
            following = [frame for frame in range(at + views, len(kept)) if played[frame]]
            if not following:
                return positions
            at = following[0]
        else:
            before = [frame for frame in range(at) if played[frame]]
            if not before:
                return positions
            at = max(0, before[-1] - views + 1)
        positions.append(at)


FRAMES_OF_TWO = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(FRAMES_OF_TWO, st.integers(0, 39), st.sampled_from([1, 2, 4]), st.sampled_from([1, -1]), st.booleans())
def test_frames_left_out_equal_a_slow_reference(
    frames: list[tuple[bool, bool]], start: int, views: int, direction: int, is_flagged_only: bool
) -> None:
    flagged, kept = [one for one, _ in frames], [other for _, other in frames]
    playback = Playback(len(frames))
    playback.set_views(views)
    playback.set_kept(np.array(kept))
    if is_flagged_only:
        playback.set_flagged(np.array(flagged))
    start = playback.seek(start, 0.0)
    played = play_all(playback, direction=direction)
    assert played == slow_order(flagged, kept, start, views, direction, is_flagged_only)
    playback.set_kept(None)
    playback.set_flagged(None)
    playback.seek(0, 0.0)
    assert play_all(playback) == list(range(views, len(frames), views))


@given(st.lists(st.floats(0.5, 3), min_size=1, max_size=20), st.sampled_from(RATES_FPS))
def test_positions_stay_as_long_as_the_pace_says(pace: list[float], rate: int) -> None:
    playback = Playback(len(pace))
    playback.set_rate(rate, 0.0)
    playback.set_pace(np.array(pace, np.float32))
    now = 0.0
    playback.play(now)
    for position in range(1, len(pace)):
        wait = playback.seconds_until_due(now)
        assert wait is not None
        expected = 1 / min(float(rate * np.float32(pace[position - 1])), float(max(rate, SEEN_UP_TO_FPS)))
        assert wait == pytest.approx(expected, rel=1e-5)
        assert playback.rate_at(position - 1) <= max(rate, SEEN_UP_TO_FPS)
        now += wait
        assert playback.tick(now) == position
        playback.shown(position, now)


def test_opening_another_study_plays_every_frame_evenly_again() -> None:
    playback = Playback(4)
    playback.set_kept(np.array([True, False, True, True]))
    playback.set_pace(np.full(4, 2, np.float32))
    assert playback.is_adaptive
    playback.open(3)
    assert not playback.is_adaptive
    assert play_all(playback) == [1, 2]
    with pytest.raises(ValueError, match="kept"):
        playback.set_kept(np.ones(4, bool))
    with pytest.raises(ValueError, match="pace"):
        playback.set_pace(np.zeros(3, np.float32))
