"""Which text with placeholders a finished sentence was made from, and with which values: `str.format` reversed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

PLACEHOLDER = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"\w+")
MOST_WAYS = 12
"""In which one text is tried: "The {1} {2} cannot be read." fits a sentence in several."""


class SentencePatterns:
    """Texts with placeholders, such as "Frame {1} of {2} cannot be decoded."; thousands are searched quickly."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_word: dict[str, list[_Pattern]] = {}
        for text in texts:
            pattern = _Pattern(text)
            self._by_word.setdefault(pattern.word, []).append(pattern)

    def find(self, sentence: str) -> Iterator[tuple[str, Mapping[str, str], int]]:
        """The texts that the sentence may have been made from, with values and their own weights, largest first."""
        words = {"", *_WORD.findall(sentence)}
        fitting = [pattern for word in words for pattern in self._by_word.get(word, ())]
        for pattern in sorted(fitting, key=lambda pattern: (-pattern.weight, pattern.text)):
            for values in islice(pattern.values(sentence), MOST_WAYS):
                yield pattern.text, values, pattern.weight


def weight_of(text: str) -> int:
    """How much a text tells: its characters without spaces."""
    return len(text) - sum(map(str.isspace, text))


class _Pattern:
    """One text with placeholders: its fixed parts, and one whole word that is in every sentence made from it."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = PLACEHOLDER.split(text)
        self._fixed, self._names = parts[::2], parts[1::2]
        self.weight = weight_of("".join(self._fixed))
        # A word beside a placeholder may be only a part of one: "frame{1}" is also "frames".
        whole = re.sub(r"\w*\0\w*", " ", "\0".join(self._fixed))
        self.word = max(_WORD.findall(whole), key=len, default="")

    def values(self, sentence: str) -> Iterator[dict[str, str]]:
        """The values by their names, in every way in which the text fits; the first values short first."""
        if not self._names:
            yield from [{}] if sentence == self.text else []
            return
        first, *middle, last = self._fixed
        at, end = len(first), len(sentence) - len(last)
        if at <= end and sentence.startswith(first) and sentence.endswith(last):
            for found in _between(sentence, at, end, middle):
                yield dict(zip(self._names, found, strict=True))


def _between(sentence: str, at: int, end: int, fixed: Sequence[str]) -> Iterator[list[str]]:
    """The values between fixed parts, from `at` to `end`."""
    if not fixed:
        yield [sentence[at:end]]
        return
    if not _fits(sentence, at, end, fixed):
        return
    place = sentence.find(fixed[0], at, end)
    while place >= 0:
        after = place + len(fixed[0])
        if not _fits(sentence, after, end, fixed[1:]):
            return
        for others in _between(sentence, after, end, fixed[1:]):
            yield [sentence[at:place], *others]
        place = sentence.find(fixed[0], place + 1, end)


def _fits(sentence: str, at: int, end: int, fixed: Sequence[str]) -> bool:
    """Whether the fixed parts follow each other: so that no way is tried in vain."""
    for part in fixed:
        place = sentence.find(part, at, end)
        if place < 0:
            return False
        at = place + len(part)
    return True
