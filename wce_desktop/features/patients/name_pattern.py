"""Values of a patient record guessed from the name of a file, by a pattern that the reader gives.

`{patient}_{date:%Y%m%d}_{capsule}` finds patient, date and capsule in `K123_20260314_PillCam SB3.mp4`. `*` stands for
anything; `/` for a folder: `{patient}/{date}/*`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from training.errors import UserError
from training.video.dicom.elements import is_dicom
from training.video.dicom.series import patient_facts
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.core.language import tr
from wce_desktop.features.patients.record_fields import Value, parsed

EXAMPLE = "{patient}_{date:%Y%m%d}_{capsule}"
NAMES: Mapping[str, str] = {
    "patient": "pseudonym", "birth_year": "birth_year", "sex": "sex", "date": "exam_date", "capsule": "capsule",
    "indication": "indication", "preparation": "preparation", "reader": "read_by",
}  # fmt: skip
"""What a pattern may hold between braces, and the field that it fills."""
MOST_CHARACTERS = 200
_DIGITS = {"Y": 4, "y": 2, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2, "j": 3}
_PLACE = re.compile(r"\{([^{}:]*)(?::([^{}]*))?\}")
_USUAL_DATES = ("%Y-%m-%d", "%Y%m%d")


@dataclass(frozen=True, slots=True)
class Guess:
    """What a name says; `problem` is a sentence where it says nothing, or cannot be meant."""

    values: Mapping[str, Value] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    """A part of a pattern: signs or digits of one `form`, or any text; a star has no name."""

    name: str = ""
    form: re.Pattern[str] | None = None


class NamePattern:
    """A pattern for names of files.

    Raises:
        UserError: it has no placeholder, an unknown one, one twice, or two that nothing separates.
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip().strip("/")
        self._dates: tuple[str, ...] = _USUAL_DATES
        self._depth = self.text.count("/") + 1
        self._tokens = self._parse()

    def _parse(self) -> list[_Token]:
        if len(self.text) > MOST_CHARACTERS:
            raise UserError("This pattern is too long.", "Use up to {count:,} characters.", MOST_CHARACTERS)
        tokens, end, names = list[_Token](), 0, list[str]()
        for place in _PLACE.finditer(self.text):
            tokens += self._literals(self.text[end : place.start()])
            names.append(self._check_name(place[1], names))
            tokens.append(self._placeholder(place[1], place[2]))
            end = place.end()
        tokens += self._literals(self.text[end:])
        if not names:
            raise UserError("This pattern has no placeholder.", "Write one such as {example}.", EXAMPLE)
        if any(token.form is None and after.form is None for token, after in pairwise(tokens)):
            raise UserError(
                "Nothing separates two of the placeholders of this pattern.",
                "Put a sign between them: {example}.",
                EXAMPLE,
            )
        return tokens

    def _literals(self, text: str) -> list[_Token]:
        if "{" in text or "}" in text:
            raise UserError("A brace of this pattern is open.", "Write a pair around each name: {example}.", EXAMPLE)
        parts = [part for part in re.split(r"(\*)", text) if part]
        return [_Token() if part == "*" else _Token(form=_expression(re.escape(part))) for part in parts]

    def _check_name(self, name: str, before: list[str]) -> str:
        if name not in NAMES:
            allowed = ", ".join(f"{{{allowed}}}" for allowed in NAMES)
            raise UserError("“{name}” is not a placeholder.", "There are {names}.", f"{{{name}}}", allowed)
        if name in before:
            raise UserError("The pattern contains {name} twice.", "Write * for what is not needed.", f"{{{name}}}")
        return name

    def _placeholder(self, name: str, form: str | None) -> _Token:
        if form is not None and name != "date":
            raise UserError("{name} has no form.", "Only a date has one: {example}.", f"{{{name}}}", "{date:%Y%m%d}")
        if name == "date":
            self._dates = _USUAL_DATES if form is None else (form,)
            return _Token(name, _expression("|".join(_date_expression(form) for form in self._dates)))
        fixed = {"birth_year": r"\d{4}", "sex": "female|male|other|[fmwod]"}.get(name)
        return _Token(name, None if fixed is None else _expression(fixed))

    def guess(self, path: Path) -> Guess:
        """What the name of a file or folder says."""
        own = path.stem if path.suffix.lower() in VIDEO_SUFFIXES else path.name
        ends = _Ends(self._tokens, "/".join((*path.parts[:-1], own)[-self._depth :]))
        least, most = ends.walk(longest=False), ends.walk(longest=True)
        if least is None or most is None:
            return Guess(problem=tr("The pattern does not fit this name."))
        if least != most:
            name = next(name for name, text in least.items() if most[name] != text)
            return Guess(
                problem=tr(
                    "The pattern fits twice: {name} may be “{one}” or “{other}”.",
                    name=f"{{{name}}}",
                    one=least[name],
                    other=most[name],
                )
            )
        try:
            texts = {NAMES[name]: self._day(text) if name == "date" else text for name, text in least.items()}
            return Guess(parsed(texts))
        except UserError as error:
            return Guess(problem=tr(error))

    def _day(self, text: str) -> str:
        for form in self._dates:
            try:
                return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day has no time zone
            except ValueError:
                continue
        raise UserError("“{typed}” is not a date of the form {form}.", "", text, " / ".join(self._dates))


