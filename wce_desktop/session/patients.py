"""What patients are called on screen, and that they were not entered."""

from collections.abc import Collection

from wce_desktop.core.identity import is_random_id
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.study import without_patient
from wce_desktop.library import Library
from wce_desktop.session.base import SessionBase


def shown_patient(library: Library, patient_id: str) -> str:
    """What a reader calls a patient; without a name the id that an import gave, but never one that was made up here."""
    name = library.patient_name(patient_id)
    return name or (tr("Patient without a name") if is_random_id(patient_id) else patient_id)


def note_on_files(files: int) -> str:
    """The sentence of `training.datasets.manifest.patients_note`, in the window's language; empty for no files."""
    if not files:
        return ""
    return tr_count(
        "{count} file, patients not entered: results may be optimistic.",
        "{count} files, patients not entered: results may be optimistic.",
        files,
    )


def patients_note(session: SessionBase, study_ids: Collection[str] | None = None) -> str:
    """ "3 files, patients not entered: results may be optimistic."; empty where all patients are known.

    Args:
        session: its library.
        study_ids: the studies that a result rests on; None for all.
    """
    found = without_patient(session.library.studies())
    return note_on_files(len(found if study_ids is None else found & frozenset(study_ids)))
