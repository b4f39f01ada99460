"""DICOM files of one picture each, which together are a series; and what a header says of patient and examination."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.texts import Text
from training.video.dicom.elements import DicomError, Elements, is_dicom, read_elements
from training.video.dicom.header import VIDEO, damaged

_TAGS = {
    "frames": 0x00280008,
    "patient": 0x00100020,
    "study": 0x0020000D,
    "series": 0x0020000E,
    "series_number": 0x00200011,
    "instance": 0x00200013,
    "acquired": 0x0008002A,
    "acquisition_date": 0x00080022,
    "acquisition_time": 0x00080032,
    "content_date": 0x00080023,
    "content_time": 0x00080033,
}
_LAST = 2**40


def is_single_picture(path: Path) -> bool:
    """Whether a file is DICOM and announces one picture, which may be damaged."""
    elements = _elements(path)
    if elements is None or elements.pixel_data is None or elements.transfer_syntax in VIDEO:
        return False
    frames = elements.text(_TAGS["frames"])
    return not frames or (frames.isascii() and frames.isdigit() and int(frames[:12]) == 1)


def has_no_picture(path: Path) -> bool:
    """Whether a file is sound DICOM without pixel data, such as a report."""
    elements = _elements(path)
    return elements is not None and elements.pixel_data is None


def series_order(folder: Path, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of single pictures by series, then by instance number, without numbers by time, or else as they were.

    What is to be said of it comes second.

    Raises:
        UserError: they are of several patients or examinations.
    """
    pictures = [(name, elements) for name in names if (elements := _elements(folder / name)) is not None]
    for tag, sentence in (
        ("patient", "The folder {name} holds DICOM pictures of {count:,} patients."),
        ("study", "The folder {name} holds DICOM pictures of {count:,} examinations."),
    ):
        count = len({elements.text(_TAGS[tag]) for _, elements in pictures})
        if count > 1:
            raise UserError(
                Text(sentence, folder.name, count), "Put the files of each examination into a folder of its own."
            )
    notes: list[str] = []
    by_series = Counter(elements.text(_TAGS["series"]) for _, elements in pictures)
    if len(by_series) > 1:
        notes.append(
            Text("The DICOM files are of {count:,} series, which follow one another by their numbers.", len(by_series))
        )
    numbers = [(_number(e, "series_number"), e.text(_TAGS["series"]), _number(e, "instance")) for _, e in pictures]
    times = [_time(elements) for _, elements in pictures]
    rows = list(zip(numbers, times, (name for name, _ in pictures), strict=True))
    has_numbers = len(set(numbers)) == len(numbers) and all(
        instance != _LAST and (series != _LAST or len(by_series) == 1) for series, _, instance in numbers
    )
    if has_numbers:
        rows.sort(key=lambda row: row[0])
    elif all(times):
        rows.sort(key=lambda row: (row[1], row[0]))
        notes.append("The DICOM files have no numbers that tell their order; they are in the order of their times.")
    else:
        notes.append("The DICOM files have neither numbers nor times that tell their order; it is that of their names.")
    return tuple(name for *_, name in rows), tuple(notes)


def _elements(path: Path) -> Elements | None:
    try:
        return read_elements(path, _TAGS.values()) if is_dicom(path) else None
    except (DicomError, OSError):
        return None


def _number(elements: Elements, tag: str) -> int:
    text = elements.text(_TAGS[tag]).lstrip("+")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else _LAST


def _time(elements: Elements) -> str:
    """When a picture was taken, as a text that sorts by time; empty where the file does not say."""
    date = {kind: elements.text(_TAGS[f"{kind}_date"]) for kind in ("acquisition", "content")}
    times = (day + time for kind, day in date.items() if (time := elements.text(_TAGS[f"{kind}_time"])))
    return elements.text(_TAGS["acquired"]) or next(times, "")


_PATIENT_TAGS = {
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
    """Read what a DICOM file says of its patient, whatever its pixel data are."""
    try:
        elements = read_elements(path, _PATIENT_TAGS.values())
    except (DicomError, OSError) as error:
        raise damaged(path, str(error) if isinstance(error, DicomError) else error.strerror or "unreadable") from error
    born, examined = (_date(elements.text(_PATIENT_TAGS[name])) for name in ("birth_date", "study_date"))
    return PatientFacts(
        patient_id=_text(elements, "patient_id"),
        birth_year=int(born[:4]) if born else None,
        sex=_SEXES.get(elements.text(_PATIENT_TAGS["sex"]).upper(), ""),
        study_date=f"{examined[:4]}-{examined[4:6]}-{examined[6:]}" if examined else "",
        manufacturer_model=" ".join(filter(None, (_text(elements, "manufacturer"), _text(elements, "model")))),
    )


def _text(elements: Elements, name: str) -> str:
    """A value in the file's characters; without control characters."""
    raw, encoding = elements.values.get(_PATIENT_TAGS[name], b""), "ascii"
    if not raw.isascii():
        from pydicom.charset import python_encoding

        encoding = python_encoding.get(next(iter(elements.texts(_PATIENT_TAGS["characters"])), ""), encoding)
    text = raw.decode(encoding, "replace")
    return "".join(c for c in text.strip(" \0") if c.isprintable())[:_MOST_CHARACTERS].strip()


def _date(text: str) -> str:
    """A date as YYYYMMDD; empty where it is none (PS3.5, 6.2; older files write dots)."""
    digits = text.replace(".", "")
    is_date = len(digits) == 8 and digits.isascii() and digits.isdigit() and digits[:4] >= "1800"
    return digits if is_date and "01" <= digits[4:6] <= "12" and "01" <= digits[6:] <= "31" else ""
