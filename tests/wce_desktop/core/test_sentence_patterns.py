"""A finished sentence is traced back to its text with placeholders."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from wce_desktop.core.sentence_patterns import SentencePatterns

TEXTS = ("{1} images of {2}", "{1} of {2}", "{1} cannot be read.", "frame{1} of {2}", "images")


def found(sentence: str, texts: Sequence[str] = TEXTS) -> list[tuple[str, dict[str, str]]]:
    return [(text, dict(values)) for text, values, _ in SentencePatterns(texts).find(sentence)]


def test_the_text_that_says_most_comes_first() -> None:
    assert found("12 images of P03") == [
        ("{1} images of {2}", {"1": "12", "2": "P03"}),
        ("{1} of {2}", {"1": "12 images", "2": "P03"}),
    ]


def test_a_text_without_placeholders_fits_itself_only() -> None:
    assert found("images") == [("images", {})]
    assert found("images, too") == []


def test_values_that_hold_fixed_parts_are_found_in_every_way() -> None:
    assert [values for _, values in found("1 of 2 of 3", ["{1} of {2}"])] == [
        {"1": "1", "2": "2 of 3"},
        {"1": "1 of 2", "2": "3"},
    ]


def test_a_fixed_part_may_be_a_part_of_a_word() -> None:
    assert ("frame{1} of {2}", {"1": "s", "2": "P03"}) in found("frames of P03")


@given(
    st.lists(st.sampled_from(["{a}", "{b}", "x", " y ", "xy", ". "]), min_size=1, max_size=6),
    st.text("xy .", max_size=12),
)
def test_patterns_find_a_text_wherever_a_regular_expression_does(parts: list[str], sentence: str) -> None:
    text = "".join(dict.fromkeys(parts))
    pattern = "".join("(.*)" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w\})", text))
    assert bool(found(sentence, [text])) == bool(re.fullmatch(pattern, sentence))
