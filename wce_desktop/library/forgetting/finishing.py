"""Finishes removals whose process was killed: the rows are gone, and files that were derived from the study are not.

The number of the last removal that is done with its files stands in `meta`. A folder of a study, model or run that was
renamed for its deletion goes back to its place where its row is still there: it may be the only copy.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine, delete, insert, select

from wce_desktop.core.identity import is_safe_id
from wce_desktop.library import tables
from wce_desktop.library.forgetting.files import forget_files
from wce_desktop.library.forgetting.removals import recorded_removals

LOG = logging.getLogger(__name__)
FINISHED = "finished_removals"
"""The key in `meta`."""
_ASIDE = re.compile(r"\.(.+)\.deleted-\d+")


def finish_removals(folder: Path, engine: Engine) -> None:
    """Delete what was derived from removed studies, as far as that was not done yet.

    Raises:
        OSError: a file cannot be deleted or written; calling it again goes on.
    """
    there = ids_in(engine, "studies")
    for removal_id, study_id in _unfinished(engine):
        if study_id not in there and is_safe_id(study_id):  # others would take further files along
            shutil.rmtree(folder / "studies" / study_id, ignore_errors=True)
            forget_files(folder, study_id)
        with engine.execution_options(writes=True).begin() as connection:
            connection.execute(delete(tables.meta).where(tables.meta.c.key == FINISHED))
            connection.execute(insert(tables.meta).values(key=FINISHED, value=str(removal_id)))


def finish_at_start(folder: Path, engine: Engine, *, is_whole: bool) -> None:
    """Finish deletions and removals of a process that was killed; what cannot be done is left for the next time.

    Args:
        folder: of the library, which no other window has open.
        engine: of its database.
        is_whole: False where rows are missing that a backup may bring back: nothing is deleted then.
    """
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


def _unfinished(engine: Engine) -> list[tuple[int, str]]:
    with engine.connect() as connection:
        value = connection.scalar(select(tables.meta.c.value).where(tables.meta.c.key == FINISHED))
        last = int(value) if value is not None and re.fullmatch(r"[0-9]{1,18}", str(value)) else 0
        rows = recorded_removals(connection.exec_driver_sql)
    return [(removal_id, row.study_id) for removal_id, row in rows.items() if removal_id > last]


def _settle(aside: Path, ids: Collection[str], *, is_whole: bool) -> None:
    match = _ASIDE.fullmatch(aside.name)
    if match is None or not aside.is_dir() or aside.is_symlink():
        return
    with suppress(OSError):
        if match[1] in ids:
            _put_back(aside, aside.with_name(match[1]))
        elif is_whole:
            shutil.rmtree(aside, ignore_errors=True)


def _put_back(aside: Path, folder: Path) -> None:
    """Give a folder its name again; of one that was begun anew since, only what it lacks is taken from the old one."""
    if not folder.exists():
        aside.rename(folder)
        return
    for path in aside.iterdir():
        if not (folder / path.name).exists():
            path.rename(folder / path.name)
    shutil.rmtree(aside, ignore_errors=True)
