"""The classes that a reader can choose from: names, titles, keys, looks, and where each stands among the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import read_json
from training.texts import Text
from wce_desktop.core.language import capital, is_english, names_to_translate, to_translate, tr

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star", "plus", "pentagon", "hexagon", "bar")
STANDARDS = ("", "MST 3.0", "CEST")
"""Minimal Standard Terminology (Aabakken et al., Endoscopy 2009), Capsule Endoscopy Structured Terminology (Korman et
al., Endoscopy 2005); empty: in neither, or not known."""
NORMAL_NAME = "normal"
_TITLES = {
    title.lower(): title
    for title in names_to_translate(
        "Normal, Polyp, Angiectasia, Ulcer, Blood, Erosion, Erythema, Lymphangiectasia, Foreign body, Other, "
        "Vascular lesion, Inflammation, Stenosis, Diverticulum, Parasites, Varices, Hematin, Aphtha, Villous edema, "
        "Submucosal tumor, vein, lymphoid follicle, chylous cyst, inflammatory bowel disease, celiac disease, "
        "esophagitis, z-line, pylorus, ampulla of vater, ileocecal valve, reduced mucosal view, no view, good view, "
        "bubbles, dirt"
    )
} | {"tumor": to_translate("Tumor or mass")}
"""The titles of the classes that come with the program (`resources/labels/default.json`, `terms.json`)."""
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_LONGEST_TEXT = 100


@dataclass(frozen=True, slots=True)
class ClassName:
    """One class.

    Args:
        name: what is stored and exported.
        title: what the reader calls it; the screen shows `shown_title`.
        key: the digit that labels with it, or empty.
        color: "#rrggbb" from a palette safe for colour blindness.
        shape: one of `SHAPES`, because colour alone never distinguishes two classes.
        parent: the name of the more general class, or empty.
        standard: one of `STANDARDS`.
        term: what the standard calls it, or empty.
        code: the standard's code of the term, or empty where it is not known.
        flags: "off" where no frame is flagged as this class and its scores are not shown; else empty.
    """

    name: str
    title: str
    key: str
    color: str
    shape: str
    parent: str = ""
    standard: str = ""
    term: str = ""
    code: str = ""
    flags: str = ""

    def __post_init__(self) -> None:
        if not self.name or not self.title:
            raise ValueError("a class needs a name and a title")
        if not (self.key == "" or (len(self.key) == 1 and self.key in "0123456789")):
            raise ValueError(f"the key of {self.name!r} is a digit or empty, not {self.key!r}")
        if not _COLOR.fullmatch(self.color):
            raise ValueError(f"the colour of {self.name!r} is written #rrggbb, not {self.color!r}")
        if self.shape not in SHAPES:
            raise ValueError(f"the shape of {self.name!r} is one of {', '.join(SHAPES)}, not {self.shape!r}")
        if self.standard not in STANDARDS:
            raise ValueError(f"the standard of {self.name!r} is MST 3.0, CEST or empty, not {self.standard!r}")
        if self.flags not in ("", "off"):
            raise ValueError(f"the flags of {self.name!r} are off or empty, not {self.flags!r}")

    @property
    def shown_title(self) -> str:
        """The title as the screen shows it: in the chosen language, unless the reader gave the class another one."""
        return tr(self.title) if self.title == _TITLES.get(self.name) else self.title

    @property
    def title_in_sentence(self) -> str:
        """The title in the middle of a sentence, where only English writes it small."""
        return self.shown_title.lower() if is_english() else self.shown_title

    @property
    def term_words(self) -> str:
        """ "MST 3.0: Protruding lesions, Polyp (no published code)"; "not known" without a term."""
        if not self.term:
            return tr("not known")
        standard = self.standard or tr("Term")
        if not self.code:
            return tr("{standard}: {term} (no published code)", standard=standard, term=self.term)
        return tr("{standard}: {term} (code {code})", standard=standard, term=self.term, code=self.code)


def shown_name(name: str) -> str:
    """The name of a class in the middle of a sentence, in the chosen language; in English it is the name itself."""
    if is_english() or name not in _TITLES:
        return name
    return tr(to_translate("normal")) if name == NORMAL_NAME else tr(_TITLES[name])


def name_text(name: str) -> str:
    """The name of a class in a text that is stored: that of a default class can be translated."""
    return Text(name) if name in _TITLES else name


def with_class_names(translations: Mapping[str, str]) -> dict[str, str]:
    """Translations that also know the default classes by their names, for sentences in which `training` names them."""
    names = {name: translations[title] for name, title in _TITLES.items() if title in translations}
    return {**names, **translations}


def title_of(name: str, known: ClassName | None) -> str:
    """The title, as the screen shows it, of a class that the vocabulary may not have (None)."""
    return known.shown_title if known else capital(shown_name(name))


class Vocabulary:
    """The classes in the order of their keys.

    Whoever holds it sees changes: the reader can edit the classes while the window is open.

    Raises:
        ValueError: when two share a name or a key, "normal" is missing, or a parent is missing or its own ancestor.
    """

    def __init__(self, classes: tuple[ClassName, ...]) -> None:
        self.replace(classes)

    def replace(self, classes: tuple[ClassName, ...]) -> None:
        """Hold these classes from now on; nothing is changed where they are refused (see the class)."""
        by_name = {one.name: one for one in classes}
        by_key = {one.key: one for one in classes if one.key}
        if len(by_name) != len(classes):
            raise ValueError("two classes of a vocabulary share a name")
        if len(by_key) != sum(1 for one in classes if one.key):
            raise ValueError("two classes of a vocabulary share a key")
        if NORMAL_NAME not in by_name:
            raise ValueError("a vocabulary needs the class 'normal'")
        for name, value in (item for one in classes for item in asdict(one).items()):
            if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST_TEXT:
                raise ValueError(f"the {name} of a class is a text of at most {_LONGEST_TEXT} characters in one line")
        _check_parents(by_name)
        self.classes, self._by_name, self._by_key = classes, by_name, by_key

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Vocabulary:
        """Read `{"classes": [{"name", "title", "key", "color", "shape", ...}]}`; see `ClassName` for the others."""
        try:
            return cls(tuple(ClassName(**entry) for entry in document["classes"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"a vocabulary lacks or has too much: {error}") from error

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads; fields that are empty and may be left out are left out."""
        optional = {field.name for field in fields(ClassName)} - {"name", "title", "key", "color", "shape"}
        entries = [
            {name: value for name, value in asdict(one).items() if value or name not in optional}
            for one in self.classes
        ]
        return {"schema_version": 1, "classes": entries}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(self._by_name)

    @property
    def off(self) -> frozenset[str]:
        """The classes that are switched off."""
        return frozenset(one.name for one in self.classes if one.flags)

    def by_key(self, key: str) -> ClassName | None:
        """The class that a digit stands for, or None."""
        return self._by_key.get(key)

    def of(self, name: str) -> ClassName:
        """The class `name`; a class that is not in the vocabulary is shown in grey under its own name."""
        return self._by_name.get(name) or ClassName(name, name.replace("_", " "), "", "#b8b8b8", "bar")

    def tree(self) -> tuple[tuple[int, ClassName], ...]:
        """All classes with their depth (0 for those without a parent), each below its parent."""
        children: dict[str, list[ClassName]] = {}
        for one in self.classes:
            children.setdefault(one.parent, []).append(one)

        def below(parent: str, depth: int) -> Iterator[tuple[int, ClassName]]:
            for one in children.get(parent, ()):
                yield depth, one
                yield from below(one.name, depth + 1)

        return tuple(below("", 0))

    def path(self, name: str) -> tuple[ClassName, ...]:
        """A class with those above it, the most general first."""
        result = [self.of(name)]
        while result[0].parent:
            result.insert(0, self.of(result[0].parent))
        return tuple(result)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[ClassName]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)


