"""Deletes a model or a run: first its rows, in one transaction, then its files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from sqlalchemy import Connection, Table, delete, select

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library import audit, tables
from wce_desktop.library.registry import current_id
from wce_desktop.library.rows import as_row
from wce_desktop.library.storage.database import now_utc


def forget_model(connection: Connection, folder: Path, model_id: str, reader: str) -> list[Path]:
    """Take a model's rows away; returns the embeddings files that it gave scores to. Labels keep its name.

    Raises:
        KeyError: there is none of this name.
        UserError: it is in use.
    """
    if current_id(connection) == model_id:
        raise UserError(tr("This model is in use and cannot be deleted."), tr("Use another model first."))
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
            tr("The folder {folder} cannot be deleted ({why}).", folder=folder, why=error.strerror or error),
            tr("Close the program that uses it, or check the folder's permissions; nothing was changed."),
        ) from error
