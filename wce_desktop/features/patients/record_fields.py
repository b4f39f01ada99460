"""The fields of a patient record: what they are called, and what a reader may type."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from training.errors import UserError
from wce_desktop.core.annotation.record import FIRST_YEAR, Sex
from wce_desktop.core.language import to_translate

Value = str | int | None
MOST_CHARACTERS = 500
_DAY_FIRST = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII)
"""With points the day stands first everywhere; with slashes it depends on the country."""
_SEXES: Mapping[str, Sex] = {
    "": "", "f": "female", "w": "female", "female": "female", "m": "male", "male": "male", "o": "other",
    "d": "other", "other": "other",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field."""

    name: str  # of the field of `Record`
    title: str  # on screen; shown by `tr`, as the tip is
    tip: str  # what to type, in a sentence
    parse: Callable[[str], Value]  # from the typed text to the value; `UserError` for what it cannot be
    is_of_patient: bool = False  # whether all studies of one patient have the same value


def _text(typed: str) -> str:
    kept = " ".join(typed.split())
    if len(kept) > MOST_CHARACTERS or not kept.isprintable():
        raise UserError(
            "“{typed}…” cannot be entered.",
            "Use up to {count:,} letters, digits and signs in one line.",
            kept[:40],
            MOST_CHARACTERS,
        )
    return kept


def _year(typed: str) -> int | None:
    kept = typed.strip()
    this_year = datetime.now(UTC).year
    if not kept:
        return None
    if not (kept.isascii() and kept.isdigit() and len(kept) == 4 and FIRST_YEAR <= int(kept) <= this_year):
        raise UserError(
            "“{typed}” is not a year of birth.",
            "Type four digits from {first} to {last}.",
            kept[:20],
            FIRST_YEAR,
            this_year,
        )
    return int(kept)


def _sex(typed: str) -> Sex:
    kept = typed.strip().lower()
    if kept not in _SEXES:
        raise UserError(
            "“{typed}” is not a sex.", "Choose female, male or other, or leave it empty.", typed.strip()[:20]
        )
    return _SEXES[kept]


def _date(typed: str) -> str:
    kept = typed.strip()
    if not kept:
        return ""
    written = _DAY_FIRST.fullmatch(kept)
    try:
        day = date(*(int(written[at]) for at in (3, 2, 1))) if written else date.fromisoformat(kept)
    except ValueError:
        raise UserError(
            "“{typed}” is not a date.",
            "Type year, month and day as 2026-03-14, or day, month and year with points as 14.03.2026.",
            kept[:20],
        ) from None
    if day > datetime.now(UTC).date() + timedelta(days=1):  # further east it may be tomorrow
        raise UserError("The date of the examination, {day}, lies in the future.", "Check the year.", day)
    return day.isoformat()


FIELDS: tuple[RecordField, ...] = (
    RecordField(
        "pseudonym", to_translate("Patient"),
        to_translate("Pseudonym or hospital number. It stays in this library: exports contain a random id."),
        _text, is_of_patient=True,
    ),
    RecordField("birth_year", to_translate("Year of birth"), to_translate("Four digits."), _year, is_of_patient=True),
    RecordField("sex", to_translate("Sex"), to_translate("Female, male or other."), _sex, is_of_patient=True),
    RecordField("exam_date", to_translate("Date of the study"), to_translate("As 2026-03-14 or 14.03.2026."), _date),
    RecordField("capsule", to_translate("Capsule"), to_translate("Model of the capsule."), _text),
    RecordField("indication", to_translate("Indication"), to_translate("Why the study was made."), _text),
    RecordField(
        "preparation", to_translate("Preparation"),
        to_translate("Preparation of the bowel, such as 2 l PEG."), _text,
    ),
    RecordField("read_by", to_translate("Reader"), to_translate("Who reads the study."), _text),
)  # fmt: skip
BY_NAME: Mapping[str, RecordField] = {field.name: field for field in FIELDS}


def shown(value: Value) -> str:
    """A value as its field shows it."""
    return "" if value is None else str(value)


def parsed(typed: Mapping[str, str]) -> dict[str, Value]:
    """The values of typed texts by field.

    Raises:
        UserError: naming the text that its field cannot have.
    """
    return {name: BY_NAME[name].parse(text) for name, text in typed.items()}
