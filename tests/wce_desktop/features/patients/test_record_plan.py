"""Patients named, joined and separated."""

from dataclasses import replace

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.record import Record
from wce_desktop.features.patients.record_fields import Value, parsed
from wce_desktop.features.patients.record_plan import RecordPlan, plan_another_patient, plan_values

A = Record("a", "p-1", "K1", 1950, "female")
B = Record("b", "p-2")
C = Record("c", "p-3")
D = Record("d", "p-1", "K1", 1950, "female", exam_date="2025-01-02")


def after(records: list[Record], plan: RecordPlan) -> dict[str, Record]:
    """The records once the plan is carried out."""
    new = {record.study_id: record for record in records}
    for study_id, changes in plan.changes.items():
        (change,) = changes
        assert change.old == new[study_id]
        assert isinstance(change.new, Record)
        new[study_id] = change.new
    return new


def test_naming_a_patient_asks_nothing() -> None:
    plan = plan_values([A, B, C], {"b": {"pseudonym": "K2", "sex": "male", "capsule": "SB3"}})
    assert plan.question == ""
    assert plan.title == "Set the patient record of 1 study"
    assert after([A, B, C], plan) == {"a": A, "b": Record("b", "p-2", "K2", sex="male", capsule="SB3"), "c": C}


def test_a_name_that_another_study_has_joins_both_after_a_question() -> None:
    plan = plan_values([A, B, D], {"b": {"pseudonym": "k1"}})
    assert plan.question == "“K1” is already the patient of 2 studies. Join 1 further study with this patient?"
    assert after([A, B, D], plan)["b"] == Record("b", "p-1", "K1", 1950, "female")
    assert plan.title == "Join patients of 1 study"


def test_one_name_for_several_studies_joins_them() -> None:
    plan = plan_values([B, C], {key: {"pseudonym": "K9"} for key in "bc"})
    assert plan.question == "So far 2 studies count as 2 patients. Join them as “K9”?"
    assert {record.patient_id for record in after([B, C], plan).values()} == {"p-2"}


def test_values_of_a_patient_hold_for_all_studies_of_the_patient_and_others_for_one() -> None:
    new = after([A, D, B], plan_values([A, D, B], {"a": {"birth_year": 1951, "capsule": "SB3"}}))
    assert (new["a"].birth_year, new["d"].birth_year, new["b"].birth_year) == (1951, 1951, None)
    assert (new["a"].capsule, new["d"].capsule) == ("SB3", "")


def test_a_patient_renamed_is_renamed_in_all_studies() -> None:
    plan = plan_values([A, D], {"a": {"pseudonym": "K7"}})
    assert plan.question == ""
    assert {record.pseudonym for record in after([A, D], plan).values()} == {"K7"}


def test_a_name_taken_away_is_taken_from_all_studies() -> None:
    new = after([A, D], plan_values([A, D], {"a": {"pseudonym": ""}}))
    assert {(record.pseudonym, record.patient_id) for record in new.values()} == {("", "p-1")}


def test_another_patient_separates_and_joining_again_brings_back() -> None:
    joined = [A, replace(B, patient_id="p-1", pseudonym="K1", birth_year=1950, sex="female")]
    new = after(joined, plan_another_patient(joined, ["b"]))
    assert new["a"] == A
    assert new["b"].patient_id not in ("p-1", "p-2")
    assert (new["b"].pseudonym, new["b"].birth_year, new["b"].sex) == ("", None, "")
    apart = list(new.values())
    assert after(apart, plan_values(apart, {"b": {"pseudonym": "K1"}}))["b"] == joined[1]


def test_nothing_to_separate_is_a_sentence() -> None:
    with pytest.raises(UserError, match="no other study has the same patient"):
        plan_another_patient([A, D], ["a", "d"])


def test_years_of_birth_that_differ_are_told_in_the_question() -> None:
    older = replace(B, birth_year=1949)
    plan = plan_values([A, older], {"b": {"pseudonym": "K1"}})
    assert "The year of birth differs" in plan.question
    assert len({record.birth_year for record in after([A, older], plan).values()}) == 1


def test_guesses_may_tell_studies_of_one_patient_apart() -> None:
    new = after([A, D], plan_values([A, D], {"a": {"pseudonym": "K7"}, "d": {"pseudonym": "K8"}}))
    assert new["a"].patient_id != new["d"].patient_id


def test_guesses_that_contradict_each_other_are_a_sentence() -> None:
    values: dict[str, dict[str, Value]] = {
        "b": {"pseudonym": "K2", "birth_year": 1950},
        "c": {"pseudonym": "K2", "birth_year": 1951},
    }
    with pytest.raises(UserError, match="would be both 1950 and 1951"):
        plan_values([B, C], values)


def test_a_study_before_the_birth_is_a_sentence() -> None:
    with pytest.raises(UserError, match="earlier than the year of birth"):
        plan_values([B], {"b": {"birth_year": 2000, "exam_date": "1999-01-01"}})


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("exam_date", "3/4/2026", "as 2026-03-14, or day, month and year with points as 14.03.2026"),
        ("exam_date", "31.2.2026", "not a date"),
        ("exam_date", "2026-02-30", "not a date"),
        ("exam_date", "2999-01-01", "lies in the future"),
        ("birth_year", "50", "not a year of birth"),
        ("birth_year", "2999", "not a year of birth"),
        ("sex", "x", "not a sex"),
        ("capsule", "a\x00b", "cannot be entered"),
        ("capsule", "a" * 501, "cannot be entered"),
    ],
)
def test_what_cannot_be_is_a_sentence(name: str, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parsed({name: text})


@pytest.mark.parametrize("typed", ["2026-03-04", "04.03.2026", "4.3.2026", " 4. 3. 2026 "])
def test_dates_are_typed_in_two_ways(typed: str) -> None:
    assert parsed({"exam_date": typed}) == {"exam_date": "2026-03-04"}
