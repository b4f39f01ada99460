"""Files that were derived from a study: its own folders, maps, indexes of neighbours, and inputs of runs."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.datasets import local_paths
from training.errors import UserError
from training.files.csv_text import CsvWriter, read_lists
from training.files.inputs import read_text
from training.files.json_text import read_json
from training.files.outputs import written_beside
from training.runs.folder import MAX_LOG_BYTES

COLUMNS = ("study_id", "other_study_id")
PICTURES = ("reconstructions", "pages")
"""Folders of runs that hold pictures of frames."""


def maps_with(library: Path, study_id: str) -> list[Path]:
    """The folders of embedding maps that contain a study."""
    return [path for path in sorted((library / "maps").glob("*")) if path.is_dir() and _is_named_below(path, study_id)]


def runs_with(library: Path, study_id: str) -> list[Path]:
    """The folders of runs, and of their inputs, that name a study."""
    return [path for path in sorted((library / "runs").glob("*")) if path.is_dir() and _is_named_below(path, study_id)]


def forget_files(library: Path, study_id: str) -> dict[str, int]:
    """Delete what was derived from a study outside the database and its own folder; returns counts.

    Maps that contain it and indexes of neighbours are deleted whole, since they can be made again.

    Raises:
        OSError: something cannot be written; calling it again goes on.
    """
    maps, runs = maps_with(library, study_id), runs_with(library, study_id)
    for path in maps:
        shutil.rmtree(path)
    for path in (library / "indexes").glob("*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for run in runs:
        for path in _tables_of(run):
            _forget_in(path, study_id)
        for folder in {path.parent for path in run.rglob(local_paths.FILE_NAME)}:
            local_paths.forget(folder, study_id)
        for name in PICTURES:
            shutil.rmtree(run / name, ignore_errors=True)
    shutil.rmtree(library / "reports" / study_id, ignore_errors=True)
    return {"maps": len(maps), "runs": len(runs)}


def _tables_of(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".json", ".csv") and path.is_file() and path.name != local_paths.FILE_NAME:
            yield path


def _is_named_below(folder: Path, study_id: str) -> bool:
    sought = study_id.encode()
    return any(sought in path.read_bytes() for path in _tables_of(folder) if path.stat().st_size <= MAX_LOG_BYTES)


def _forget_in(path: Path, study_id: str) -> None:
    """Take the entries of a study out of a JSON or CSV file; a file that cannot be read is left as it is."""
    try:
        if path.suffix == ".json":
            _forget_in_json(path, study_id)
        else:
            _forget_in_csv(path, study_id)
    except (UserError, ValueError, csv.Error):
        return


def _forget_in_json(path: Path, study_id: str) -> None:
    content = read_json(path)
    kept = _without(content, study_id)
    if kept != content:
        with written_beside(path) as beside:
            beside.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _without(value: Any, study_id: str) -> Any:
    """A JSON value without objects of the study, without keys of its name, and without its name in lists."""
    if isinstance(value, dict):
        return {
            key: _without(item, study_id)
            for key, item in value.items()
            if key != study_id and not _is_of(item, study_id)
        }
    if isinstance(value, list):
        return [_without(item, study_id) for item in value if item != study_id and not _is_of(item, study_id)]
    return value


def _is_of(value: Any, study_id: str) -> bool:
    return isinstance(value, dict) and study_id in (value.get("study_id"), value.get("other_study_id"))


def _forget_in_csv(path: Path, study_id: str) -> None:
    rows = list(read_lists(io.StringIO(read_text(path, "table", max_bytes=MAX_LOG_BYTES), newline="")))
    at = [number for number, name in enumerate(rows[0]) if name in (*COLUMNS, "study")] if rows else []
    kept = [row for row in rows if not any(number < len(row) and row[number] == study_id for number in at)]
    if len(kept) < len(rows):
        with written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            CsvWriter(file).writerows(kept)
