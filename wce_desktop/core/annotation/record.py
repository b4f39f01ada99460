"""The patient record of a study: who was examined, when, with what and why."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from wce_desktop.core.language import to_translate

Sex = Literal["", "female", "male", "other"]
SEXES: tuple[Sex, ...] = get_args(Sex)
FIRST_YEAR = 1880
TITLES = {
    "pseudonym": (to_translate("Name or number"), to_translate("name or number of the patient")),
    "birth_year": (to_translate("Year of birth"), to_translate("year of birth")),
    "sex": (to_translate("Sex"), to_translate("sex")),
    "exam_date": (to_translate("Date"), to_translate("date of the examination")),
    "capsule": (to_translate("Capsule"), to_translate("capsule")),
    "indication": (to_translate("Indication"), to_translate("indication")),
    "preparation": (to_translate("Preparation"), to_translate("preparation")),
    "read_by": (to_translate("Reader"), to_translate("reader of the study")),
}
"""What a reader enters -> what reports call it, and sentences of the audit log."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of the patient and the examination of one study; empty where it was not entered.

    Studies of one patient have the same `patient_id`, `pseudonym`, `birth_year` and `sex`.

    Args:
        patient_id: a random name that exports hold; the studies of one patient are never on both sides of a split.
        pseudonym: what the reader calls the patient, such as a hospital number; it never leaves the library.
        birth_year: four digits, or None.
        exam_date: of the examination, as YYYY-MM-DD, or empty.
        capsule: model of the capsule.
        indication: why the examination was made.
        preparation: of the bowel, such as "2 l PEG".
        read_by: who reads the study.
        removed_utc: when the study was removed (ISO 8601), or empty; until it is erased it can be brought back.
    """

    study_id: str
    patient_id: str
    pseudonym: str = ""
    birth_year: int | None = None
    sex: Sex = ""
    exam_date: str = ""
    capsule: str = ""
    indication: str = ""
    preparation: str = ""
    read_by: str = ""
    removed_utc: str = ""

    def __post_init__(self) -> None:
        if not self.patient_id:
            raise ValueError("a record needs a patient")
        if self.sex not in SEXES:
            raise ValueError(f"sex is one of {', '.join(SEXES[1:])} or empty, not {self.sex!r}")
        if self.birth_year is not None and not FIRST_YEAR <= self.birth_year <= 9999:
            raise ValueError(f"a year of birth is at least {FIRST_YEAR}, not {self.birth_year}")
        if self.exam_date and not _is_date(self.exam_date):
            raise ValueError(f"a date is written YYYY-MM-DD, not {self.exam_date!r}")

    @property
    def is_named(self) -> bool:
        """Whether the reader has said who the patient is; until then each study counts as a patient of its own."""
        return bool(self.pseudonym)


def _is_date(text: str) -> bool:
    try:
        return bool(_DATE.fullmatch(text)) and bool(date.fromisoformat(text))
    except ValueError:
        return False
