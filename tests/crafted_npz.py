"""Changing single arrays and facts of an .npz file, as somebody would who means harm."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def change_npz(path: Path, text: str, change: Callable[[dict[str, Any], dict[str, Any]], object]) -> Path:
    """Write the file anew after a change.

    Args:
        path: the file.
        text: the array with its JSON text.
        change: gets the JSON object and the arrays, and changes them in place.
    """
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    facts = json.loads(arrays[text].tobytes() if arrays[text].dtype == np.uint8 else str(arrays[text]))
    change(facts, arrays)
    kept = np.array(json.dumps(facts)) if arrays[text].dtype.kind == "U" else _bytes(json.dumps(facts))
    with path.open("wb") as out:
        np.savez(out, **(arrays | {text: kept}))
    return path


def _bytes(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)
