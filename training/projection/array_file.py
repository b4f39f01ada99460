"""A file of named arrays and one JSON text (npz, no pickles): written beside and renamed, checked when opened."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.npz import JSON, Column, NpzError, json_of, read_npz
from training.files.outputs import written_beside
from training.texts import Text, texts_in, with_texts

FACTS = "facts"


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Path:
    """Write the arrays and `facts` (JSON values) so that a reader sees the old file or the new one, never half of one.

    Raises:
        UserError: the folder cannot be written, or the disk is full.
    """
    text = np.frombuffer(json.dumps(with_texts(facts), allow_nan=False).encode(), np.uint8)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path, sync=True) as beside, beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **{FACTS: text, **arrays})
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(
            "{path} cannot be written ({reason}).", "Free some disk space or choose another folder.", path, reason
        ) from error
    return path


def read_arrays(path: Path, columns: Mapping[str, Column], what: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The declared arrays and the facts of a file.

    Args:
        path: the file.
        columns: type and shape of each array.
        what: "map" or the like, for the sentence.

    Raises:
        UserError: no such file, damaged, or something else.
    """
    if not path.exists():
        raise UserError("There is no {what} {path}.", "Make it first.", Text(what), path)
    try:
        arrays = read_npz(path, {FACTS: JSON, **columns}, what)
        return arrays, texts_in(json_of(arrays.pop(FACTS)))
    except (NpzError, KeyError) as error:
        raise UserError(
            "{path} is damaged or not a valid {what}: {error}.", "Make it again.", path, Text(what), error
        ) from error


def rows_fit(rows: NDArray[Any], names: Sequence[str]) -> bool:
    """Whether every row number points at one of the names."""
    return not len(rows) or (int(rows.min()) >= 0 and int(rows.max()) < len(names))


def are_texts(*lists: Any) -> bool:
    """Whether all are lists of texts."""
    return all(isinstance(each, list) and all(isinstance(text, str) for text in each) for each in lists)
