"""A result that is kept under the digest of all that decides it, so that it is never computed twice."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import read_json_object
from training.runs.folder import write_json


def key_of(decides: Mapping[str, Any]) -> str:
    """Twelve hexadecimal digits of what decides a result; JSON values and paths."""
    return hashlib.sha256(json.dumps(decides, sort_keys=True, default=str).encode()).hexdigest()[:12]


def kept_result(folder: Path) -> dict[str, Any] | None:
    """The result that is kept in a folder; None where there is none or its file is damaged."""
    try:
        return dict(read_json_object(folder / "cell.json")["result"])
    except (UserError, ValueError, KeyError, TypeError):
        return None


def keep_result(folder: Path, decides: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    """Keep a result with what decided it."""
    folder.mkdir(parents=True, exist_ok=True)
    said = json.loads(json.dumps(decides, default=str))
    write_json(folder / "cell.json", {"decided_by": said, "result": result})
