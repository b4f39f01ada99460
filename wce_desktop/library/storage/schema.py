"""The version of the tables, and the way from an older one to this one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from training.errors import UserError
from wce_desktop.library.backup import backups
from wce_desktop.library.errors import NewerLibraryError
from wce_desktop.library.storage.migrating import upgrade
from wce_desktop.library.tables import REVISIONS


def revision_of(connection: Connection) -> str | None:
    """The revision that the tables have, or None in an empty database.

    Raises:
        UserError: when the tables are not a library's.
    """
    names = inspect(connection).get_table_names()
    if not names:
        return None
    if "alembic_version" not in names:
        raise UserError(
            "The database in this folder was not written by this application.", "Choose another library folder."
        )
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def bring_up_to_date(engine: Engine, folder: Path) -> None:
    """Make the tables, or bring older ones up to this version after a backup; all or nothing.

    Raises:
        NewerLibraryError: when a newer version of the application wrote them.
    """
    found = check_version(engine, folder)
    if found == REVISIONS[-1]:
        return
    if found is not None:
        backups.backup(folder, always=True)
    upgrade(engine)


def check_version(engine: Engine, folder: Path) -> str | None:
    """The revision that the tables have, or None in an empty database.

    Raises:
        NewerLibraryError: when a newer version of the application wrote them.
    """
    with engine.connect() as connection:
        found = revision_of(connection)
    if found is not None and found not in REVISIONS:
        raise NewerLibraryError(
            "The library in {folder} was written by a newer version of the application (tables {found}, this "
            "version supports {supported}).",
            "Update the application, or choose another library.",
            folder,
            found,
            REVISIONS[-1],
        )
    return found
