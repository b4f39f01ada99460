"""Expensive results of single frames, stored line by line in a file that survives a crash."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from training.errors import UserError
from training.files.inputs import read_text
from training.files.json_text import parse_json


class StoredOverlays:
    """Appends a JSON line per frame and explanation; a file of another model or settings is replaced.

    Args:
        path: the file.
        identity: JSON values that everything in the file depends on.
        resume: continue an existing file instead of replacing it.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        lines = _lines(path) if resume else []
        is_same = bool(lines) and lines[0].get("identity") == identity
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8")
        # Written again even where nothing changed: the line that a crash cut short must not stay in the middle.
        self._write({"identity": dict(identity)})
        for line in lines[1:] if is_same else []:
            self.add(line.pop("explain"), line.pop("filename"), line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._file.close()

    def get(self, explain: str, filename: str) -> dict[str, Any] | None:
        """The stored values of a frame, or None."""
        return self._known.get((explain, filename))

    def add(self, explain: str, filename: str, values: dict[str, Any]) -> None:
        """Store JSON values of a frame."""
        self._known[explain, filename] = values
        self._write({"explain": explain, "filename": filename, **values})

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def _lines(path: Path) -> list[dict[str, Any]]:
    """All lines up to the first incomplete one."""
    found = []
    try:
        for text in read_text(path).splitlines():
            line = parse_json(text)
            if not isinstance(line, dict) or not ("identity" in line or {"explain", "filename"} <= line.keys()):
                break
            found.append(line)
    except (UserError, ValueError):
        return found
    return found
