"""Values guessed from the names of files, and what files say of their patients by themselves."""

import re
from pathlib import Path

import pytest

from tests.dicom_files import dataset, numbered_frames, raw_file, save
from training.errors import UserError
from wce_desktop.features.patients.name_pattern import EXAMPLE, Guess, NamePattern, facts_of
from wce_desktop.features.patients.record_fields import Value


def test_a_dicom_header_fills_the_record_but_for_the_name(tmp_path: Path) -> None:
    guess = facts_of(raw_file(tmp_path / "a.dcm", numbered_frames(2)))
    assert guess == Guess(
        {
            "pseudonym": "H-4711",
            "birth_year": 1950,
            "sex": "female",
            "exam_date": "2026-05-04",
            "capsule": "Capsules Ltd Capsule 3",
        }
    )


def test_other_files_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"no header")
    assert facts_of(tmp_path / "a.mp4").problem == "This file does not say whose it is."
    assert facts_of(tmp_path / "gone.mp4").problem == "This file does not say whose it is."


def test_a_date_in_a_dicom_file_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    guess = facts_of(save(tmp_path / "a.dcm", dataset(2, StudyDate="20260230")))
    assert guess.values == {}
    assert "“2026-02-30” is not a date." in guess.problem


FILE = Path("/videos/Muenster/K123_20260314_PillCam SB3.mp4")


def test_the_example_finds_patient_date_and_capsule() -> None:
    guess = NamePattern(EXAMPLE).guess(FILE)
    assert guess == Guess({"pseudonym": "K123", "exam_date": "2026-03-14", "capsule": "PillCam SB3"})


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("{patient} {date}*", "/v/K 7 2026-03-14 part 2.avi", {"pseudonym": "K 7", "exam_date": "2026-03-14"}),
        ("{patient}/{date:%d.%m.%Y}/*", "/v/K7/14.03.2026/video.mp4", {"pseudonym": "K7", "exam_date": "2026-03-14"}),
        ("{patient}-{birth_year}-{sex}", "/v/K7-1950-F.mkv", {"pseudonym": "K7", "birth_year": 1950, "sex": "female"}),
        ("*_{patient}", "/v/capsule_K7", {"pseudonym": "K7"}),  # a folder of images
        ("WCE_{patient}_{date:%y%j}", "/v/wce_K7_26073.mp4", {"pseudonym": "K7", "exam_date": "2026-03-14"}),
    ],
)
def test_stars_folders_and_forms_of_dates(pattern: str, path: str, expected: dict[str, Value]) -> None:
    assert NamePattern(pattern).guess(Path(path)) == Guess(expected)


def test_a_name_that_does_not_fit_says_so() -> None:
    assert NamePattern(EXAMPLE).guess(Path("/v/video.mp4")).problem == "The pattern does not fit this name."


def test_a_pattern_that_fits_twice_sets_nothing() -> None:
    guess = NamePattern("{patient}_{capsule}").guess(Path("/v/K1_SB_3.mp4"))
    assert guess == Guess({}, "The pattern fits twice: {patient} may be “K1” or “K1_SB”.")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/v/K1_20261345_SB3.mp4", "“20261345” is not a date of the form %Y%m%d."),
        ("/v/K1_29990101_SB3.mp4", "The date of the examination, 2999-01-01, lies in the future. Check the year."),
    ],
)
def test_a_date_that_cannot_be_is_a_sentence(path: str, said: str) -> None:
    assert NamePattern(EXAMPLE).guess(Path(path)) == Guess({}, said)


def test_a_year_that_cannot_be_is_a_sentence() -> None:
    problem = NamePattern("{patient}_{birth_year}").guess(Path("/v/K1_1720.mp4")).problem
    assert problem.startswith("“1720” is not a year of birth.")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("video", "no placeholder"),
        ("{patient", "A brace of this pattern is open"),
        ("{name}", "“{name}” is not a placeholder"),
        ("{patient}_{patient}", "contains {patient} twice"),
        ("{patient}{capsule}", "Nothing separates"),
        ("{patient}*", "Nothing separates"),
        ("{date:%Q}", "not the form of a date"),
        ("{date:%Y}", "not the form of a date"),
        ("{date:%Y%m%d%Y}", "not the form of a date"),
        ("{patient:%Y}", "has no form"),
        ("{patient}" + "_" * 300, "too long"),
    ],
)
def test_a_bad_pattern_is_a_sentence(pattern: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        NamePattern(pattern)


def test_long_names_take_no_time() -> None:
    pattern = NamePattern("*_*_*_*_{patient}_{capsule}_{indication}_{preparation}_{reader}x")
    assert pattern.guess(Path("/v/" + "a_" * 100)).problem
