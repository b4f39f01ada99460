"""Texts for a person: a sentence in English that still knows its template and its values, so that it can be translated.

    text = Text("{count:,} images of {name} cannot be read.", 1204, "P01.mp4")
    str(text)                                # "1,204 images of P01.mp4 cannot be read."
    text_from_json(as_json(text)) == text

The window looks the template up in its table and writes the values by the rules of its language
(`wce_desktop.core.language.tr`). `docs/translate.py` collects the templates from the calls, so they are literals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from numbers import Integral, Real
from string import Formatter
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias, TypeGuard

TEXTS = "translatable"
"""The key of a JSON document under which `with_texts` puts them."""
Value: TypeAlias = int | float | str
"""Of a Text; a Text is a string."""
MAX_LEVELS = 50
"""So many texts may lie within one another in a file (ours)."""
MAX_CHARACTERS = 10_000_000
"""Of a text in a file (ours)."""
_FORMAT = re.compile(r",?(\.\d)?[defg%]?")
"""The formats of values that templates use."""


class Text(str):
    """The finished English sentence, as a `str`, with the template and the values that it was made of; never changes.

    Values are given in the order in which the template first names them, or by their names. They are numbers, strings
    and other Texts, which are translated in turn; a list is joined by commas, an error is what it says, and anything
    else is written as a string. A text without values may hold braces.

    `+` keeps it a Text. Whatever else makes a new string of it (`format`, `join`) gives a plain one, which is shown as
    it is; `join_texts` joins.
    """

    __slots__ = ("one", "template", "values")
    template: str
    one: str
    """The template for a single one, where `template` is that of several (`count_text`); otherwise empty."""
    values: Mapping[str, Value]

    def __new__(cls, template: str, /, *given: object, **values: object) -> Text:
        """Raises ValueError where the template names other values than those given, or a format that one has not."""
        if isinstance(template, Text) and not given and not values:
            return template
        return cls._of(template, "", values_by_name((template,), given) | values)

    @classmethod
    def _of(cls, template: str, one: str, values: Mapping[str, object]) -> Text:
        kept = {name: _value(value) for name, value in values.items()}
        chosen = one if one and kept["count"] == 1 else template
        try:
            text = super().__new__(cls, chosen.format(**kept) if kept else chosen)
        except (LookupError, AttributeError) as error:
            raise ValueError(f"{template!r} cannot be filled with {kept}") from error
        for name, part in (("template", str.__str__(template)), ("one", one), ("values", MappingProxyType(kept))):
            object.__setattr__(text, name, part)
        return text

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Text cannot be changed ({name})")

    def __str__(self) -> Text:
        """Itself, so that `str` of an error that was given a Text can still be translated."""
        return self

    def with_initial(self, change: Callable[[str], str]) -> Text:
        """The text with another first letter: `str.upper` at the beginning of a sentence, `str.lower` within one."""
        template, one = (change(text[:1]) + text[1:] for text in (self.template, self.one))
        return Text._of(template, one, self.values)

    def with_values(self, others: Mapping[str, str]) -> Text:
        """The text with other words for some of its values, also in the Texts among them: names instead of ids."""
        values = {
            name: value.with_values(others)
            if isinstance(value, Text)
            else others.get(value, value)
            if isinstance(value, str)
            else value
            for name, value in self.values.items()
        }
        return Text._of(self.template, self.one, values)

    def __add__(self, other: str) -> Text:
        return join_texts("", (self, other))

    def __radd__(self, other: str) -> Text:
        return join_texts("", (other, self))

    def __reduce__(self) -> tuple[Any, ...]:
        return text_from_json, (as_json(self),)

    def __deepcopy__(self, memo: object) -> Text:
        return self


def count_text(one: str, many: str, count: int, /, *given: object) -> Text:
    """A text about a number, `{count}` in it: `count_text("{count} frame left", "{count} frames left", 3)`.

    Further values are given in the order in which the texts name them. A language may have more than two forms; its
    translation of `many` holds all of them.
    """
    names = dict.fromkeys(name for text in (one, many) for name in formats_in(text) if name != "count")
    return Text._of(many, one, {"count": count} | _by_name(tuple(names), given))


def values_by_name(templates: Iterable[str], given: Iterable[object]) -> dict[str, object]:
    """Values by the names that the templates use, in their order; {} without values."""
    values = tuple(given)
    return (
        _by_name(tuple(dict.fromkeys(name for text in templates for name in formats_in(text))), values)
        if values
        else {}
    )


def _by_name(names: tuple[str, ...], given: tuple[object, ...]) -> dict[str, object]:
    if len(names) != len(given):
        raise ValueError(f"a text names the values {', '.join(names) or 'none'}, and {len(given)} are given")
    return dict(zip(names, given, strict=True))


@lru_cache(4096)
def formats_in(template: str) -> Mapping[str, str]:
    """The names of the values of a template, in their order, with their formats."""
    return {name: form or "" for _, name, form, _ in Formatter().parse(template) if name is not None}


@lru_cache(4096)
def source_of(template: str) -> str:
    """A template as translators see it: without the formats of its values."""
    return "".join(
        text.replace("{", "{{").replace("}", "}}") + (f"{{{name}}}" if name is not None else "")
        for text, name, _, _ in Formatter().parse(template)
    )


def join_texts(separator: str, parts: Iterable[str]) -> Text:
    """Several texts as one: sentences with a space between them, or the parts of a list. Empty ones are left out."""
    given = [Text(part) for part in parts if part]
    return given[0] if len(given) == 1 else _joined(separator, given)


def _joined(separator: str, values: Sequence[object]) -> Text:
    names = [f"part{at}" for at in range(1, len(values) + 1)]
    return Text._of(separator.join(f"{{{name}}}" for name in names), "", dict(zip(names, values, strict=True)))


def listed(parts: Sequence[object]) -> Text:
    """The parts of a list, the last one after "and"."""
    if len(parts) < 2:
        return _joined("", parts)
    return Text("{words} and {word}", list(parts[:-1]), parts[-1])


def as_json(text: str) -> str | dict[str, Any]:
    """What is written to JSON: the template and the values of a Text; another string as it is.

    So is a Text with a value that is infinite or no number, for which JSON has no form.
    """
    if not isinstance(text, Text) or any(
        isinstance(each, float) and not isfinite(each) for each in text.values.values()
    ):
        return str.__str__(text)
    values = {name: as_json(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"text": text.template, **({"one": text.one} if text.one else {}), "values": values}


def text_from_json(data: object, levels: int = MAX_LEVELS) -> str:
    """The text that `as_json` wrote; what an older version wrote is a plain string.

    Args:
        levels: so many texts may lie within one another.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(data, str):
        return data
    if not levels or not is_text_json(data):
        raise ValueError(f"not a text: {str(data)[:80]}")
    values = {
        name: each if type(each) in (int, float) else text_from_json(each, levels - 1)
        for name, each in data["values"].items()
    }
    template, one = data["text"], data.get("one", "")
    if one and type(values.get("count")) is not int:
        raise ValueError(f"a text about a number without one: {template[:80]}")
    for text in (template, one) if values else ():
        _check_template(text, values)
    return Text._of(template, one, values)


