"""Removing studies: first the rows, in one transaction, then the files; from backups once these are old."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.library import audit, removal_rows, study_rows, tables
from wce_desktop.library.backup import backup_file, backups, signed_reports
from wce_desktop.library.removed_files import finish_removals
from wce_desktop.library.rows import as_row
from wce_desktop.library.storage import definitions, failures, integrity, sqlite_file
from wce_desktop.library.storage.database import FILE_NAME, now_utc
from wce_desktop.library.store import StorePart

KEPT_DAYS = 30
"""So long backups keep a removed study (ours): long enough to notice a mistake."""
LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Removal:
    """A study that was removed; `facts`: counts of what was removed, and the models that had learned from it."""

    removal_id: int
    when_utc: str
    reader: str
    study_id: str
    patient_id: str
    facts: Mapping[str, Any]


class Removals(StorePart):
    """Removes studies with everything that was derived from them."""

    def count_derived(self, study_id: str) -> dict[str, int]:
        """How many rows of each table belong to a study."""
        with self._store.reading(Text("what belongs to the study")) as connection:
            return removal_rows.count_rows(partial(tables.execute, connection), study_id)

    def remove(self, study_ids: Sequence[str], learned: Mapping[str, Sequence[str]] | None = None) -> None:
        """Remove studies with everything that was derived from them; it cannot be undone. The videos stay.

        Labels and all other rows are deleted, and the lines of the audit log lose their content; so do the files beside
        them, maps, signed reports, and entries in the inputs of runs. Backups lose the studies after
        `KEPT_DAYS` days. A row of `removals` and a line of the log remain.

        Args:
            study_ids: readings of second readers are removed with their studies.
            learned: by study the ids of the models and runs that had learned from it, for the record.

        Raises:
            KeyError: there is no such study.
            UserError: something cannot be written. Where rows were deleted already, the sentence says so.
        """
        with failures.sentences(self._store.folder, Text("a part of the removal")):
            column = tables.studies.c
            for study_id in study_ids:
                with self._store.reading(Text("second readings")) as connection:
                    seconds = list(connection.scalars(select(column.study_id).where(column.second_of == study_id)))
                for second in seconds:
                    self._remove(second, ())
                self._remove(study_id, (learned or {}).get(study_id, ()))
            if self._store.is_on_server:
                return
            with closing(sqlite_file.open_file(self._store.folder / FILE_NAME)) as opened:
                opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # no deleted rows are left in SQLite's log
            backups.backup(self._store.folder, always=True)  # the new state of the library: nothing counts as missing

    def all(self) -> tuple[Removal, ...]:
        """The studies that were removed, oldest first."""
        with self._store.reading(Text("the removed studies")) as connection:
            rows = connection.execute(select(tables.removals).order_by(tables.removals.c.removal_id)).all()
        return tuple(Removal(**as_row(row)) for row in rows)

    def _remove(self, study_id: str, learned: Sequence[str]) -> None:
        folder = self._store.folder / "studies" / study_id
        with self._store.deleting(Text("removing the study"), folder) as connection:
            patient_id = study_rows.read_record(connection, study_id).patient_id
            facts = {
                "rows": removal_rows.count_rows(partial(tables.execute, connection), study_id),
                "learned": list(learned),
            }
            removal_rows.forget_rows(partial(tables.execute, connection), study_id)
            when, reader = now_utc(), self._store.reader
            row = {"when_utc": when, "reader": reader, "study_id": study_id, "patient_id": patient_id, "facts": facts}
            connection.execute(insert(tables.removals).values(**row))
            of = study_id
            audit.record(
                connection, reader, removal_rows.TITLE, "remove", "study", of, when=when, study_id=of, after=facts
            )
        try:
            finish_removals(self._store.folder, self._store.engine)
        except OSError as error:
            raise UserError(
                "The study was removed, but {file} still names it ({why}).",
                "Close programs that use the library's folder, and delete the runs or maps that contain the study.",
                error.filename or Text("a file"),
                error.strerror or error,
            ) from error


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
    signed_reports.forget_copies(where, over)
    changed = 0
    for path in (*where.glob("library-*.sqlite"), *(backup_file.databases_aside(folder) if place is None else ())):
        try:
            changed += _forget_in_file(path, over)
        except sqlite_file.READ_ERRORS as error:
            LOG.warning("removed studies are still in the backup %s: %s", path.name, error)
    return changed


def _over(database: Path, at: datetime) -> dict[str, removal_rows.RemovalRow]:
    """The studies that were removed so long ago that backups must not keep them, with their rows of `removals`."""
    try:
        with closing(sqlite_file.open_file(database)) as connection:
            rows = removal_rows.removals_in_force(connection.execute)
            unrecorded = removal_rows.count_unrecorded(connection.execute)
    except sqlite_file.DATABASE_ERRORS:  # damaged, or of an older version without removals
        return {}
    if unrecorded:
        LOG.warning("removals without a line in the audit log delete nothing: %d", unrecorded)
    last = at - timedelta(days=KEPT_DAYS)
    return {study_id: row for study_id, row in rows.items() if row.removed is not None and row.removed <= last}


def _forget_in_file(path: Path, over: Mapping[str, removal_rows.RemovalRow]) -> int:
    with closing(sqlite_file.open_file(path, isolation_level=None)) as connection:
        is_own = definitions.difference(connection) is None
        there = {str(row[0]) for row in connection.execute("SELECT study_id FROM studies")}
        if not (removed := there & over.keys()):
            return 0
        connection.execute("BEGIN IMMEDIATE")
        if not is_own and not definitions.drop_foreign_code(connection):
            LOG.warning("removed studies are still in the backup %s: its version is not known", path.name)
            connection.execute("ROLLBACK")
            return 0
        for study_id in removed:
            removal_rows.forget_rows(connection.execute, study_id)
            if "removals" in integrity.table_names(connection):  # why its lines of the log have no content
                connection.execute(removal_rows.INSERT, over[study_id])
        connection.execute("COMMIT")
        if not backup_file.ASIDE.fullmatch(path.name):
            backup_file.write_note(connection, backup_file.noted_sequence(connection), backup_file.Backup.at(path).made)
        connection.execute("VACUUM")
    return 1
