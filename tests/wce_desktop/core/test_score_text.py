"""One rule for scores and thresholds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.clock import rate_text, score_text


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.5, "0.50"),
        (0.9972, "0.997"),
        (0.00947, "0.01"),
        (0.003, "0.003"),
        (0.0002, "<0.001"),
        (0.99996, ">0.999"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.994, "0.99"),
        (1.234, "1.23"),
        (math.nan, "–"),
    ],
)
def test_written_out(score: float, text: str) -> None:
    assert score_text(score) == text


@given(st.floats(0, 1))
def test_only_0_and_1_read_so_and_a_text_is_near_its_score(score: float) -> None:
    text = score_text(score)
    assert (text == "0.00") == (score == 0)
    assert (text == "1.00") == (score == 1)
    assert abs(float(text.strip("<>")) - score) <= 0.005 + 1e-9


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0.84, "84 %"), (0.0, "0 %"), (1.0, "100 %"), (0.997, "99.7 %"), (0.9999, "more than 99.9 %"), (0.004, "0.4 %")],
)
def test_only_all_is_100_per_cent_and_only_nothing_0(rate: float, text: str) -> None:
    assert rate_text(rate) == text
