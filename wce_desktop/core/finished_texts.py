"""Translates finished English texts, whose values are in them already, by texts with numbered placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from wce_desktop.core.sentence_patterns import PLACEHOLDER, SentencePatterns, weight_of

NUMBERED = re.compile(r"\{\d+\}")
"""A placeholder of a text that `training` makes; those of the window have names."""
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
"""Between sentences."""
_NUMBER = re.compile(r"[\d.,]+ ")
MOST_SENTENCES = 8
"""That one text of the table may hold."""
_LISTED = (re.compile(r"; "), re.compile(r": "), re.compile(r", | and | or "))
"""Between parts that are texts of their own; those of the last one only in values."""
LONGEST = 4000
"""Characters; longer texts are traces or listings."""
_NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?\s?%?")
"""A value that is written by the rules of the language; a version or a name with digits is none."""
LEAST_WEIGHT = 6
"""Of a text's own characters, to recognise a whole sentence by it; for a value less is enough ("{1} and {2}")."""


class _Known(NamedTuple):
    """A translation, and the weight of what was recognised of the text: 0 for an unknown one."""

    text: str
    weight: int


class FinishedTexts:
    """The translations of one language."""

    def __init__(self, translations: Mapping[str, str], write_number: Callable[[str], str]) -> None:
        """`write_number` writes "1,204" or "0.97" by the rules of the language."""
        self._translations, self._write_number = translations, write_number
        self._patterns = SentencePatterns(text for text in translations if NUMBERED.search(text))
        self._of_value = lru_cache(4096)(self._value)
        self._of_sentence = lru_cache(4096)(self._sentence)

    def translate(self, text: str) -> str:
        """One or several sentences in the other language; what is unknown stays."""
        if text in self._translations:
            return self._translations[text]
        if not self._translations or len(text) > LONGEST:
            return text
        return self._sentences(text).text

    def _sentences(self, text: str) -> _Known:
        """The division into known sentences that recognises most."""
        starts = [0, *(end.end() for end in _ENDS.finditer(text)), len(text)]
        best: list[_Known] = [_Known("", 0)]  # of the text up to each start
        for at in range(1, len(starts)):
            found = []
            for before in range(max(at - MOST_SENTENCES, 0), at):
                whole = text[starts[before] : starts[at]]
                said = whole.rstrip()
                known = self._of_sentence(said)
                if known.weight or before == at - 1:
                    words = best[before].text + known.text + whole[len(said) :]
                    found.append(_Known(words, best[before].weight + known.weight))
            best.append(max(found, key=lambda one: one.weight))  # the longest one where several are equal
        return best[-1]

    def _sentence(self, text: str) -> _Known:
        """A sentence as a whole, or its parts between colons or semicolons."""
        return self._best(text, LEAST_WEIGHT, self._parts(text, _LISTED[:2], self._part))

    def _part(self, text: str) -> _Known:
        """A part of a sentence that is known by its other parts: it may be a number."""
        return _Known(self._write_number(text), 0) if _NUMBER.fullmatch(text) else self._of_sentence(text)

    def _value(self, text: str) -> _Known:
        """A value: a text of its own, several sentences, or a list. A single word with a capital letter is a name."""
        inner = text.strip()
        if _NUMBER.fullmatch(inner):
            return _Known(text.replace(inner, self._write_number(inner)), 0)
        if not any(map(str.isalpha, inner)) or (inner.isalpha() and not inner.islower()):
            return _Known(text, 0)
        parts = list(self._parts(inner, _LISTED, self._of_value))
        if _ENDS.search(inner):
            parts.append(self._sentences(inner))
        if number := _NUMBER.match(inner):  # "309 with several target classes"
            rest = self._of_value(inner[number.end() :])
            parts.append(_Known(number[0] + rest.text, rest.weight))
        known = self._best(inner, 0, parts)
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        return _Known(before + known.text + after, known.weight)

    def _best(self, text: str, least: int, parts: Iterable[_Known]) -> _Known:
        """What recognises most of the text: a list before a text with a list as its value where both are equal."""
        found = [*self._exactly(text, least), *parts, *self._by_patterns(text, least)]
        if text[:1].isupper():  # the source may begin in the middle of a sentence
            small = text[0].lower() + text[1:]
            found += map(_with_capital, [*self._exactly(small, least), *self._by_patterns(small, least)])
        best = max(found, key=lambda known: known.weight, default=_Known(text, 0))
        return best if best.weight else _Known(text, 0)

    def _exactly(self, text: str, least: int) -> Iterator[_Known]:
        weight = weight_of(text)
        if text in self._translations and weight >= least:
            yield _Known(self._translations[text], weight)

    def _by_patterns(self, text: str, least: int) -> Iterator[_Known]:
        for source, values, weight in self._patterns.find(text):
            if weight < least:
                return
            known = {name: self._of_value(value) for name, value in values.items()}
            yield _Known(
                _filled(self._translations[source], {name: one.text for name, one in known.items()}),
                weight + sum(one.weight for one in known.values()),
            )

    def _parts(
        self, text: str, separators: Sequence[re.Pattern[str]], translate: Callable[[str], _Known]
    ) -> Iterator[_Known]:
        """The text as a list, separated in one way after the other."""
        for separator in separators:
            pieces = separator.split(text)
            if len(pieces) > 1:
                found = [translate(piece) for piece in pieces]
                between = separator.findall(text)
                shown = (*(self._translations.get(one, one) for one in between), "")
                words = "".join(map("".join, zip((known.text for known in found), shown, strict=True)))
                weight = sum(known.weight for known in found)
                yield _Known(words, weight and weight + weight_of("".join(between)))


def _with_capital(known: _Known) -> _Known:
    return _Known(known.text[:1].upper() + known.text[1:], known.weight)


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its values; they may hold braces."""
    return PLACEHOLDER.sub(lambda place: values[place[1]], text)
