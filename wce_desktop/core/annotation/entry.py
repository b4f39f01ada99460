"""One field of a finding that a reader fills in: how it is entered, shown, checked, stored and exchanged."""

import math
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.language import number_text, to_translate, tr

SNOMED, OURS = "SCT", "99WCE"
"""Schemes of codes: SNOMED CT, and the names in the library."""
NOT_ENTERED = to_translate("not entered")
_TYPED = re.compile(r"(\d+|\d*[.,]\d{1,2})\s*(\w*)", re.ASCII)
"""With point or comma in every language; three digits behind it could be thousands."""
_ALSO_IN = {"mm": {"mm": 1.0, "cm": 10.0}}
"""Unit -> the units in which it may be typed."""


@dataclass(frozen=True, slots=True)
class Term:
    """A coded term: value, scheme and meaning in words."""

    value: str
    scheme: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Option:
    """One of the values that a reader can choose.

    Args:
        value: as it is stored and exported, and short enough for a list.
        title: in the form; empty: the value.
        report: in reports; empty: the value.
        meaning: English, with its code in exports; empty: the value.
    """

    value: str
    title: str = ""
    report: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a field; the texts are shown by `tr`.

    Args:
        kind: a number above 0 or None; one of some options; or free text. The last two are empty text if not entered.
        title: in reports and in what an amendment says.
        in_log: in the middle of a sentence of the audit log.
        label: beside the field in the form; empty: the title.
        spoken: what a screen reader says; empty: the title.
        tip: of the field in the form.
        empty: what the form shows where nothing is entered.
        unit: of a number, as UCUM writes it.
        most: the largest number that can be entered.
        ask_above: a larger number is asked about.
        options: the values that can be chosen.
        is_closed: whether only the options are valid; otherwise other words of the reader are, too.
        term: its code in FHIR and DICOM; None: its name and title in our scheme.
    """

    kind: Literal["number", "choice", "text"]
    title: str
    in_log: str
    label: str = ""
    spoken: str = ""
    tip: str = ""
    empty: str = NOT_ENTERED
    unit: str = ""
    most: float = 1e6
    ask_above: float = math.inf
    options: tuple[Option, ...] = ()
    is_closed: bool = False
    term: Term | None = None

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the options."""
        return tuple(option.value for option in self.options)

    @property
    def default(self) -> float | str | None:
        """The value where nothing is entered."""
        return None if self.kind == "number" else ""

    @property
    def is_free_text(self) -> bool:
        """Whether it can hold words of the reader, which may name a patient."""
        return self.kind != "number" and not self.is_closed

    def check(self, value: Any) -> None:
        """Raise `ValueError` for a value that breaks the rules."""
        if self.kind == "number" and value is not None and not value > 0:
            unit = f" {self.unit}" if self.unit else ""
            raise ValueError(f"a finding's {self.title.lower()} is greater than 0{unit}, not {value}")
        if self.is_closed and value and value not in self.values:
            raise ValueError(f"a finding's {self.title.lower()} is {', '.join(self.values)} or empty, not {value!r}")

    def number(self, typed: str) -> float | None:
        """The number that was typed, as "0.5 cm" or "5"; None for 0 and for nothing.

        Raises:
            UserError: it is no number, has another unit, or is too large.
        """
        kept, factors = typed.strip(), _ALSO_IN.get(self.unit, {self.unit: 1.0})
        match = _TYPED.fullmatch(kept.lower())
        factor = factors.get(match[2] or self.unit) if match else None
        value = float(match[1].replace(",", ".")) * factor if match and factor else math.inf
        if kept and value > self.most:
            examples = ", ".join(f"{number_text(5 / factors[unit], 'g')} {unit}".rstrip() for unit in factors)
            raise UserError(
                "{title}: “{typed}” was not saved.", "Type a number up to {most:g}, such as {examples}.",
                Text(self.title), kept[:20], self.most, examples,
            )  # fmt: skip
        return (round(value, 3) or None) if kept else None

    def without_free_text(self, value: Any) -> Any:
        """The value, or nothing where it is words of the reader's own."""
        return value if not self.is_free_text or value in self.values else ""

    def option(self, value: Any) -> Option:
        """The option with this value, or one for other words."""
        return next((option for option in self.options if option.value == value), Option(str(value)))

    def words(self, value: Any, *, in_report: bool = False) -> str:
        """A value for the reader; empty where nothing is entered."""
        if not value:
            return ""
        if self.kind == "number":
            return f"{number_text(value, 'g')} {self.unit}".rstrip()
        if self.kind == "text":
            return str(value)
        option = self.option(value)
        return tr(option.report or option.value) if in_report else tr(option.value)


def entered(entry: Entry) -> Any:
    """The field of a data class that holds what is entered."""
    return field(default=entry.default, metadata={"entry": entry})