def _check_template(template: str, values: Mapping[str, object]) -> None:
    """Raise ValueError for one that no program wrote: a file may ask for attributes, or for endless text."""
    length = len(template)
    for _, name, form, conversion in Formatter().parse(template):
        if name is None:
            continue
        if name not in values or conversion or not _FORMAT.fullmatch(form or ""):
            raise ValueError(f"not a text: {template[:80]}")
        length += len(str(values[name]))
        if length > MAX_CHARACTERS:
            raise ValueError(f"a text is too long: {template[:80]}")


def is_text_json(data: object) -> TypeGuard[dict[str, Any]]:
    """Whether JSON data has the form of a Text."""
    forms = {"text": str, "one": str, "values": dict}
    return (
        isinstance(data, dict)
        and {"text", "values"} <= data.keys()
        and all(name in forms and isinstance(part, forms[name]) for name, part in data.items())
    )


def with_texts(document: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON document with the templates and values of its Texts beside them, under `TEXTS` by their places.

    The sentences themselves stay strings. `texts_in` puts the Texts back.
    """
    result = dict(_texts(document, ""))
    return {**document, TEXTS: result} if result else dict(document)


def texts_in(document: dict[str, Any]) -> dict[str, Any]:
    """The document that `with_texts` was given; where a sentence and its template do not fit, the sentence counts."""
    texts = document.pop(TEXTS, None)
    for place, data in texts.items() if isinstance(texts, dict) else ():
        *way, last = place.split("/")
        holder: Any = document
        try:
            for step in way:
                holder = holder[int(step)] if isinstance(holder, list) else holder[step]
            key = int(last) if isinstance(holder, list) else last
            text = text_from_json(data)
            if holder[key] == text:
                holder[key] = text
        except (LookupError, TypeError, ValueError):
            continue
    return document


def _texts(value: object, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Text):
        data = as_json(value)
        if isinstance(data, dict) and data["values"]:
            yield place, data
    elif isinstance(value, Mapping | list | tuple):
        for key, each in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _texts(each, f"{place}/{key}" if place else str(key))


def _value(value: object) -> Value:
    """A value as it is kept."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, list):
        return _joined(", ", value)
    return str(value)
