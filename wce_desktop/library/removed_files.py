"""Files of removed studies, and what killed processes left: a removal whose rows are gone and whose files are not.

The number of the last removal that is done with its files stands in `meta`. A folder of a study, model or run that was
renamed for its deletion goes back to its place where its row is still there: it may be the only copy. Half-written
files whose names end in plain `.partial` are scorings that can go on: their flags are shown, and they stay as long as
their study and model are in the library.
"""

import csv
import io
import json
import logging
import re
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, delete, insert, select

from training.datasets import local_paths
from training.embeddings import disk_manifest
from training.errors import UserError
from training.files import inputs, json_text, outputs, scratch
from training.files.csv_text import CsvWriter, read_lists
from training.runs.folder import MAX_LOG_BYTES
from wce_desktop.core.identity import is_on_server, is_safe_id
from wce_desktop.library import removal_rows, tables
from wce_desktop.library.storage import database, integrity

COLUMNS = ("study_id", "other_study_id")
PICTURES = ("reconstructions", "pages")
"""Folders of runs that hold pictures of frames."""
LOG = logging.getLogger(__name__)
FINISHED = "finished_removals"
"""The key in `meta`."""
_ASIDE = re.compile(r"\.(.+)\.deleted-\d+")
_PLACES = (*integrity.PARTS, "reports", "maps", "indexes")
_UNFINISHED = re.compile(r"(?:embeddings|clips)-(.+)\.h5\.partial")
_HALF_WRITTEN = ("library.sqlite.restored*", "library.key.partial", "library.plain.partial")
"""In the library's folder: parts of a restored database, a key file and a mark; nothing else writes them meanwhile."""
_HALF_BACKUPS = ("library-*.sqlite.partial*", "library.key.partial")
_DAY_SECONDS = 24 * 3600


def folders_with(place: Path, study_id: str) -> list[Path]:
    """The folders in one, such as those of maps, or of runs and their inputs, that name a study."""
    sought = study_id.encode()
    return [
        folder
        for folder in sorted(place.glob("*"))
        if folder.is_dir()
        and any(sought in path.read_bytes() for path in _tables_of(folder) if path.stat().st_size <= MAX_LOG_BYTES)
    ]


def forget_files(library: Path, study_id: str) -> dict[str, int]:
    """Delete what was derived from a study outside the database and its own folder; returns counts.

    Maps that contain it are deleted whole, indexes of neighbours by shards, since they can be made again.

    Raises:
        OSError: something cannot be written; calling it again goes on.
    """
    maps, runs = folders_with(library / "maps", study_id), folders_with(library / "runs", study_id)
    for path in maps:
        shutil.rmtree(path)
    for path in (library / "indexes").glob("*"):
        if path.is_dir():
            disk_manifest.forget(path, study_id)
            if any(path.glob("*.json")):
                continue
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


def _forget_in(path: Path, study_id: str) -> None:
    """Take the entries of a study out of a JSON or CSV file; a file that cannot be read is left as it is."""
    with suppress(UserError, ValueError, csv.Error):
        if path.suffix == ".csv":
            rows = list(read_lists(io.StringIO(inputs.read_text(path, "table", max_bytes=MAX_LOG_BYTES), newline="")))
            at = [number for number, name in enumerate(rows[0]) if name in (*COLUMNS, "study")] if rows else []
            others = [row for row in rows if not any(number < len(row) and row[number] == study_id for number in at)]
            if len(others) < len(rows):
                with outputs.written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
                    CsvWriter(file).writerows(others)
        elif (kept := _without(content := json_text.read_json(path), study_id)) != content:
            with outputs.written_beside(path) as beside:
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


def finish_removals(folder: Path, engine: Engine) -> None:
    """Delete what was derived from removed studies, as far as that was not done yet.

    Raises:
        OSError: a file cannot be deleted or written; calling it again goes on.
    """
    there = ids_in(engine, "studies")
    with engine.connect() as connection:
        value = connection.scalar(select(tables.meta.c.value).where(tables.meta.c.key == FINISHED))
        last = int(value) if value is not None and re.fullmatch(r"[0-9]{1,18}", str(value)) else 0
        rows = removal_rows.recorded_removals(partial(tables.execute, connection))
    for removal_id, study_id in ((number, row.study_id) for number, row in rows.items() if number > last):
        if study_id not in there and is_safe_id(study_id):  # others would take further files along
            shutil.rmtree(folder / "studies" / study_id, ignore_errors=True)
            forget_files(folder, study_id)
        with engine.execution_options(writes=True).begin() as connection:
            connection.execute(delete(tables.meta).where(tables.meta.c.key == FINISHED))
            connection.execute(insert(tables.meta).values(key=FINISHED, value=str(removal_id)))


