"""A file of named arrays and one JSON text (npz, no pickles): written beside and renamed, checked when opened."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.outputs import written_beside

FACTS = "facts"


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Path:
    """Write the arrays and `facts` (JSON values) so that a reader sees the old file or the new one, never half of one.

    Raises:
        UserError: the folder cannot be written, or the disk is full.
    """
    text = np.frombuffer(json.dumps(dict(facts), allow_nan=False).encode(), np.uint8)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path, sync=True) as beside, beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **{FACTS: text, **arrays})
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"{path} cannot be written ({reason}).", "Free some space or choose another folder.") from error
    return path


def read_arrays(
    path: Path, names: tuple[str, ...], what: str, perhaps: tuple[str, ...] = ()
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The named arrays and the facts of a file.

    Args:
        path: the file.
        names: arrays that must be there.
        what: "map" or the like, for the sentence.
        perhaps: arrays that come along where they are there.

    Raises:
        UserError: no such file, damaged, or something else.
    """
    if not path.is_file():
        raise UserError(f"There is no {what} {path}.", "Make it first.")
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            facts = json.loads(file[FACTS].tobytes())
            wanted = (*names, *(name for name in perhaps if name in file))
            return {name: file[name] for name in wanted}, dict(facts)
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, AttributeError) as error:
        raise UserError(f"{path} is damaged or no {what}.", "Make it again.") from error
