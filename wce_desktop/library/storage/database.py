"""The connection to the database: SQLite settings and transactions."""

import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from wce_desktop.library.rows import read_json
from wce_desktop.library.storage.sqlite_file import cipher, key_of, note_closed, note_open, open_file, open_with_key

FILE_NAME = "library.sqlite"
BUSY_SECONDS = 5.0

_PRAGMAS = (
    "PRAGMA synchronous=FULL",  # WAL's default would lose the last edits in a power cut
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-8192",  # KiB, of each connection
    "PRAGMA temp_store=MEMORY",
)

_OPTIONS: dict[str, Any] = {"check_same_thread": False, "isolation_level": None}
KINDS = (
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "smb2", "afpfs", "webdav", "davfs", "fuse.sshfs", "fuse.davfs2",
    "fuse.rclone", "9p", "afs", "ceph", "fuse.glusterfs", "lustre", "ncpfs", "coda", "gfs2", "ocfs2", "fuse.gvfsd-fuse",
)  # fmt: skip
"""File systems that other computers may write at the same time."""
_REMOTE = 4  # DRIVE_REMOTE of Windows


_ahead = timedelta()
"""How far the clock of a library's server is ahead of this computer's."""


def local_time() -> datetime:
    """The time by this computer's clock."""
    return datetime.now(UTC)


def now_utc() -> str:
    """The time, UTC, ISO 8601 with microseconds: sorts as text. By the server's clock where the library is on one."""
    return (local_time() + _ahead).isoformat(timespec="microseconds")


def follow_clock(now: datetime | None, asked: datetime | None = None) -> None:
    """Go by the clock of a server, whose time this is; None: by this computer's again.

    Args:
        asked: when it was asked for, by this computer's clock. The answer may have come much later.
    """
    global _ahead
    _ahead = timedelta() if now is None or asked is None else min(max(_ahead, now - local_time()), now - asked)


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
        module=cipher() if key else sqlite3,
        poolclass=QueuePool,
        json_deserializer=read_json,
        hide_parameters=True,  # an error must not quote a comment or a patient record
    )


def _read_any_text(connection: sqlite3.Connection, _record: Any) -> None:
    # Bytes that are not UTF-8 must not hide the rows around them.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")


def _set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
    _read_any_text(connection, None)
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    # The driver starts transactions too late: not before reads or DDL.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def network_kind(folder: Path) -> str:
    """The kind of the share on which a folder lies, such as "nfs4"; empty for a disk of this computer, or unknown."""
    try:
        return _on_windows(folder) if sys.platform == "win32" else _by_mounts(folder, _mounts())
    except (OSError, ValueError):
        return ""


def _mounts() -> str:
    """What is mounted where; macOS has no such file, and its shares are not recognised."""
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")


def _by_mounts(folder: Path, mounts: str) -> str:
    best, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        place = Path(before.split()[4].replace("\\040", " "))
        if len(place.parts) >= best and (folder == place or place in folder.parents):
            best, kind = len(place.parts), after.split()[0]
    return kind if kind in KINDS else ""


def _on_windows(folder: Path) -> str:
    """Not run on Windows yet."""
    import ctypes

    drive = folder.absolute().drive
    if drive.startswith("\\\\"):
        return "smb"
    kind = ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\")  # type: ignore[attr-defined,unused-ignore]
    return "smb" if kind == _REMOTE else ""