def finish_at_start(folder: Path, engine: Engine, *, is_whole: bool) -> None:
    """Finish deletions and removals of a process that was killed; what cannot be done is left for the next time.

    Args:
        folder: of the library; another window has it open only where its database is on a server.
        engine: of its database.
        is_whole: False where rows are missing that a backup may bring back: nothing is deleted then.
    """
    with engine.execution_options(writes=True).begin():  # no other window of a shared library deletes meanwhile
        for kind in ("studies", "models", "runs"):
            ids = ids_in(engine, kind)
            for aside in (folder / kind).glob(".*.deleted-*"):
                _settle(aside, ids, is_whole=is_whole)
    if is_whole:
        try:
            finish_removals(folder, engine)
        except OSError as error:
            LOG.warning("a removed study is still named in a file: %s", type(error).__name__)


def ids_in(engine: Engine, name: str) -> frozenset[str]:
    """The ids in a table, also those of rows that break a rule."""
    table = tables.metadata.tables[name]
    with engine.connect() as connection:
        return frozenset(map(str, connection.scalars(select(next(iter(table.primary_key))))))


def _settle(aside: Path, ids: Collection[str], *, is_whole: bool) -> None:
    """Give a folder its name again where its row is still there; else delete it."""
    match = _ASIDE.fullmatch(aside.name)
    if match is None or not aside.is_dir() or aside.is_symlink():
        return
    with suppress(OSError):
        if match[1] in ids:
            folder = aside.with_name(match[1])
            if not folder.exists():
                aside.rename(folder)
                return
            for path in aside.iterdir():  # it was begun anew since: only what it lacks is taken from the old one
                if not (folder / path.name).exists():
                    path.rename(folder / path.name)
            shutil.rmtree(aside, ignore_errors=True)
        elif is_whole:
            shutil.rmtree(aside, ignore_errors=True)


def remove_left_behind(folder: Path) -> None:
    """Remove parts of files whose processes have ended; a background job may outlive the window."""
    min_age_seconds = _min_age_seconds(folder)
    scratch.remove_left_parts(folder, min_age_seconds=min_age_seconds)
    for place in _PLACES:
        scratch.remove_left_parts(folder / place, is_deep=True, min_age_seconds=min_age_seconds)
    for parent, patterns in ((folder, _HALF_WRITTEN), (folder / "backups", _HALF_BACKUPS)):
        for path in (path for pattern in patterns for path in parent.glob(pattern)):
            with suppress(OSError):
                path.unlink()


def _min_age_seconds(folder: Path) -> int:
    """How old something half-done has to be: where several computers share a library, one may still be at it."""
    return _DAY_SECONDS if database.network_kind(folder) or is_on_server(folder) else 0


def _remove_old(path: Path, min_age_seconds: int) -> None:
    with suppress(OSError):
        if time.time() - path.stat().st_mtime >= min_age_seconds:
            path.unlink()


def remove_orphans(folder: Path, engine: Engine) -> None:
    """Remove unfinished scorings whose study, or whose model or run, is no longer in the library."""
    min_age_seconds = _min_age_seconds(folder)
    for path in (folder / "studies").glob("*/embeddings-*.h5.rescored*"):  # begun anew, which takes seconds
        _remove_old(path, min_age_seconds)
    partials = [path for path in (folder / "studies").glob("*/*.h5.partial") if _UNFINISHED.fullmatch(path.name)]
    if not partials:
        return
    studies, models, runs = (ids_in(engine, name) for name in ("studies", "models", "runs"))
    for path in partials:
        match = _UNFINISHED.fullmatch(path.name)
        made_by = match[1] if match else ""
        has_maker = made_by in models or any(made_by.startswith(f"{run}-") for run in runs)
        if path.parent.name not in studies or not has_maker:
            _remove_old(path, min_age_seconds)
