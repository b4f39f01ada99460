"""The language of texts that are shown: English where they are written, translated where they are made.

`docs/translate.py` collects the texts into `resources/translations/wce_desktop_<language>.ts`, which Qt Linguist opens
and which is read here. Without Qt, so that models, session and library can use it.

A sentence that is stored, or made where no language is known (in `training`), is a `Text`: English, with its template
and values, by which `tr` translates it where it is shown. What is stored and what is logged stays English.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from string import Formatter

from training.texts import Text, formats_in, source_of

_LANGUAGE = ""
"""The text whose translation is the language's code, "pl"; it says which form a number takes."""

_translations: dict[str, str] = {}
_marks: dict[int, str] = {}
"""Of numbers, where they differ from those of English, for `str.translate`."""
_stays_english = ContextVar("stays_english", default=False)


def _slavic(count: int) -> int:
    """1, 21, 31 …; 2 to 4, 22 to 24 …; others."""
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2


_FORMS: dict[str, Callable[[int], int]] = {
    **dict.fromkeys(("fr", "pt"), lambda count: int(count > 1)),
    **dict.fromkeys(("ja", "ko", "zh"), lambda count: 0),
    **dict.fromkeys(("cs", "sk"), lambda count: 0 if count == 1 else 1 if 2 <= count <= 4 else 2),
    **dict.fromkeys(("ru", "uk", "hr", "sr"), _slavic),
    "pl": lambda count: 0 if count == 1 else _slavic(count) or 2,
}
"""Language -> which form a number takes, as in Qt Linguist; others have one for 1 and one for the rest."""


def _two_forms(count: int) -> int:
    return int(count != 1)


_form_of: Callable[[int], int] = _two_forms


_SAID = ("why", "reason", "problem", "error")
"""Values of these names are texts."""


def tr(text: str | BaseException, **values: object) -> str:
    """A text in the chosen language, with values for `{names}` in it: whole sentences, never parts of one.

    Values that are numbers are written by `number_text`; give a year or an id as text. Texts and errors among them are
    translated, and so is a value called `why`, `reason`, `problem` or `error`. Call it where the text is shown, not
    when a module is imported: the language is chosen at the start.

    A `Text` is translated by its template, with its own values. A string that is not in the table is shown as it is.
    """
    if isinstance(text, BaseException):
        text = str(text)
    if isinstance(text, Text) and not values:
        return _of_text(text)
    translated = _translated(text)
    return _filled(translated, values) if values else translated


def _filled(translated: str, values: Mapping[str, object]) -> str:
    """A translation with its values, of which some are texts themselves."""
    shown = dict(values)
    for name, value in values.items():
        if isinstance(value, Text | BaseException) or (isinstance(value, str) and name in _SAID):
            shown[name] = tr(value)
    return _FORMATTER.format(translated, **shown)


def _of_text(text: Text) -> str:
    if _stays_english.get() or not _translations:
        return format(text)
    if not text.values:  # its braces, as in the name of a file, are not those of a template
        return _translated(text.template)
    forms = formats_in(text.template)
    written = {name: _written(name, value, forms.get(name, "")) for name, value in text.values.items()}
    source = source_of(text.template)
    translated = _in_form(source, source_of(text.one), int(text.values["count"])) if text.one else _translated(source)
    return Formatter().vformat(translated, (), written)


def _written(name: str, value: float | str, form: str) -> str:
    if isinstance(value, str):
        return tr(value) if isinstance(value, Text) or name in _SAID else value
    return number_text(value, form)


def capital(text: str) -> str:
    """A text that begins a sentence or stands alone."""
    return text[:1].upper() + text[1:]


def _translated(text: str) -> str:
    """The translation of a text; one that only begins with another letter, capital or small, is the same text."""
    if text == _LANGUAGE or _stays_english.get():
        return text
    if text in _translations:
        return _translations[text]
    if text[:1].islower():
        return _translations.get(capital(text), text)
    return capital(_translations.get(text[:1].lower() + text[1:], text))


def _in_form(many: str, one: str, count: int) -> str:
    """The form that a number takes of a text that is `one` or `many` in English."""
    form = form_key(many, _form_of(count))
    if form in _translations and not _stays_english.get():
        return _translations[form]
    return _translated(one if _form_of(count) == 0 else many)


@contextmanager
def in_english() -> Iterator[None]:
    """Texts that are made inside, in this thread, stay English: they are stored or compared, not shown."""
    before = _stays_english.set(True)
    try:
        yield
    finally:
        _stays_english.reset(before)


