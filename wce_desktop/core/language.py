"""The language of texts that are shown: English where they are written, translated where they are made.

`docs/translate.py` collects the texts into `resources/translations/wce_desktop_<language>.ts`, which Qt Linguist opens
and which is read here. Without Qt, so that models, session and library can use it.

What is stored (in the library, the audit log, exported tables) and what is logged stays English.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_translations: dict[str, str] = {}
_stays_english = ContextVar("stays_english", default=False)


def tr(text: str, **values: object) -> str:
    """A text in the chosen language, with values for `{names}` in it: whole sentences, never parts of one.

    Call it where the text is shown, not when a module is imported: the language is chosen at the start.
    """
    translated = text if _stays_english.get() else _translations.get(text, text)
    return translated.format(**values) if values else translated


@contextmanager
def in_english() -> Iterator[None]:
    """Texts that are made inside, in this thread, stay English: they are stored or compared, not shown."""
    before = _stays_english.set(True)
    try:
        yield
    finally:
        _stays_english.reset(before)


def to_translate(text: str) -> str:
    """The text itself: marks one in a table for translators; `tr` translates it where it is shown."""
    return text


def tr_count(one: str, many: str, count: int, **values: object) -> str:
    """A text about a number, `{count}` in it: `tr_count("{count} frame left", "{count} frames left", 3)`.

    Both forms are whole sentences, each with its own translation. Thousands are separated: "1,204 frames left".
    """
    return tr(one if count == 1 else many, count=f"{count:,}", **values)


def read_translations(path: Path) -> dict[str, str]:
    """The finished translations of a .ts file by their English texts.

    Raises:
        OSError, xml.etree.ElementTree.ParseError: when it cannot be read.
    """
    messages = ET.parse(path).getroot().iter("message")
    found = {one.findtext("source", ""): one.findtext("translation", "") for one in messages}
    return {text: translated for text, translated in found.items() if translated}


def use_translations(translations: Mapping[str, str]) -> None:
    """Show these translations from now on; {} for English."""
    _translations.clear()
    _translations.update(translations)
