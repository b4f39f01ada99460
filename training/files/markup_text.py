"""XML and YAML of a file that somebody else has made: of limited size and depth, without entities and references."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import yaml

from training.errors import UserError
from training.files.inputs import read_text
from training.texts import Text

MAX_XML_BYTES = 4 * 1024**2
"""Of one file; the annotation of a frame takes a kilobyte."""
MAX_DEPTH = 64
MAX_PARTS = 6_000_000
"""Elements and attributes; each takes some 100 bytes."""


def read_xml(path: Path, *, max_bytes: int | None = None) -> Element:
    """The root element of an XML file.

    A document type is refused, and with it every entity: a few lines of them can expand to gigabytes, or name files of
    this machine and pages of the network.

    Raises:
        UserError: not a regular file, too large, not UTF-8, not well-formed, with a document type, nested deeper than
            `MAX_DEPTH`, or of more than `MAX_PARTS`.
    """
    text = read_text(path, "markup file (XML)", max_bytes=max_bytes or MAX_XML_BYTES)
    reader = _Reader()
    try:
        return reader.read(text)
    except (expat.ExpatError, _RefusedError) as error:
        raise UserError(
            "{path} is not a usable XML file: {error}.", "Download or export it again.", path, error
        ) from error


class _RefusedError(Exception):
    """Well-formed XML that is not read."""


class _Reader:
    """Builds the tree from the parser's events."""

    def __init__(self) -> None:
        self._tree = TreeBuilder()
        self._depth = self._parts = 0

    def read(self, text: str) -> Element:
        parser = expat.ParserCreate(encoding="utf-8")
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._tree.data
        parser.Parse(text.encode(), True)
        return self._tree.close()

    def _refuse_document_type(self, *_: object) -> None:
        raise _RefusedError("it declares a document type or entities, which are not read")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError(Text("it is nested deeper than {max_depth} elements", MAX_DEPTH))
        self._parts += 1 + len(attributes)
        if self._parts > MAX_PARTS:
            raise _RefusedError(Text("it has more than {max_parts:,} elements and attributes", MAX_PARTS))
        self._tree.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._tree.end(tag)


MAX_YAML_BYTES = 1024**2
MAX_YAML_DEPTH = 32
"""Of nested lists and maps."""
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # texts only: no numbers, dates or objects are made


def yaml_object(text: str) -> dict[str, Any]:
    """The map in a YAML text; {} where it holds another value.

    Raises:
        ValueError: not YAML, deeper than `MAX_YAML_DEPTH`, or with references, which can stand for any amount of data.
    """
    try:
        _check(yaml.parse(text, Loader=_LOADER))
        value = yaml.load(text, Loader=_LOADER)  # a loader of texts
    except yaml.MarkedYAMLError as error:
        problem = error.problem or Text("not YAML")
        if error.problem_mark is None:
            raise ValueError(problem) from error
        raise ValueError(Text("{problem} in line {line}", problem, error.problem_mark.line + 1)) from error
    except (yaml.YAMLError, TypeError) as error:  # TypeError: a list as a key
        raise ValueError("it cannot be read") from error
    return value if isinstance(value, dict) else {}


def read_yaml_object(path: Path, what: str) -> dict[str, Any]:
    """The map in a YAML file."""
    try:
        return yaml_object(read_text(path, what, max_bytes=MAX_YAML_BYTES))
    except ValueError as error:
        raise UserError("{path} is not a valid {what} ({error}).", "Make it again.", path, Text(what), error) from error


def _check(events: Iterator[Any]) -> None:
    """Look at the structure before anything is built of it."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("it has references")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_YAML_DEPTH:
            raise ValueError(Text("nested deeper than {max_depth} levels", MAX_YAML_DEPTH))
