"""Which studies count as patients of their own because nobody has entered whose they are."""

from collections import Counter
from collections.abc import Collection

from training.datasets.manifest import patients_note as note_on_files
from wce_desktop.core.record import is_random_patient
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.session.base import SessionBase


def without_patient(library: Library, study_ids: Collection[str] | None = None) -> list[Study]:
    """The studies, of all or of those named, whose patient was neither entered nor imported."""
    studies = library.studies()
    shared = Counter(study.patient_id for study in studies)
    return [
        study
        for study in studies
        if (study_ids is None or study.study_id in study_ids)
        and not study.pseudonym
        and shared[study.patient_id] == 1
        and is_random_patient(study.patient_id)
    ]


def patients_note(session: SessionBase, study_ids: Collection[str] | None = None) -> str:
    """ "3 files, patients not entered: results may be optimistic."; empty where all patients are known.

    A single file cannot be on both sides of a split.
    """
    return note_on_files(len(without_patient(session.library, study_ids)))
