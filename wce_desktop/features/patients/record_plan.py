"""What becomes of the records of studies: values set, patients joined, studies separated from their patient."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from training.errors import UserError
from training.texts import Text, count_text
from wce_desktop.core import counted, new_id, to_translate, tr
from wce_desktop.core.annotation import Record, Replace
from wce_desktop.features.patients.record_fields import BY_NAME, Value

Values = Mapping[str, Value]
_BOTH = {
    "birth_year": to_translate("The year of birth of one patient would be both {one} and {other}."),
    "sex": to_translate("The sex of one patient would be both {one} and {other}."),
}
_DIFFERS = {
    "birth_year": to_translate("The year of birth differs ({values}): {kept} is kept."),
    "sex": to_translate("The sex differs ({values}): {kept} is kept."),
}


@dataclass(frozen=True, slots=True)
class RecordPlan:
    """Changes of several studies as one undo step."""

    title: str  # of the step; it names no patient
    changes: Mapping[str, Sequence[Replace]]  # by study; empty where nothing changes
    question: str = ""  # to be answered first, because patients are joined; empty where none are


def plan_values(records: Iterable[Record], values: Mapping[str, Values]) -> RecordPlan:
    """Set values of studies.

    A name that another patient has joins both into one patient; so does one name for studies of several patients.
    Whoever belongs to a patient who is named goes along. Values of the patient (name, year of birth, sex) hold for all
    studies of the patient, the others for the study alone.

    Args:
        records: of all studies of the library.
        values: study id -> field of `Record` -> value; what is missing stays.

    Raises:
        UserError: two values contradict each other.
    """
    old = {record.study_id: record for record in records}
    new, questions = _named(old, values)
    new = _with_patient_values(new, values, questions)
    for study_id, given in values.items():
        own: dict[str, Any] = {name: value for name, value in given.items() if not BY_NAME[name].is_of_patient}
        new[study_id] = replace(new[study_id], **own)
    _check_years(new, values)
    changes = _changes(old, new)
    title = count_text(
        "Set the patient record of {count:,} study", "Set the patient record of {count:,} studies", len(changes)
    )
    if questions:
        title = count_text("Join patients of {count:,} study", "Join patients of {count:,} studies", len(changes))
    return RecordPlan(title, changes, "\n\n".join(questions))


def plan_another_patient(records: Iterable[Record], chosen: Collection[str]) -> RecordPlan:
    """Let the chosen studies be of another patient, whose name is not entered yet.

    Raises:
        UserError: the patients of these studies have no other studies.
    """
    old = {record.study_id: record for record in records}
    patients = {old[study_id].patient_id for study_id in chosen}
    stay = [record for record in old.values() if record.patient_id in patients and record.study_id not in chosen]
    if not stay:
        raise UserError(
            "There is nothing to separate: no other study has the same patient.",
            "Choose some of the studies that were joined by mistake, not all of them.",
        )
    fresh = new_id("p-")
    cleared: dict[str, Any] = {"patient_id": fresh, "pseudonym": "", "birth_year": None, "sex": ""}
    new = {study_id: replace(record, **cleared) if study_id in chosen else record for study_id, record in old.items()}
    title = count_text(
        "Separate {count:,} study from the patient", "Separate {count:,} studies from the patient", len(chosen)
    )
    return RecordPlan(title, _changes(old, new))


def _named(old: Mapping[str, Record], values: Mapping[str, Values]) -> tuple[dict[str, Record], list[str]]:
    """The records with the patients that the names mean, and a question for each join."""
    groups: dict[str, list[str]] = {}
    for study_id, of_study in values.items():
        if name := str(of_study.get("pseudonym") or ""):
            groups.setdefault(name.casefold(), []).append(study_id)
    new, questions, taken = dict(old), [], set[str]()
    renamed = {study_id for study_id, of_study in values.items() if "pseudonym" in of_study}
    for key, chosen in groups.items():
        patients = list(dict.fromkeys(old[study_id].patient_id for study_id in chosen))
        along = [r.study_id for r in old.values() if r.patient_id in patients and r.study_id not in renamed]
        holders = [r for r in old.values() if r.pseudonym.casefold() == key and r.study_id not in renamed | {*along}]
        holders_ids = list(dict.fromkeys(record.patient_id for record in holders))
        name = holders[0].pseudonym if holders else str(values[chosen[0]]["pseudonym"])
        target = next((patient for patient in [*holders_ids, *patients] if patient not in taken), None) or new_id("p-")
        taken.add(target)
        if len({*holders_ids, *patients}) > 1:
            questions.append(_question(name, [*chosen, *along], holders, len(patients)))
        for study_id in (*chosen, *along, *(record.study_id for record in holders)):
            new[study_id] = replace(new[study_id], patient_id=target, pseudonym=name)
    for study_id in renamed:
        if not values[study_id].get("pseudonym"):  # taken away from the whole patient
            patient = old[study_id].patient_id
            for record in list(new.values()):
                if record.patient_id == patient and not values.get(record.study_id, {}).get("pseudonym"):
                    new[record.study_id] = replace(record, pseudonym="")
    return new, questions


def _question(name: str, coming: Sequence[str], holders: Sequence[Record], patients: int) -> str:
    if holders:
        return tr(
            "“{name}” is already the patient of {studies}. Join {further} with this patient?",
            name=name,
            studies=counted(len(holders), "study"),
            further=counted(len(coming), "further study"),
        )
    return tr(
        "So far {studies} count as {patients}. Join them as “{name}”?",
        studies=counted(len(coming), "study"),
        patients=counted(patients, "patient"),
        name=name,
    )


def _with_patient_values(
    records: Mapping[str, Record], values: Mapping[str, Values], questions: list[str]
) -> dict[str, Record]:
    """Give all studies of a patient the same year of birth and sex."""
    by_patient: dict[str, list[Record]] = {}
    for record in records.values():
        by_patient.setdefault(record.patient_id, []).append(record)
    new = dict(records)
    for of_patient in by_patient.values():
        agreed = {name: _agreed(name, of_patient, values, questions) for name in ("birth_year", "sex")}
        for record in of_patient:
            new[record.study_id] = replace(record, **agreed)  # type: ignore[arg-type]
    return new


def _agreed(name: str, of_patient: Sequence[Record], values: Mapping[str, Values], questions: list[str]) -> Value:
    """The one value of a patient: what was given now, else what is known of one of the studies."""
    given = list(
        dict.fromkeys(
            values[r.study_id][name] for r in of_patient if r.study_id in values and name in values[r.study_id]
        )
    )
    if len(given) > 1:
        first, other = (tr(str(value)) if value else tr("empty") for value in given[:2])
        raise UserError(Text(_BOTH[name], one=first, other=other), "Choose fewer studies, or correct the names.")
    if given:
        return given[0]
    earlier: list[Value] = list(dict.fromkeys(value for r in of_patient if (value := getattr(r, name))))
    if len(earlier) > 1:
        values_said = [tr(str(value)) for value in earlier]
        questions.append(tr(_DIFFERS[name], values=", ".join(values_said), kept=values_said[0]))
    return earlier[0] if earlier else getattr(of_patient[0], name)


def _check_years(records: Mapping[str, Record], values: Mapping[str, Values]) -> None:
    for study_id in values:
        record = records[study_id]
        if record.birth_year is not None and record.exam_date and int(record.exam_date[:4]) < record.birth_year:
            raise UserError(
                "The study of {day} would be earlier than the year of birth, {year}.",
                "Correct one of the two.",
                record.exam_date,
                record.birth_year,
            )


def _changes(old: Mapping[str, Record], new: Mapping[str, Record]) -> dict[str, list[Replace]]:
    return {study_id: [Replace(old[study_id], record)] for study_id, record in new.items() if record != old[study_id]}
