"""Reading YAML that may come from elsewhere: bounded in size and depth, every scalar a text, no references."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from training.errors import UserError
from training.files.inputs import read_text
from training.texts import Text

MAX_YAML_BYTES = 1024**2
MAX_DEPTH = 32
"""Of nested lists and maps."""
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # texts only: no numbers, dates or objects are made


def yaml_object(text: str) -> dict[str, Any]:
    """The map in a YAML text; {} where it holds another value.

    Raises:
        ValueError: not YAML, deeper than `MAX_DEPTH`, or with references, which can stand for any amount of data.
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
    """The map in a YAML file.

    Args:
        path: the file.
        what: "list of classes" or the like, for the sentence.

    Raises:
        UserError: as `read_text` and `yaml_object`.
    """
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
        if depth > MAX_DEPTH:
            raise ValueError(Text("nested deeper than {max_depth} levels", MAX_DEPTH))
