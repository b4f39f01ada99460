"""Reading JSON that may come from elsewhere: bounded in size and depth, standard numbers only."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from training.errors import UserError
from training.files.inputs import read_text

MAX_JSON_BYTES = 64 * 1024**2
MAX_CONTAINERS = 8_000_000
"""Lists and objects of a text; each takes some 100 bytes."""
MAX_DEPTH = 64
"""Of nested lists and objects; the project's own files nest six deep at most."""


def parse_json(text: str | bytes, constants: Mapping[str, Any] | None = None) -> Any:
    """The value of a JSON text.

    Args:
        text: to parse.
        constants: what `NaN`, `Infinity` and `-Infinity` stand for, None for what is missing here; without it they
            are refused.

    Raises:
        ValueError: not JSON, `NaN` or `Infinity` in it, nested deeper than `MAX_DEPTH`, or more than `MAX_CONTAINERS`.
    """
    opened = text.count("{") + text.count("[") if isinstance(text, str) else text.count(b"{") + text.count(b"[")
    if opened > MAX_CONTAINERS:
        raise ValueError(f"more than {MAX_CONTAINERS:,} lists and objects")
    try:
        value = json.loads(text, parse_constant=_refuse_constant if constants is None else constants.get)
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    if _depth(value) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def read_json(
    path: Path,
    what: str = "JSON file",
    *,
    max_bytes: int = MAX_JSON_BYTES,
    constants: Mapping[str, Any] | None = None,
) -> Any:
    """The value of a JSON file.

    Args:
        path: the file.
        what: "manifest" or the like, for the sentence.
        max_bytes: a larger file is refused.
        constants: see `parse_json`.

    Raises:
        UserError: as `read_text` and `parse_json`.
    """
    try:
        return parse_json(read_text(path, what, max_bytes=max_bytes), constants)
    except ValueError as error:
        raise UserError(f"{path} is not a valid {what} ({error}).", "Make it again.") from error


def read_json_object(path: Path, what: str = "JSON file", *, max_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        UserError: as `read_json`, or the file holds another value than an object.
    """
    value = read_json(path, what, max_bytes=max_bytes)
    if not isinstance(value, dict):
        raise UserError(f"{path} is not a valid {what}: it does not hold a JSON object.", "Make it again.")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


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
