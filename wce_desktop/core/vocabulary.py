"""The classes that a reader can choose from: name, title, key, colour and shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star", "plus", "pentagon", "hexagon", "bar")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True)
class ClassName:
    """One class.

    Args:
        name: what is stored and exported.
        title: what the screen shows.
        key: the digit that labels with it, or empty.
        color: "#rrggbb" from a palette safe for colour blindness.
        shape: one of `SHAPES`, because colour alone never distinguishes two classes.
    """

    name: str
    title: str
    key: str
    color: str
    shape: str

    def __post_init__(self) -> None:
        if not self.name or not self.title:
            raise ValueError("a class needs a name and a title")
        if not (self.key == "" or (len(self.key) == 1 and self.key in "0123456789")):
            raise ValueError(f"the key of {self.name!r} is a digit or empty, not {self.key!r}")
        if not _COLOR.fullmatch(self.color):
            raise ValueError(f"the colour of {self.name!r} is written #rrggbb, not {self.color!r}")
        if self.shape not in SHAPES:
            raise ValueError(f"the shape of {self.name!r} is one of {', '.join(SHAPES)}, not {self.shape!r}")


class Vocabulary:
    """The classes in the order of their keys.

    Raises:
        ValueError: when two share a name or a key, or "normal" is missing.
    """

    def __init__(self, classes: tuple[ClassName, ...]) -> None:
        self.classes = classes
        self._by_name = {one.name: one for one in classes}
        self._by_key = {one.key: one for one in classes if one.key}
        if len(self._by_name) != len(classes):
            raise ValueError("two classes of a vocabulary share a name")
        if len(self._by_key) != sum(1 for one in classes if one.key):
            raise ValueError("two classes of a vocabulary share a key")
        if "normal" not in self._by_name:
            raise ValueError("a vocabulary needs the class 'normal'")

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Vocabulary:
        """Read `{"classes": [{"name", "title", "key", "color", "shape"}]}`."""
        try:
            return cls(tuple(ClassName(**entry) for entry in document["classes"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"a vocabulary lacks or has too much: {error}") from error

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(self._by_name)

    def by_key(self, key: str) -> ClassName | None:
        """The class that a digit stands for, or None."""
        return self._by_key.get(key)

    def of(self, name: str) -> ClassName:
        """The class `name`; a class that is not in the vocabulary is shown in grey under its own name."""
        return self._by_name.get(name) or ClassName(name, name.replace("_", " "), "", "#b8b8b8", "bar")

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[ClassName]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)


def load_vocabulary(path: Path) -> Vocabulary:
    """Read a vocabulary from a JSON file.

    Raises:
        ValueError: naming the file, when it is not one.
    """
    try:
        return Vocabulary.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a vocabulary: {error}") from error