def is_english() -> bool:
    """Whether texts are shown in English now."""
    return _stays_english.get() or not _translations


def names_to_translate(names: str) -> tuple[str, ...]:
    """Mark names, with commas between them, for translators; `tr` translates each where it is shown."""
    return tuple(names.split(", "))


def to_translate(text: str) -> str:
    """The text itself: marks one in a table for translators; `tr` translates it where it is shown."""
    return text


_NUMBER = to_translate("1,234.5%")
"""Translated as the language writes this number, with or without a space before the per cent sign."""


def tr_count(one: str, many: str, count: int, **values: object) -> str:
    """A text about a number, `{count}` in it: `tr_count("{count} frame left", "{count} frames left", 3)`.

    Both are whole sentences; a language may have further forms. Thousands are separated: "1,204 frames left".
    """
    return _filled(_in_form(many, one, count), {"count": count, **values})


def number_text(number: float, form: str = ",") -> str:
    """A number as it is written in the chosen language: 1204 is "1,204" in English and "1.204" in German.

    `form` is one of Python's formats: 0.97 is "0.97" and "0,97" by ".2f".
    """
    return written_number(format(number, form))


def written_number(text: str) -> str:
    """A number that is written in English as it is written in the chosen language."""
    return text if _stays_english.get() else text.translate(_marks)


class _Formatter(Formatter):
    """Writes the numbers among the values of a text by `number_text`."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, Real) and not isinstance(value, bool):
            return number_text(value, format_spec or ",")  # type: ignore[arg-type]  # a Real has no __format__ for mypy
        return format(value, format_spec)


_FORMATTER = _Formatter()


def read_translations(path: Path) -> dict[str, str]:
    """The finished translations of a .ts file by their English texts.

    A text about a number is a message with forms: the text of several, that of one as its comment.

    Raises:
        OSError, xml.etree.ElementTree.ParseError: when it cannot be read.
    """
    root = ET.parse(path).getroot()
    result = {_LANGUAGE: root.get("language", "")}
    for message in root.iter("message"):
        source, forms = message.findtext("source", ""), [form.text or "" for form in message.iter("numerusform")]
        if not forms:
            result[source] = message.findtext("translation", "")
        elif all(forms):
            result |= {message.findtext("comment", source): forms[0], source: forms[-1]}
            if len(forms) > 2:
                result |= {form_key(source, number): form for number, form in enumerate(forms)}
    return {text: translated for text, translated in result.items() if translated}


def form_key(many: str, form: int) -> str:
    """Under which one of more than two forms of a text about a number stands among the translations."""
    return f"{many}\x1f{form}"


def count_forms(language: str) -> int:
    """How many forms a text about a number has in a language."""
    rule = _FORMS.get(language, _two_forms)
    return 1 + max(map(rule, range(200)))


def translations() -> Mapping[str, str]:
    """The translations that are shown; {} for English."""
    return _translations


def use_translations(translations: Mapping[str, str]) -> None:
    """Show these translations from now on; {} for English."""
    global _form_of
    _translations.clear()
    _translations.update(translations)
    _form_of = _FORMS.get(translations.get(_LANGUAGE, ""), _two_forms)
    result = re.search(r"1(.)234(.)5(.?%)", translations.get(_NUMBER, ""))
    _marks.clear()
    _marks.update(zip(map(ord, ",.%"), result.groups(), strict=True) if result else ())


_SPACES = " '\u00a0\u202f"
"""Stand between thousands in any language, and between nothing else."""


# Numbers as they are typed; one that could be read as another one is refused: "1.204" is 1204 in German and has
# decimals in English. So a whole number may have the language's marks of thousands, each before three digits, and a
# number with decimals has none.


def parse_whole(typed: str) -> int:
    """A whole number: "31204", "31 204", in English "31,204", in German "31.204".

    Raises:
        ValueError: it is anything else.
    """
    marks = re.escape(written_number(",") + _SPACES)
    text = typed.strip()
    if not re.fullmatch(rf"[+-]?(\d+|\d{{1,3}}([{marks}]\d{{3}})+)", text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(re.sub(rf"[{marks}]", "", text))


def parse_decimal(typed: str) -> float:
    """A number that may have decimals: "0.5", "5e-4"; in German "0,5".

    Raises:
        ValueError: it is anything else.
    """
    mark, text = written_number("."), typed.strip()
    if not re.fullmatch(rf"[+-]?(\d+([{mark}]\d*)?|[{mark}]\d+)([eE][+-]?\d+)?", text):
        raise ValueError(f"{text!r} is not a number with a decimal {mark!r}")
    return float(text.replace(mark, "."))
