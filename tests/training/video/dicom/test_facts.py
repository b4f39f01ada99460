"""What a header says of the patient; never the name."""

from dataclasses import asdict
from pathlib import Path

import pytest

from tests.dicom_files import dataset, numbered_frames, raw_file, save
from training.errors import UserError
from training.video.dicom.series import PatientFacts, patient_facts


def test_facts_are_those_of_the_header_without_the_name(tmp_path: Path) -> None:
    facts = patient_facts(raw_file(tmp_path / "a.dcm", numbered_frames(2)))
    assert facts == PatientFacts("H-4711", 1950, "female", "2026-05-04", "Capsules Ltd Capsule 3")
    assert "MEIER" not in str(asdict(facts)).upper()


def test_an_empty_header_gives_empty_facts(tmp_path: Path) -> None:
    names = ("PatientID", "PatientBirthDate", "PatientSex", "StudyDate", "Manufacturer", "ManufacturerModelName")
    assert patient_facts(save(tmp_path / "a.dcm", dataset(2, 64, 64, **dict.fromkeys(names)))) == PatientFacts()


def test_characters_follow_the_character_set(tmp_path: Path) -> None:
    made = dataset(2, SpecificCharacterSet="ISO_IR 192", PatientID="Größe 北京")
    assert patient_facts(save(tmp_path / "a.dcm", made)).patient_id == "Größe 北京"
    made = dataset(2, SpecificCharacterSet="ISO_IR 100", PatientID="Größe")
    assert patient_facts(save(tmp_path / "b.dcm", made)).patient_id == "Größe"


def test_what_is_no_date_is_left_out(tmp_path: Path) -> None:
    path = save(tmp_path / "a.dcm", dataset(2, StudyDate="20260504"))
    path.write_bytes(path.read_bytes().replace(b"20260504", b"2026AB04").replace(b"19500301", b"19509901"))
    facts = patient_facts(path)
    assert facts.study_date == ""
    assert facts.birth_year is None


def test_what_is_not_dicom_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.dcm"
    path.write_text("no")
    with pytest.raises(UserError, match="is not a DICOM file"):
        patient_facts(path)
