"""Finished English texts are recognised and translated, unknown ones stay as they are."""

import pytest
from wce_desktop.core.finished_texts import LONGEST, FinishedTexts

GERMAN = FinishedTexts(
    {
        "Frame {1} of {2} cannot be read.": "Bild {1} von {2} kann nicht gelesen werden.",
        "Score it again.": "Die Scores neu berechnen.",
        "Worse: {1}.": "Schlechter: {1}.",
        "{1} fell from {2} to {3}": "{1} fiel von {2} auf {3}",
        "{1} and {2}": "{1} und {2}",
        " and ": " und ",
        "the index {1} is damaged": "der Index {1} ist beschädigt",
        "another model": "ein anderes Modell",
        "{1} was made with {2}.": "{1} wurde erstellt: {2}.",
        "small": "klein",
        "Small": "Klein",
        "A name {1}, and {2} of it": "{2}, vom Namen {1}",
    },
    lambda number: number.translate({ord(","): ".", ord("."): ","}),
)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Frame 5 of a.mp4 cannot be read.", "Bild 5 von a.mp4 kann nicht gelesen werden."),
        ("Score it again.", "Die Scores neu berechnen."),
        ("Frame 31,204 of 2.mp4 cannot be read.", "Bild 31.204 von 2.mp4 kann nicht gelesen werden."),
        ("Frame 7 of 1.2.3 cannot be read.", "Bild 7 von 1.2.3 kann nicht gelesen werden."),
        (
            "Frame 5 of a.mp4 cannot be read. Score it again.",
            "Bild 5 von a.mp4 kann nicht gelesen werden. Die Scores neu berechnen.",
        ),
        ("x.h5 was made with another model.", "x.h5 wurde erstellt: ein anderes Modell."),
        (
            "Worse: AUC fell from 0.9 to 0.5; sensitivity fell from 0.8 to 0.2.",
            "Schlechter: AUC fiel von 0,9 auf 0,5; sensitivity fiel von 0,8 auf 0,2.",
        ),
        ("A name {1}, and B of it", "B, vom Namen {1}"),
    ],
)
def test_a_known_text_is_translated_with_its_values(english: str, german: str) -> None:
    assert GERMAN.translate(english) == german


def test_each_sentence_is_recognised_by_itself() -> None:
    """A value of the first text never takes in the sentences after it."""
    said = GERMAN.translate("Frame 1 of a cannot be read. Score it again. Frame 2 of b cannot be read.")
    assert said.startswith("Bild 1 von a kann nicht gelesen werden. Die Scores neu berechnen. Bild 2 von b")


def test_what_is_unknown_stays() -> None:
    for text in ("", "Nobody knows this sentence.", "bread and butter", "x: and y", "0.5", "the first and the second."):
        assert GERMAN.translate(text) == text
    said = GERMAN.translate("Nobody knows this. Score it again.\nNor this.")
    assert said == "Nobody knows this. Die Scores neu berechnen.\nNor this."


def test_a_sentence_may_begin_with_what_stands_in_the_middle_of_another() -> None:
    assert GERMAN.translate("The index a.idx is damaged") == "Der Index a.idx ist beschädigt"


def test_a_value_of_one_capitalised_word_is_a_name() -> None:
    assert GERMAN.translate("Worse: Small.") == "Schlechter: Small."
    assert GERMAN.translate("Worse: small.") == "Schlechter: klein."
    assert GERMAN.translate("Worse: another model and small.") == "Schlechter: ein anderes Modell und klein."


def test_long_texts_are_left_alone() -> None:
    text = "Score it again. " * (LONGEST // 10)
    assert GERMAN.translate(text) == text


def test_without_translations_every_text_stays() -> None:
    assert FinishedTexts({}, str).translate("Score it again.") == "Score it again."
