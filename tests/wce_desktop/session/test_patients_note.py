"""Results say in words that patients were not entered."""

import json
from pathlib import Path

from tests.wce_desktop.sessions import add_study
from training.datasets.manifest import load_manifest, patients_note
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.span import Span
from wce_desktop.core.study import without_patient
from wce_desktop.features.learning.model.cross_validation import plan_cross_validation
from wce_desktop.features.models.run_texts import card_rows
from wce_desktop.features.reading.review_budget import read_budget
from wce_desktop.library.exchange import export_library
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import describe_choice, study_rows
from wce_desktop.session.study_choice import patients_note as note_of

NOTE = "3 files, patients not entered: results may be optimistic."


def add_three(session: Session, folder: Path) -> list[str]:
    """Three labelled studies whose patients nobody has entered."""
    more = [
        session.library.studies.add(folder / f"{name}.mp4", fingerprint=name, frame_count=60) for name in ("b", "c")
    ]
    ids = [study.study_id for study in (add_study(session, folder), *more)]
    for study_id in ids:
        labels = [
            Label(f"p{study_id}", study_id, Span(1, 3), "polyp"),
            Label(f"n{study_id}", study_id, Span(5, 9), "normal"),
        ]
        session.library.annotations.edit(study_id, "Label", [Add(label) for label in labels])
    return ids


def test_one_file_and_several() -> None:
    assert patients_note(0) == ""
    assert patients_note(1) == "1 file, patients not entered: results may be optimistic."
    assert patients_note(3) == NOTE


def test_every_choice_and_plan_says_so_until_patients_are_entered(session: Session, tmp_path: Path) -> None:
    ids = add_three(session, tmp_path)
    assert note_of(session) == NOTE
    assert note_of(session, ids[:1]) == patients_note(1)
    assert NOTE in describe_choice(study_rows(session), ids)
    model = session.current_model
    assert model is not None
    assert NOTE in plan_cross_validation(session, model).sentences
    first, second, third = (session.library.studies.record(study_id) for study_id in ids)
    session.edits.apply_to_studies("Join", {ids[1]: [Replace(second, Record(ids[1], first.patient_id))]})
    assert without_patient(session.library.studies.all()) == {ids[2]}, "who was joined was entered"
    session.edits.apply_to_studies("Name", {ids[2]: [Replace(third, Record(ids[2], third.patient_id, "K3"))]})
    assert note_of(session) == ""
    assert "optimistic" not in describe_choice(study_rows(session), ids)


def test_exports_have_the_joined_patient_and_say_which_were_not_entered(session: Session, tmp_path: Path) -> None:
    ids = add_three(session, tmp_path)
    first, second = (session.library.studies.record(study_id) for study_id in ids[:2])
    session.edits.apply_to_studies("Join", {ids[1]: [Replace(second, Record(ids[1], first.patient_id))]})
    export_library(session.library, tmp_path / "out", has_paths=True)
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert manifest[ids[0]].patient_id == manifest[ids[1]].patient_id == first.patient_id
    assert manifest.patients_note == patients_note(1)
    written = {
        entry["study_id"]: entry for entry in json.loads((tmp_path / "out" / "manifest.json").read_text())["studies"]
    }
    assert [written[study_id].get("patient_entered", True) for study_id in ids] == [True, True, False]


def test_imported_patients_are_known(session: Session, tmp_path: Path) -> None:
    session.library.studies.add(tmp_path / "k.mp4", patient_id="P03", fingerprint="k")
    assert note_of(session) == ""


def test_cards_and_review_budgets_pass_the_sentence_on() -> None:
    card = {"split": {"kind": "patients", "sentence": NOTE}, "warning": NOTE}
    assert NOTE in [value for row in card_rows(card) for value in row]
    rows = [{"share": 0.01, "frame_sensitivity": 0.5, "finding_sensitivity": 0.6}]
    budget = read_budget({"review_budget": {"rows": rows, "patients": 6}, "warnings": ["Another.", NOTE]})
    assert budget is not None
    assert budget.sentence(0.01).endswith(NOTE)
