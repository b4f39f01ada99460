"""Says beside results that patients were not entered."""

from collections.abc import Collection

from training.datasets.manifest import patients_note as note_on_files
from wce_desktop.core.annotation.patients import without_patient
from wce_desktop.session.base import SessionBase


def patients_note(session: SessionBase, study_ids: Collection[str] | None = None) -> str:
    """ "3 files, patients not entered: results may be optimistic."; empty where all patients are known.

    Args:
        session: its library.
        study_ids: the studies that a result rests on; None for all.
    """
    found = without_patient(session.library.studies())
    return note_on_files(len(found if study_ids is None else found & frozenset(study_ids)))
