"""Studies: kept, changed, found again."""

from dataclasses import replace
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.study import Study
from wce_desktop.library import Library


def test_a_study_comes_back_as_it_was_left(folder: Path, tmp_path: Path) -> None:
    with Library.open(folder, "reader") as library:
        made = library.studies.add(tmp_path / "Éric 🩺.mp4", frame_count=9, duration_seconds=4.5, patient_id="P03")
        library.studies.update(made.study_id, last_frame=7, threshold=0.62, model_id="m1", state="reading")
    with Library.open(folder, "reader") as library:
        (found,) = library.studies.all()
    assert (found.last_frame, found.threshold, found.model_id, found.state) == (7, 0.62, "m1", "reading")
    assert (found.name, found.path, found.patient_id) == ("Éric 🩺", tmp_path / "Éric 🩺.mp4", "P03")


def test_the_same_content_is_the_same_study_at_its_new_place(library: Library, study: Study, tmp_path: Path) -> None:
    again = library.studies.add(tmp_path / "moved" / "video.mp4", fingerprint="abc")
    assert again.study_id == study.study_id
    assert again.path == tmp_path / "moved" / "video.mp4"
    assert len(library.studies.all()) == 1


@pytest.mark.parametrize("study_id", ["../../etc", "a/b", ".hidden", "a" * 65])
def test_an_id_that_is_no_folder_name_is_refused(library: Library, study_id: str) -> None:
    with pytest.raises(UserError, match="cannot be used"):
        library.studies.add(Path("a.mp4"), study_id=study_id)
    assert library.studies.all() == ()


def test_two_studies_never_share_an_id(library: Library) -> None:
    library.studies.add(Path("a.mp4"), study_id="P03a")
    with pytest.raises(UserError, match="P03a"):
        library.studies.add(Path("b.mp4"), study_id="P03a")


def test_fields_that_never_change_are_refused(library: Library, study: Study) -> None:
    with pytest.raises(ValueError, match="created_utc"):
        library.studies.update(study.study_id, created_utc="now")
    with pytest.raises(ValueError, match="lost"):
        library.studies.update(study.study_id, state="lost")
    assert library.studies.get(study.study_id) == study
    with pytest.raises(KeyError):
        library.studies.get("nobody")


def test_a_patients_name_is_kept_and_not_logged(library: Library, study: Study) -> None:
    record = library.studies.record(study.study_id)
    assert library.studies.patient_name(study.patient_id) == record.pseudonym == ""
    named = replace(record, pseudonym="Ada Lovelace", birth_year=1915)
    library.annotations.edit(study.study_id, "Edit the patient record", [Replace(record, named)])
    assert library.studies.patient_name(study.patient_id) == "Ada Lovelace"
    assert "Lovelace" not in str(library.audit.entries())
    assert "1915" in str(library.audit.entries()[-1].after)
    with pytest.raises(KeyError):
        library.studies.record("nobody")


def test_a_record_moves_a_study_to_another_patient_and_back(library: Library, study: Study) -> None:
    record = library.studies.record(study.study_id)
    library.annotations.edit(
        study.study_id, "Merge", [Replace(record, replace(record, patient_id="P77", exam_date="2026-11-20"))]
    )
    assert (library.studies.get(study.study_id).patient_id, library.studies.get(study.study_id).exam_date) == (
        "P77",
        "2026-11-20",
    )
    library.annotations.undo(study.study_id)
    assert library.studies.get(study.study_id) == study
    assert library.studies.record(study.study_id) == record
    for change in (Add(record), Remove(record)):
        with pytest.raises(ValueError, match="part of its study"):
            library.annotations.edit(study.study_id, "no", [change])


def test_parts_of_a_report_are_kept(library: Library, study: Study) -> None:
    part = ReportPart.new(study_id=study.study_id, kind="lewis", content={"tertiles": [{"villi": 1}]}, reader="ada")
    library.annotations.edit(study.study_id, "Lewis score", [Add(part)])
    library.annotations.edit(study.study_id, "Lewis score", [Replace(part, replace(part, content={"tertiles": []}))])
    assert library.annotations.report_parts(study.study_id) == (replace(part, content={"tertiles": []}),)
    library.annotations.undo(study.study_id)
    assert library.annotations.report_parts(study.study_id) == (part,)
