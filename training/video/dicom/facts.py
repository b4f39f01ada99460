"""What a DICOM header says of the patient and the examination, for the record of a study."""

from dataclasses import dataclass
from pathlib import Path

from training.video.dicom.elements import DicomError, Elements, read_elements
from training.video.dicom.header import damaged

_TAGS = {
    "characters": 0x00080005,
    "study_date": 0x00080020,
    "manufacturer": 0x00080070,
    "model": 0x00081090,
    "patient_id": 0x00100020,
    "birth_date": 0x00100030,
    "sex": 0x00100040,
}
_SEXES = {"M": "male", "F": "female", "O": "other"}
_MOST_CHARACTERS = 64  # a DICOM long string has at most 64


@dataclass(frozen=True)
class PatientFacts:
    """Plain values of a header; empty or None where it does not say. The patient's name is never among them.

    Attributes:
        patient_id: the hospital's number or a pseudonym (Patient ID).
        birth_year: four digits; the day of birth is not kept.
        sex: "female", "male", "other", or empty.
        study_date: as YYYY-MM-DD.
        manufacturer_model: manufacturer and model of the recorder or capsule.
    """

    patient_id: str = ""
    birth_year: int | None = None
    sex: str = ""
    study_date: str = ""
    manufacturer_model: str = ""


def patient_facts(path: Path) -> PatientFacts:
    """Read what a DICOM file says of its patient, whatever its pixel data are.

    Raises:
        UserError: it is not DICOM, damaged, or cannot be read.
    """
    try:
        elements = read_elements(path, _TAGS.values())
    except (DicomError, OSError) as error:
        raise damaged(path, str(error) if isinstance(error, DicomError) else error.strerror or "unreadable") from error
    born, examined = _date(elements.text(_TAGS["birth_date"])), _date(elements.text(_TAGS["study_date"]))
    return PatientFacts(
        patient_id=_text(elements, "patient_id"),
        birth_year=int(born[:4]) if born else None,
        sex=_SEXES.get(elements.text(_TAGS["sex"]).upper(), ""),
        study_date=f"{examined[:4]}-{examined[4:6]}-{examined[6:]}" if examined else "",
        manufacturer_model=" ".join(filter(None, (_text(elements, "manufacturer"), _text(elements, "model")))),
    )


def _text(elements: Elements, name: str) -> str:
    """A value in the file's characters; without control characters."""
    raw, encoding = elements.values.get(_TAGS[name], b""), "ascii"
    if not raw.isascii():
        from pydicom.charset import python_encoding

        encoding = python_encoding.get(next(iter(elements.texts(_TAGS["characters"])), ""), encoding)
    text = raw.decode(encoding, "replace")
    return "".join(c for c in text.strip(" \0") if c.isprintable())[:_MOST_CHARACTERS].strip()


def _date(text: str) -> str:
    """A date as YYYYMMDD; empty where it is none (PS3.5, 6.2; older files write dots)."""
    digits = text.replace(".", "")
    is_date = len(digits) == 8 and digits.isascii() and digits.isdigit() and digits[:4] >= "1800"
    return digits if is_date and "01" <= digits[4:6] <= "12" and "01" <= digits[6:] <= "31" else ""
