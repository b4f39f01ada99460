"""Times and frame numbers as typed and shown."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.clock import (
    format_frame,
    format_time,
    missing_frames_text,
    parse_position,
    percent,
)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00:00"), (59.99, "0:00:59"), (6241, "1:44:01"), (36000, "10:00:00"), (-61, "-0:01:01"), (math.nan, "–")],
)
def test_times_are_shown_rounded_down(seconds: float, shown: str) -> None:
    assert format_time(seconds) == shown


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("31,204", 31203),
        (" 1 ", 0),
        ("31204", 31203),
        ("31.204", 31203),
        ("1:44:01", 6241.0),
        ("44:01.5", 2641.5),
    ],
)
def test_what_a_person_types(text: str, meant: float) -> None:
    assert parse_position(text) == meant
    assert type(parse_position(text)) is type(meant)


@pytest.mark.parametrize("text", ["", "0", "-3", "1:99:00", "12:75", "frame", "1,2", "1e3"])
def test_what_nobody_can_mean_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="neither a frame number"):
        parse_position(text)


@given(st.integers(1, 10_000_000))
def test_a_shown_number_can_be_typed(number: int) -> None:
    assert parse_position(format_frame(number)) == number - 1


@given(st.integers(0, 400_000))
def test_a_shown_time_can_be_typed(seconds: int) -> None:
    assert parse_position(format_time(seconds)) == float(seconds)


def test_missing_frames_are_named_counting_from_1_and_many_are_cut() -> None:
    assert missing_frames_text([50]) == "1 frame cannot be read: 51."
    assert missing_frames_text([0, 1199]) == "2 frames cannot be read: 1, 1,200."
    assert missing_frames_text(list(range(10)), named=3) == "10 frames cannot be read: 1, 2, 3 …"


def test_shares_are_written_as_percent() -> None:
    assert [percent(share) for share in (0.005, 0.01, 0.846, 1.0)] == ["0.5 %", "1 %", "84.6 %", "100 %"]
    assert [percent(count / 3000) for count in (0, 1, 2998, 2999)] == ["0 %", "0.033 %", "99.9 %", "more than 99.9 %"]
    assert percent(1e-7) == "less than 0.01 %"
