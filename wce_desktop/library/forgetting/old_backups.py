"""Removed studies are deleted from backups, too, once these are older than a stated number of days."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from wce_desktop.library.backup.backup_file import Backup, noted_sequence, write_note
from wce_desktop.library.backup.signed_reports import forget_copies
from wce_desktop.library.forgetting.removals import INSERT, RemovalRow, count_unrecorded, removals_in_force
from wce_desktop.library.forgetting.rows import forget_rows
from wce_desktop.library.storage.definitions import difference, drop_foreign_code
from wce_desktop.library.storage.integrity import table_names
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, READ_ERRORS, open_file

KEPT_DAYS = 30
"""So long backups keep a removed study (ours): long enough to notice a mistake."""
LOG = logging.getLogger(__name__)
_ASIDE = re.compile(r"library\.(?:replaced|damaged)-.*\.sqlite")


def kept_until(removed: datetime) -> datetime:
    """When a study that is removed at a time is gone from the backups, too."""
    return removed + timedelta(days=KEPT_DAYS)


def forget_in_backups(folder: Path, at: datetime | None = None, place: Path | None = None) -> int:
    """Delete the studies whose time is over from all backups and replaced databases; returns how many files changed.

    A file that cannot be read or written is left for the next time, and noted in the log.

    Args:
        folder: of the library.
        at: when; by default now.
        place: delete them from the copies of the backups in this folder only.
    """
    if not (over := _over(folder / "library.sqlite", at or datetime.now(UTC))):
        return 0
    where = folder / "backups" if place is None else place
    forget_copies(where, over)
    changed = 0
    for path in (*where.glob("library-*.sqlite"), *(filter(_is_aside, folder.iterdir()) if place is None else ())):
        try:
            changed += _forget_in(path, over)
        except READ_ERRORS as error:
            LOG.warning("removed studies are still in the backup %s: %s", path.name, error)
    return changed


def _is_aside(path: Path) -> bool:
    return _ASIDE.fullmatch(path.name) is not None


def _over(database: Path, at: datetime) -> dict[str, RemovalRow]:
    """The studies that were removed so long ago that backups must not keep them, with their rows of `removals`."""
    try:
        with closing(open_file(database)) as connection:
            rows = removals_in_force(connection.execute)
            unrecorded = count_unrecorded(connection.execute)
    except DATABASE_ERRORS:  # damaged, or of an older version without removals
        return {}
    if unrecorded:
        LOG.warning("removals without a line in the audit log delete nothing: %d", unrecorded)
    last = at - timedelta(days=KEPT_DAYS)
    return {study_id: row for study_id, row in rows.items() if row.removed is not None and row.removed <= last}


def _forget_in(path: Path, over: Mapping[str, RemovalRow]) -> int:
    with closing(open_file(path, isolation_level=None)) as connection:
        is_own = difference(connection) is None

        def execute(statement: str, parameters: tuple[object, ...]) -> sqlite3.Cursor:
            return connection.execute(statement, parameters)

        there = {str(row[0]) for row in connection.execute("SELECT study_id FROM studies")}
        if not (found := there & over.keys()):
            return 0
        connection.execute("BEGIN IMMEDIATE")
        if not is_own and not drop_foreign_code(connection):
            LOG.warning("removed studies are still in the backup %s: its version is not known", path.name)
            connection.execute("ROLLBACK")
            return 0
        for study_id in found:
            forget_rows(execute, study_id)
            if "removals" in table_names(connection):  # why its lines of the log have no content
                connection.execute(INSERT, over[study_id])
        connection.execute("COMMIT")
        if not _is_aside(path):
            write_note(connection, noted_sequence(connection), Backup.at(path).made)
        connection.execute("VACUUM")
    return 1
