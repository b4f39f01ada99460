"""Reading JSON that may come from elsewhere: bounded in size and depth, standard numbers only."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from training.errors import UserError
from training.files.inputs import read_text
from training.texts import Text, texts_in

MAX_JSON_BYTES = 64 * 1024**2
MAX_CONTAINERS = 8_000_000
"""Lists and objects of a text; each takes some 100 bytes."""
MAX_DEPTH = 64
"""Of nested lists and objects; the project's own files nest six deep at most."""
_ENTRIES_BETWEEN_CHECKS = 1024
_BLANKS = frozenset(" \t\n\r")


def parse_json(text: str | bytes, constants: Mapping[str, Any] | None = None) -> Any:
    """The value of a JSON text.

    `constants` are what `NaN`, `Infinity` and `-Infinity` stand for, None for what is missing; else they are refused.

    Raises:
        ValueError: not JSON, `NaN` or `Infinity` in it, nested deeper than `MAX_DEPTH`, or more than `MAX_CONTAINERS`.
    """
    opened = text.count("{") + text.count("[") if isinstance(text, str) else text.count(b"{") + text.count(b"[")
    if opened > MAX_CONTAINERS:
        raise ValueError(Text("more than {max_containers:,} lists and objects", MAX_CONTAINERS))
    try:
        value = json.loads(text, parse_constant=_refuse_constant if constants is None else constants.get)
    except RecursionError as error:
        raise ValueError(Text("nested deeper than {max_depth} levels", MAX_DEPTH)) from error
    if _depth(value) > MAX_DEPTH:
        raise ValueError(Text("nested deeper than {max_depth} levels", MAX_DEPTH))
    return value


def parse_large_object(text: str, check: Callable[[int, int], None]) -> dict[str, Any]:
    """The object of a JSON text whose lists are long, entry by entry: other threads go on meanwhile.

    `check` is called now and then with the letters that were read and those of the whole text; may raise.

    Raises:
        ValueError: as `parse_json`, or it is no object.
    """
    reader = _PartReader(text, check)
    value = reader.read_object()
    reader.expect_end()
    return value


class _PartReader:
    """Reads an object; lists in it are read entry by entry, everything else by Python's decoder at once."""

    def __init__(self, text: str, check: Callable[[int, int], None]) -> None:
        self._text, self._check, self._at, self._entries = text, check, 0, 0
        self._decode = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode
        self._opened = 0

    def read_object(self) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for _ in self._entries_between("{", "}"):
            name = self._value()
            if not isinstance(name, str):
                raise ValueError(Text("a name is missing at letter {at}", self._at))
            self._skip(":")
            value[name] = self._list() if self._is_next("[", taken=False) else self._value()
        return value

    def expect_end(self) -> None:
        self._blank()
        if self._at < len(self._text):
            raise ValueError(Text("something stands behind the object at letter {at}", self._at))

    def _list(self) -> list[Any]:
        entries: list[Any] = []
        for _ in self._entries_between("[", "]"):
            value = self._value()
            if isinstance(value, dict):  # entries share their names
                value = {sys.intern(name): part for name, part in value.items()}
            entries.append(value)
        return entries

    def _entries_between(self, first: str, last: str) -> Iterator[None]:
        """Stops where each entry begins; the caller reads it."""
        self._skip(first)
        is_over = self._is_next(last)
        while not is_over:
            yield
            is_over = self._is_next(last)
            if not is_over:
                self._skip(",")

    def _value(self) -> Any:
        self._blank()
        self._entries += 1
        if self._entries % _ENTRIES_BETWEEN_CHECKS == 0:
            self._check(self._at, len(self._text))
        start = self._at
        try:
            value, self._at = self._decode(self._text, start)
        except RecursionError as error:
            raise ValueError(Text("nested deeper than {max_depth} levels", MAX_DEPTH)) from error
        self._opened += self._text.count("{", start, self._at) + self._text.count("[", start, self._at)
        if self._opened > MAX_CONTAINERS:
            raise ValueError(Text("more than {max_containers:,} lists and objects", MAX_CONTAINERS))
        if _depth(value) > MAX_DEPTH - 2:
            raise ValueError(Text("nested deeper than {max_depth} levels", MAX_DEPTH))
        return value

    def _blank(self) -> None:
        while self._text[self._at : self._at + 1] in _BLANKS:
            self._at += 1

    def _is_next(self, sign: str, *, taken: bool = True) -> bool:
        self._blank()
        is_next = self._text.startswith(sign, self._at)
        self._at += is_next and taken
        return is_next

    def _skip(self, sign: str) -> None:
        if not self._is_next(sign):
            raise ValueError(Text("“{sign}” is missing at letter {at}", sign, self._at))


def read_json(
    path: Path,
    what: str = "JSON file",
    *,
    max_bytes: int = MAX_JSON_BYTES,
    constants: Mapping[str, Any] | None = None,
) -> Any:
    """The value of a JSON file."""
    try:
        return parse_json(read_text(path, what, max_bytes=max_bytes), constants)
    except ValueError as error:
        raise UserError("{path} is not a valid {what} ({error}).", "Make it again.", path, Text(what), error) from error


def read_json_object(path: Path, what: str = "JSON file", *, max_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        UserError: as `read_json`, or the file holds another value than an object.
    """
    value = read_json(path, what, max_bytes=max_bytes)
    if not isinstance(value, dict):
        raise UserError(
            "{path} is not a valid {what}: it does not hold a JSON object.", "Make it again.", path, Text(what)
        )
    return texts_in(value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(Text("{name} is not a JSON number", name))


def _depth(value: Any) -> int:
    """Levels of lists and objects, counted without recursion."""
    deepest, open_values = 0, [(value, 0)]
    while open_values:
        each, depth = open_values.pop()
        if isinstance(each, dict | list):
            deepest = max(deepest, depth + 1)
            inner = each.values() if isinstance(each, dict) else each
            open_values += [(part, depth + 1) for part in inner if isinstance(part, dict | list)]
    return deepest
