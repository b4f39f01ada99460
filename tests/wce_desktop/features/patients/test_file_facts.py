"""What files say of their patients by themselves."""

from pathlib import Path

from tests.dicom_files import dataset, numbered_frames, raw_file, save
from wce_desktop.features.patients.model.file_facts import facts_of
from wce_desktop.features.patients.model.name_pattern import Guess


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


def test_a_date_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    guess = facts_of(save(tmp_path / "a.dcm", dataset(2, StudyDate="20260230")))
    assert guess.values == {}
    assert "“2026-02-30” is not a date." in guess.problem
