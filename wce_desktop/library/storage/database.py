"""The connection to the database: SQLite settings and transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from wce_desktop.library.invalid_rows import read_json
from wce_desktop.library.storage.network import network_kind
from wce_desktop.library.storage.sqlite_file import driver_of, key_of, note_closed, note_open, open_file, open_with_key

FILE_NAME = "library.sqlite"
BUSY_SECONDS = 5.0

_PRAGMAS = (
    "PRAGMA synchronous=FULL",  # WAL's default would lose the last edits in a power cut
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-32768",  # KiB
    "PRAGMA temp_store=MEMORY",
)


_OPTIONS: dict[str, Any] = {"check_same_thread": False, "isolation_level": None}


def now_utc() -> str:
    """The time, UTC, ISO 8601 with microseconds: sorts as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def connect(file: Path) -> Engine:
    """An engine for the file; `engine.execution_options(writes=True)` begins transactions that may write.

    Each thread gets its own connection. A transaction that may write takes the write lock when it begins, so it
    cannot fail halfway because another one wrote in between.
    """
    key = key_of(file)
    note_open(file, key)
    journal = "DELETE" if network_kind(file.parent) else "WAL"  # several computers cannot share WAL's memory
    mode = "rw" if file.exists() else "rwc"  # an unplugged disk must not become a new, empty database
    uri = f"{file.absolute().as_uri()}?mode={mode}"
    engine = _engine(key, lambda: open_with_key(uri, key, uri=True, timeout=BUSY_SECONDS, **_OPTIONS))
    event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA journal_mode={journal}"))
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def connect_to_read(file: Path) -> Engine:
    """An engine for an unchanging file in a read-only place; its log is not read."""
    engine = _engine(key_of(file), lambda: open_file(file, immutable=True, **_OPTIONS))
    event.listen(engine, "connect", _read_any_text)
    event.listen(engine, "begin", _begin)
    return engine


def close(engine: Engine, file: Path) -> None:
    """Close all connections; the last one moves SQLite's log into the file."""
    engine.dispose()
    note_closed(file)


def _engine(key: str, connect: Callable[[], sqlite3.Connection]) -> Engine:
    return create_engine(
        "sqlite://",
        creator=connect,
        module=driver_of(key),
        poolclass=QueuePool,
        json_deserializer=read_json,
        hide_parameters=True,  # an error must not quote a comment or a patient record
    )


def _read_any_text(connection: sqlite3.Connection, _record: Any) -> None:
    connection.text_factory = _decoded


def _decoded(text: bytes) -> str:
    """Bytes that are not UTF-8 must not hide the rows around them."""
    return text.decode("utf-8", "replace")


def _set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
    _read_any_text(connection, None)
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    # The driver starts transactions too late: not before reads or DDL.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
