"""Removing studies, models and runs: first the rows, in one transaction, then the files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.library import audit, study_rows, tables
from wce_desktop.library.backup import backups
from wce_desktop.library.forgetting.finishing import finish_removals
from wce_desktop.library.forgetting.removals import TITLE
from wce_desktop.library.forgetting.rows import count_rows, forget_rows
from wce_desktop.library.registry import current_id
from wce_desktop.library.rows import as_row
from wce_desktop.library.storage.database import FILE_NAME, now_utc
from wce_desktop.library.storage.failures import sentences
from wce_desktop.library.storage.sqlite_file import open_file
from wce_desktop.library.store import Store


@dataclass(frozen=True, slots=True)
class Removal:
    """A study that was removed; `facts`: counts of what was removed, and the models that had learned from it."""

    removal_id: int
    when_utc: str
    reader: str
    study_id: str
    patient_id: str
    facts: Mapping[str, Any]


class Removals:
    """Removes studies with everything that was derived from them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def count_derived(self, study_id: str) -> dict[str, int]:
        """How many rows of each table belong to a study."""
        with self._store.reading(Text("what belongs to the study")) as connection:
            return count_rows(connection.exec_driver_sql, study_id)

    def remove(self, study_ids: Sequence[str], learned: Mapping[str, Sequence[str]] | None = None) -> None:
        """Remove studies with everything that was derived from them; it cannot be undone. The videos stay.

        Labels and all other rows are deleted, and the lines of the audit log lose their content; so do the files beside
        them, maps, signed reports, and entries in the inputs of runs. Backups lose the studies after
        `old_backups.KEPT_DAYS`. A row of `removals` and a line of the log remain.

        Args:
            study_ids: readings of second readers are removed with their studies.
            learned: by study the ids of the models and runs that had learned from it, for the record.

        Raises:
            KeyError: there is no such study.
            UserError: something cannot be written. Where rows were deleted already, the sentence says so.
        """
        with sentences(self._store.folder, Text("a part of the removal")):
            for study_id in study_ids:
                for second in self._second_readings(study_id):
                    self._remove(second, ())
                self._remove(study_id, (learned or {}).get(study_id, ()))
            self._empty_log()
            backups.backup(self._store.folder, always=True)  # the new state of the library: nothing counts as missing

    def all(self) -> tuple[Removal, ...]:
        """The studies that were removed, oldest first."""
        with self._store.reading(Text("the removed studies")) as connection:
            rows = connection.execute(select(tables.removals).order_by(tables.removals.c.removal_id)).all()
        return tuple(Removal(**as_row(row)) for row in rows)

    def _second_readings(self, study_id: str) -> list[str]:
        column = tables.studies.c
        with self._store.reading(Text("second readings")) as connection:
            return list(connection.execute(select(column.study_id).where(column.second_of == study_id)).scalars())

    def _remove(self, study_id: str, learned: Sequence[str]) -> None:
        aside: Path | None = None
        folder = self._store.folder / "studies" / study_id
        try:
            with self._store.writing(Text("removing the study")) as connection:
                self._forget(connection, study_id, learned)
                aside = set_aside(folder)
        except BaseException:
            if aside is not None:
                aside.rename(folder)
            raise
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)
        try:
            finish_removals(self._store.folder, self._store.engine)
        except OSError as error:
            raise UserError(
                "The study was removed, but {file} still names it ({why}).",
                "Close programs that use the library's folder, and delete the runs or maps that contain the study.",
                error.filename or Text("a file"),
                error.strerror or error,
            ) from error

    def _forget(self, connection: Connection, study_id: str, learned: Sequence[str]) -> None:
        patient_id = study_rows.read_record(connection, study_id).patient_id
        facts = {"rows": count_rows(connection.exec_driver_sql, study_id), "learned": list(learned)}
        forget_rows(connection.exec_driver_sql, study_id)
        when = now_utc()
        row = {
            "when_utc": when,
            "reader": self._store.reader,
            "study_id": study_id,
            "patient_id": patient_id,
            "facts": facts,
        }
        connection.execute(insert(tables.removals).values(**row))
        audit.record(
            connection,
            when=when,
            reader=self._store.reader,
            title=TITLE,
            action="remove",
            kind="study",
            item_id=study_id,
            study_id=study_id,
            after=facts,
        )

    def _empty_log(self) -> None:
        """Move everything from SQLite's log into the file, so that no deleted rows are left in the log."""
        with closing(open_file(self._store.folder / FILE_NAME)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def forget_model(connection: Connection, folder: Path, model_id: str, reader: str) -> list[Path]:
    """Take a model's rows away; returns the embeddings files that it gave scores to. Labels keep its name.

    Raises:
        KeyError: there is none of this name.
        UserError: it is in use.
    """
    if current_id(connection) == model_id:
        raise UserError("This model is in use and cannot be deleted.", "Use another model first.")
    scorings = tables.scorings
    asked = select(scorings.c.path).where(scorings.c.model_id == model_id)
    files = [folder / str(path) for path in connection.scalars(asked)]
    connection.execute(delete(scorings).where(scorings.c.model_id == model_id))
    _forget(connection, tables.models, "model", model_id, reader)
    return files


def forget_run(connection: Connection, run_id: str, reader: str) -> None:
    """Take a run's row away; what was registered from it stays.

    Raises:
        KeyError: there is none of this name.
    """
    _forget(connection, tables.runs, "run", run_id, reader)


def _forget(connection: Connection, table: Table, kind: str, item_id: str, reader: str) -> None:
    """Delete one row, and keep its content in the audit log."""
    column = table.c[f"{kind}_id"]
    found = connection.execute(select(table).where(column == item_id)).first()
    if found is None:
        raise KeyError(item_id)
    connection.execute(delete(table).where(column == item_id))
    audit.record(
        connection,
        when=now_utc(),
        reader=reader,
        title=f"Delete {kind} {item_id}",
        action="remove",
        kind=kind,
        item_id=item_id,
        before=as_row(found),
    )


def set_aside(folder: Path) -> Path | None:
    """Rename a folder before deletion, which is atomic; None if it does not exist.

    Raises:
        UserError: it cannot be renamed.
    """
    aside = folder.with_name(f".{folder.name}.deleted-{os.getpid()}")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        if not folder.exists():
            return None
        return folder.rename(aside)
    except OSError as error:
        raise UserError(
            "The folder {folder} cannot be deleted ({why}).",
            "Close the program that uses it, or check the folder's permissions; nothing was changed.",
            folder,
            error.strerror or error,
        ) from error
