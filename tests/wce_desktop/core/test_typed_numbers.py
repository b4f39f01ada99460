"""What is typed as a number in the chosen language."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wce_desktop.core.language import number_text, parse_decimal, parse_whole


def test_in_english() -> None:
    assert [parse_whole(typed) for typed in ("31204", "31,204", " 31 204 ", "-3")] == [31204, 31204, 31204, -3]
    assert [parse_decimal(typed) for typed in ("0.5", "5e-4", "3", ".25", "1204.5")] == [0.5, 5e-4, 3.0, 0.25, 1204.5]


@pytest.mark.usefixtures("in_german")
def test_in_german() -> None:
    assert [parse_whole(typed) for typed in ("31204", "31.204", "1.031.204")] == [31204, 31204, 1031204]
    assert [parse_decimal(typed) for typed in ("0,5", "5e-4", "1,5e-4", "1,204")] == [0.5, 5e-4, 1.5e-4, 1.204]


@pytest.mark.parametrize("typed", ["31.204", "3.5", "3,5", "31,20", "1,234.567", "", "many", "1,2345"])
def test_what_is_no_whole_number_in_english_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_whole(typed)


@pytest.mark.usefixtures("in_german")
@pytest.mark.parametrize("typed", ["31,204", "3.5", "3,5", "31.20", "1.234,567", "", "viele"])
def test_what_is_no_whole_number_in_german_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_whole(typed)


@pytest.mark.parametrize("typed", ["0,5", "1,204", "1,204.5", "", "nan", "inf"])
def test_decimals_with_the_mark_of_another_language_are_refused_in_english(typed: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_decimal(typed)


@pytest.mark.usefixtures("in_german")
@pytest.mark.parametrize("typed", ["0.5", "1.204", "1.204,5", "", "nan"])
def test_decimals_with_the_mark_of_another_language_are_refused_in_german(typed: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_decimal(typed)


@pytest.mark.usefixtures("in_german")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(-(10**9), 10**9))
def test_a_shown_number_can_be_typed(number: int) -> None:
    assert parse_whole(number_text(number)) == number
    assert parse_decimal(number_text(number / 8, ".3f")) == number / 8
