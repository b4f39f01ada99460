"""The language of texts that are shown: English where they are written, translated where they are made.

`docs/translate.py` collects the texts into `resources/translations/wce_desktop_<language>.ts`, which Qt Linguist opens
and which is read here. Without Qt, so that models, session and library can use it.

What is stored (in the library, the audit log, exported tables) and what is logged stays English. `training` knows no
languages: its sentences arrive finished and English, and `tr_finished` translates them where they are shown.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from string import Formatter

from wce_desktop.core.finished_texts import FinishedTexts

_translations: dict[str, str] = {}
_marks: dict[int, str] = {}
"""Of numbers, where they differ from those of English, for `str.translate`."""
_stays_english = ContextVar("stays_english", default=False)


def tr(text: str, **values: object) -> str:
    """A text in the chosen language, with values for `{names}` in it: whole sentences, never parts of one.

    Values that are numbers are written by `number_text`; give a year or an id as text. An error, or a value called
    `why`, `reason`, `problem` or `error`, is a finished text, see `tr_finished`. Call it where the text is shown, not
    when a module is imported: the language is chosen at the start.
    """
    translated = text if _stays_english.get() else _translations.get(text, text)
    shown = {name: tr_finished(str(value)) if _is_finished(name, value) else value for name, value in values.items()}
    return _FORMATTER.format(translated, **shown) if values else translated


def tr_finished(sentence: str) -> str:
    """A finished English text of `training` or of the system in the chosen language; an unknown one as it is.

    "12 images cannot be read." is recognised by "{1} images cannot be read.", which `docs/translate.py` collects.
    """
    return sentence if _stays_english.get() else _finished.translate(sentence)


def _is_finished(name: str, value: object) -> bool:
    is_said = name in ("why", "reason", "problem", "error") and isinstance(value, str)
    return is_said or isinstance(value, BaseException)


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


def to_translate(text: str) -> str:
    """The text itself: marks one in a table for translators; `tr` translates it where it is shown."""
    return text


_NUMBER = to_translate("1,234.5%")
"""Translated as the language writes this number, with or without a space before the per cent sign."""


def tr_count(one: str, many: str, count: int, **values: object) -> str:
    """A text about a number, `{count}` in it: `tr_count("{count} frame left", "{count} frames left", 3)`.

    Both forms are whole sentences, each with its own translation. Thousands are separated: "1,204 frames left".
    """
    return tr(one if count == 1 else many, count=count, **values)


def number_text(number: float, form: str = ",") -> str:
    """A number as it is written in the chosen language: 1204 is "1,204" in English and "1.204" in German.

    `form` is one of Python's formats: 0.97 is "0.97" and "0,97" by ".2f".
    """
    return written_number(format(number, form))


def written_number(text: str) -> str:
    """A number that is written in English as it is written in the chosen language."""
    return text if _stays_english.get() else text.translate(_marks)


_finished = FinishedTexts({}, written_number)


class _Formatter(Formatter):
    """Writes the numbers among the values of a text by `number_text`."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, Real) and not isinstance(value, bool):
            return number_text(value, format_spec or ",")  # type: ignore[arg-type]  # a Real has no __format__ for mypy
        return format(value, format_spec)


_FORMATTER = _Formatter()


def decimal_mark() -> str:
    """What stands before decimals in the chosen language."""
    return "." if _stays_english.get() else _marks.get(ord("."), ".")


def group_mark() -> str:
    """What separates thousands in the chosen language."""
    return "," if _stays_english.get() else _marks.get(ord(","), ",")


def read_translations(path: Path) -> dict[str, str]:
    """The finished translations of a .ts file by their English texts.

    Raises:
        OSError, xml.etree.ElementTree.ParseError: when it cannot be read.
    """
    messages = ET.parse(path).getroot().iter("message")
    found = {one.findtext("source", ""): one.findtext("translation", "") for one in messages}
    return {text: translated for text, translated in found.items() if translated}


def translations() -> Mapping[str, str]:
    """The translations that are shown; {} for English."""
    return _translations


def use_translations(translations: Mapping[str, str]) -> None:
    """Show these translations from now on; {} for English."""
    global _finished
    _translations.clear()
    _translations.update(translations)
    found = re.search(r"1(.)234(.)5(.?%)", translations.get(_NUMBER, ""))
    _marks.clear()
    _marks.update(zip(map(ord, ",.%"), found.groups(), strict=True) if found else ())
    _finished = FinishedTexts(_translations, written_number)
