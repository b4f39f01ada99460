"""Which two studies show the same patient, so that a place of one is searched in the other; pairs.csv."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from training.datasets.manifest import Manifest, StudyEntry
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.reidentification.grouping import joined_numbers


class PairRow(TableRow):
    """Two studies of one patient: places of the first are searched in the second."""

    study_id: str = Field(min_length=1)
    other_study_id: str = Field(min_length=1)


def read_pairs(path: Path, manifest: Manifest) -> list[PairRow]:
    """Read pairs.csv; raises `UserError` for a study that is not in the manifest, or that is paired with itself."""
    rows = read_rows(path, PairRow, ("study_id", "other_study_id"))
    known = {study.study_id for study in manifest.studies}
    for row in rows:
        if missing := {row.study_id, row.other_study_id} - known:
            raise UserError(
                "{path} names the study {study_id}, which is not in the manifest.",
                "Add the study to the manifest, or remove the pair.",
                path,
                min(missing),
            )
        if row.study_id == row.other_study_id:
            raise UserError(
                "{path} pairs the study {study_id} with itself.", "Name two studies of a patient.", path, row.study_id
            )
    return rows


def with_joined_patients(manifest: Manifest, pairs: Sequence[PairRow]) -> Manifest:
    """The manifest in which all patients of paired studies, also by way of other pairs, are the first one of them.

    Public sets count each recording as a patient. Without this, one patient could train and be evaluated.
    """
    patients = list(dict.fromkeys(study.patient_id for study in manifest.studies))
    place = {name: at for at, name in enumerate(patients)}
    number = {study.study_id: place[study.patient_id] for study in manifest.studies}
    first = joined_numbers(len(patients), [(number[row.study_id], number[row.other_study_id]) for row in pairs])
    return Manifest(
        studies=tuple(
            study.model_copy(update={"patient_id": patients[first[number[study.study_id]]]})
            for study in manifest.studies
        )
    )


def paired_studies(manifest: Manifest, pairs: Sequence[PairRow] = ()) -> list[tuple[StudyEntry, StudyEntry]]:
    """The studies of each pair; without any the first and the second study of each patient, in the manifest's order.

    Raises:
        UserError: there are no pairs, and nobody has two studies.
    """
    if pairs:
        return [(manifest[row.study_id], manifest[row.other_study_id]) for row in pairs]
    of_patient: dict[str, list[StudyEntry]] = {}
    for study in manifest.studies:
        of_patient.setdefault(study.patient_id, []).append(study)
    result = [(each[0], each[1]) for each in of_patient.values() if len(each) > 1]
    if not result:
        raise UserError(
            "No patient has two studies, so no place can be searched in another study.",
            "Add a second study of at least one patient, or say in pairs.csv which studies are of one patient.",
        )
    return result