class _Ends:
    """Where each token of a pattern may end in a text; takes time that grows with tokens times the text's square."""

    def __init__(self, tokens: Sequence[_Token], text: str) -> None:
        self._tokens, self._text = tokens, text
        fits = {len(text)}
        self._fits = [fits]
        for at in reversed(range(len(tokens))):  # from the end, so that every start that is kept leads to it
            fits = {start for start in range(len(text) + 1) if any(end in fits for end in self._ends(at, start))}
            self._fits.insert(0, fits)

    def _ends(self, at: int, start: int) -> Iterable[int]:
        token, text = self._tokens[at], self._text
        if token.form is not None:
            result = token.form.match(text, start)
            return () if result is None else (result.end(),)
        folder_ends = text.find("/", start)
        return range(start + bool(token.name), (len(text) if folder_ends < 0 else folder_ends) + 1)

    def walk(self, *, longest: bool) -> dict[str, str] | None:
        """The texts by placeholder, each as short or as long as the rest allows; None where nothing fits."""
        if 0 not in self._fits[0]:
            return None
        start, result = 0, dict[str, str]()
        for at, token in enumerate(self._tokens):
            ends = [end for end in self._ends(at, start) if end in self._fits[at + 1]]
            end = ends[-1 if longest else 0]
            if token.name:
                result[token.name] = self._text[start:end]
            start = end
        return result


def _expression(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _date_expression(form: str) -> str:
    """A regular expression for dates of a form such as %d.%m.%Y."""
    expression, rest, signs = "", form, set[str]()
    while rest:
        if rest[0] != "%":
            expression, rest = expression + re.escape(rest[0]), rest[1:]
            continue
        sign = rest[1:2]
        if sign not in _DIGITS or sign in signs:
            raise UserError("“{form}” is not the form of a date.", "Write %Y, %m and %d for year, month and day.", form)
        signs.add(sign)
        expression, rest = expression + rf"\d{{{_DIGITS[sign]}}}", rest[2:]
    if not ({"m", "d"} <= signs or "j" in signs) or not signs & {"Y", "y"}:
        raise UserError("“{form}” is not the form of a date.", "Write %Y, %m and %d for year, month and day.", form)
    return expression


def facts_of(path: Path) -> Guess:
    """What a DICOM header says of patient and examination; not the patient's name."""
    problem = tr("This file does not say whose it is.")
    try:
        if path.is_file() and is_dicom(path):
            facts = patient_facts(path)
            texts = {
                "pseudonym": facts.patient_id,
                "birth_year": str(facts.birth_year or ""),
                "sex": facts.sex,
                "exam_date": facts.study_date,
                "capsule": facts.manufacturer_model,
            }
            if values := parsed({name: text for name, text in texts.items() if text}):
                return Guess(values)
    except UserError as error:
        problem = tr(error)
    return Guess(problem=problem)
