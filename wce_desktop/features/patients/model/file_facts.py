"""What files say of their patients by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from training.errors import UserError
from training.video.dicom.elements import is_dicom
from training.video.dicom.facts import patient_facts
from wce_desktop.core.language import tr
from wce_desktop.features.patients.model.fields import BY_NAME
from wce_desktop.features.patients.model.name_pattern import Guess

FactSource = Callable[[Path], Mapping[str, str]]
"""Reads one kind of file: texts by field of `Record`, as a reader would type them; empty for other files.

Raises:
    UserError: the file is of its kind, and cannot be read.
"""


def dicom_facts(path: Path) -> Mapping[str, str]:
    """What a DICOM header says of patient and examination; not the patient's name."""
    if not (path.is_file() and is_dicom(path)):
        return {}
    facts = patient_facts(path)
    said = {
        "pseudonym": facts.patient_id,
        "birth_year": str(facts.birth_year or ""),
        "sex": facts.sex,
        "exam_date": facts.study_date,
        "capsule": facts.manufacturer_model,
    }
    return {name: text for name, text in said.items() if text}


SOURCES: tuple[FactSource, ...] = (dicom_facts,)
"""For each kind of file that says whose it is."""


def facts_of(path: Path, sources: Iterable[FactSource] = SOURCES) -> Guess:
    """What a file says, by the first source that knows it."""
    for source in sources:
        try:
            if said := source(path):
                return Guess({name: BY_NAME[name].parse(text) for name, text in said.items() if name in BY_NAME})
        except UserError as error:
            return Guess(problem=tr(error))
    return Guess(problem=tr("This file does not say whose it is."))
