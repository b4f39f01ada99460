"""Numbers in the chosen language."""

import pytest

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.clock import (
    counted,
    counted_text,
    format_frame,
    format_frame_stored,
    parse_position,
    percent,
    score_text,
)
from wce_desktop.core.language import in_english, number_text, read_translations, tr, tr_count, use_translations
from wce_desktop.session.places import resource

NUMBERS = [(1204, ","), (0.97, ".2f"), (1234567.891, ",.1f"), (-1204, ","), (0.5, "g"), (0.125, ".1%"), (3, ",")]


def test_in_english_numbers_are_what_python_writes() -> None:
    assert [number_text(*each) for each in NUMBERS] == [format(*each) for each in NUMBERS]
    assert tr("{count} of {all}, {share:.2f}", count=1204, all="31,204", share=0.97) == "1,204 of 31,204, 0.97"


@pytest.mark.usefixtures("in_german")
def test_in_german_marks_are_exchanged() -> None:
    assert [number_text(*each) for each in NUMBERS] == [
        "1.204",
        "0,97",
        "1.234.567,9",
        "-1.204",
        "0,5",
        "12,5 %",
        "3",
    ]
    assert [score_text(score) for score in (0.5, 0.9972, 0.0002, 0.99996)] == ["0,50", "0,997", "<0,001", ">0,999"]
    assert [percent(share) for share in (0.005, 0.846, 1e-7)] == ["0,5 %", "84,6 %", "weniger als 0,01 %"]
    assert format_frame(31204) == "31.204"


@pytest.mark.usefixtures("in_german")
def test_no_text_stays_no_text() -> None:
    assert tr("") == tr(Text("")) == tr_count("", "", 2) == ""
    assert tr("{why}", why="") == ""


@pytest.mark.usefixtures("in_german")
def test_numbers_among_the_values_of_a_text_are_written_so_and_other_values_are_left_alone() -> None:
    assert counted(1204, "frame") == "1.204 Bilder"
    assert tr_count("{count} frame", "{count} frames", 1) == "1 Bild"
    assert tr("{a} {b:.2f} {c} {d} {e:,}", a=1204, b=0.5, c="1,204", d=True, e=31204) == "1.204 0,50 1,204 True 31.204"


@pytest.mark.usefixtures("in_german")
def test_what_is_stored_keeps_english_numbers() -> None:
    assert counted_text(1204, "frame") == "1,204 frames"
    assert format_frame_stored(31204) == "31,204"
    with in_english():
        assert (counted(1204, "frame"), number_text(0.97, ".2f"), score_text(0.5)) == ("1,204 frames", "0.97", "0.50")


def test_a_language_names_its_marks_by_a_translated_number() -> None:
    use_translations({"1,234.5%": "1\u202f234,5\u202f%"})
    try:
        assert [number_text(1204), number_text(0.12, ".0%")] == ["1\u202f204", "12\u202f%"]
        use_translations({"1,234.5%": "no number"})
        assert number_text(1204) == "1,204"
    finally:
        use_translations({})


@pytest.mark.usefixtures("in_german")
@pytest.mark.parametrize("typed", ["31.204", "31204", "31,204", "31 204"])
def test_a_frame_number_is_whole_whatever_its_mark(typed: str) -> None:
    assert parse_position(typed) == parse_position("31204")


@pytest.mark.usefixtures("in_german")
def test_a_position_that_may_be_another_number_is_refused() -> None:
    assert parse_position("44:01,5") == parse_position("44:01.5")
    for typed in ("3,5", "3.5", "1.234,567", "31.20"):
        with pytest.raises(ValueError, match="neither a frame number") as refused:
            parse_position(typed)
        assert "weder eine Bildnummer" in tr(refused.value)


def test_german_texts_hold_no_english_number() -> None:
    """A number in a translation has the marks of the language, too; dates are written with points."""
    import re

    german = read_translations(resource("translations", "wce_desktop_de.ts"))
    wrong = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,2}|,\d{3})(?![\d.])")
    versions = "CVAT"  # whose format has the version 1.1
    assert [text for text in german.values() if wrong.search(text) and versions not in text] == []


@pytest.mark.usefixtures("in_german")
@pytest.mark.parametrize("name", ["a{b.mp4", "a}b.mp4", "{0}", "{a}{", "}{", "{a.b!x:y}"])
def test_braces_in_names_are_shown_as_they_are(name: str) -> None:
    sentence = f"The file {name} is gone."
    assert tr(Text(sentence)) == sentence
    assert tr(UserError(sentence)) == sentence
    assert tr(UserError(sentence, "Look for it.")) == f"{sentence} Look for it."
    assert tr("Undone: {title}", title=Text(name)) == f"Rückgängig gemacht: {name}"
    assert tr(Text("{path} cannot be written ({reason}).", name, Text(name))).count(name) == 2