def _check_parents(by_name: Mapping[str, ClassName]) -> None:
    for one in by_name.values():
        if one.parent and one.parent not in by_name:
            raise ValueError(f"the parent of {one.name!r}, {one.parent!r}, is no class")
        if one.name == NORMAL_NAME and one.parent:
            raise ValueError("'normal' stands below no other class")
        if one.parent == NORMAL_NAME:
            raise ValueError(f"{one.name!r} cannot stand below 'normal'")
        above, name = {one.name}, one.parent
        while name:
            if name in above:
                raise ValueError(f"{one.name!r} stands below itself")
            above.add(name)
            name = by_name[name].parent if name in by_name else ""


def with_new_classes(vocabulary: Vocabulary, names: Iterable[str]) -> tuple[ClassName, ...]:
    """The classes with further ones at the end, without keys; each looks like no other, as long as there are looks."""
    result = list(vocabulary.classes)
    colors = list(dict.fromkeys(one.color for one in result if one.name != NORMAL_NAME)) or ["#9aa0a6"]
    looks = [(color, shape) for shape in SHAPES for color in colors]
    for name in names:
        taken = {(one.color, one.shape) for one in result}
        color, shape = next((look for look in looks if look not in taken), looks[0])
        result.append(ClassName(name, name, "", color, shape))
    return tuple(result)


def removed_in_use(before: Iterable[str], after: Iterable[str], used: Mapping[str, int]) -> dict[str, int]:
    """The classes that would go although labels, findings or boxes have them, with how many do.

    Args:
        before, after: names of the classes now and then.
        used: how many items have each name.
    """
    gone = set(before) - set(after)
    return {name: count for name, count in used.items() if name in gone and count}


MAX_BYTES = 1_000_000
"""Of a file of classes."""


def load_vocabulary(path: Path) -> Vocabulary:
    """Read a vocabulary from a JSON file.

    Raises:
        ValueError: naming the file, when it is not one.
    """
    try:
        return Vocabulary.from_json(read_json(path, "vocabulary", max_bytes=MAX_BYTES))
    except (ValueError, UserError) as error:
        problem = error.message if isinstance(error, UserError) else error
        raise ValueError(Text("{path} is not a vocabulary: {problem}", path, problem)) from error
