"""The backups of a library: the number and time in the name of each, and what it holds."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from wce_desktop.core.clock import counted, local_time
from wce_desktop.library.evidence import audit_chain
from wce_desktop.library.storage import definitions, integrity, revisions, sqlite_file

NOTE = "backup"
"""The key in `meta` under which a backup says which one it is and what it holds."""
_STAMP = "%Y%m%d-%H%M%S-%f"
ASIDE = re.compile(r"library\.(?:replaced|damaged)-.*\.sqlite")
"""How databases are called that restoring replaced."""
_NAME = re.compile(r"library(?:-(?:(\d+)-)?|\.(?:replaced|damaged)-)(\d{8}-\d{6}-\d{6})")


@dataclass(frozen=True, slots=True)
class Contents:
    """How much a database holds.

    Args:
        log_lines: lines of the audit log, which only grows: of two states of one library the later one has more.
        last_line: number, time and subject of the log's last line. A database with this line is a later state.
    """

    studies: int = 0
    labels: int = 0
    findings: int = 0
    edits: int = 0
    log_lines: int = 0
    last_line: tuple[int, str, str] | None = None

    @property
    def in_words(self) -> str:
        """Studies, labels and findings, for a list."""
        labels, findings = counted(self.labels, "label"), counted(self.findings, "finding")
        return f"{counted(self.studies, 'study')}, {labels}, {findings}"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file.

    Args:
        sequence: later backups have greater numbers, independent of the clock; 0 for those of older versions.
        made: when, by the clock (UTC).
        has_own_name: whether a person named it, or it is a replaced database; such a file is never deleted.
    """

    path: Path
    sequence: int
    made: datetime
    has_own_name: bool = False

    @classmethod
    def at(cls, path: Path) -> Backup:
        """The backup in a file; one that a person named is as old as the file."""
        match = _NAME.fullmatch(path.stem)
        if match is not None:
            with suppress(ValueError):  # such a date does not exist: a name that a person gave
                result = datetime.strptime(match[2], _STAMP).replace(tzinfo=UTC)
                return cls(path, int(match[1] or 0), result, has_own_name=path.stem.startswith("library."))
        return cls(path, 0, datetime.fromtimestamp(path.stat().st_mtime, UTC), has_own_name=True)

    @property
    def order(self) -> tuple[int, datetime, str]:
        """Sorts backups, the oldest first."""
        return self.sequence, self.made, self.path.name

    @property
    def local_time(self) -> str:
        """When it was made, by the reader's clock."""
        return local_time(self.made.isoformat())


def find_backups(folder: Path) -> list[Backup]:
    """The backups of a library, oldest first."""
    return sorted(map(Backup.at, (folder / "backups").glob("library-*.sqlite")), key=lambda backup: backup.order)


def databases_aside(folder: Path) -> list[Path]:
    """The databases that restoring replaced, by the time in their names, the newest first."""
    files = [path for path in folder.glob("library.*.sqlite") if ASIDE.fullmatch(path.name)]
    return sorted(files, key=lambda path: path.stem.split("-", 1)[1], reverse=True)


def list_backups(folder: Path) -> list[Path]:
    """The files of the backups, oldest first."""
    return [backup.path for backup in find_backups(folder)]


def last_backup(folder: Path) -> Path | None:
    """The newest sound backup that holds studies, or else the newest sound one; None if there is none."""
    newest_first = list_backups(folder)[::-1]
    with_studies = [path for path in newest_first if (held := contents_of(path)) is not None and held.studies]
    sound = (path for path in [*with_studies, *newest_first] if integrity.damage(path) is None and not is_newer(path))
    return next(sound, None)


def is_newer(file: Path) -> bool:
    """Whether a newer version of the application wrote a database, which this one cannot open."""
    with suppress(*sqlite_file.DATABASE_ERRORS), closing(sqlite_file.open_file(file, read_only=True)) as connection:
        return definitions.revision_in(connection) not in (None, *revisions.REVISIONS)
    return False


def backup_name(sequence: int, at: datetime) -> str:
    """The file name of a backup."""
    return f"library-{sequence:06d}-{at.strftime(_STAMP)}.sqlite"


def time_stamp(at: datetime) -> str:
    """A time as file names have it."""
    return at.strftime(_STAMP)


def contents_of(file: Path) -> Contents | None:
    """The contents of a backup, stored in it or counted; None if it cannot be read or is not a library."""
    try:
        with closing(sqlite_file.open_file(file, read_only=True)) as connection:
            if "labels" not in integrity.table_names(connection) or definitions.difference(connection) is not None:
                return None
            return _noted(connection) or count_contents(connection)
    except sqlite_file.READ_ERRORS:
        return None


def count_contents(connection: sqlite3.Connection) -> Contents:
    """Count what a database holds."""
    names = ("studies", "labels", "findings", "edits", "audit")
    counts = [int(connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]) for name in names]
    last = connection.execute("SELECT audit_id, when_utc, item_id FROM audit ORDER BY audit_id DESC LIMIT 1").fetchone()
    studies, labels, findings, edits, lines = counts
    last_line = None if last is None else (int(last[0]), str(last[1]), str(last[2]))
    return Contents(studies, labels, findings, edits, lines, last_line)


def is_later_state_of(connection: sqlite3.Connection, contents: Contents) -> bool:
    """Whether a database is a later state of what a backup holds: anything missing since was removed by an edit."""
    if contents.last_line is None:
        return True  # nothing was done in it
    asked = "SELECT 1 FROM audit WHERE audit_id = ? AND when_utc = ? AND item_id = ?"
    return connection.execute(asked, contents.last_line).fetchone() is not None


def write_note(connection: sqlite3.Connection, sequence: int, at: datetime) -> None:
    """Store number and contents in a backup, so that listing many is fast, and the end of its audit log."""
    note = asdict(count_contents(connection)) | {"sequence": sequence, "made_utc": at.isoformat()}
    note["log_hash"] = audit_chain.head(connection.execute).hash
    with connection:
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (NOTE, json.dumps(note)))


def noted_sequence(connection: sqlite3.Connection) -> int:
    """The number of the backup that a database was restored from; 0 where it was not."""
    note = _read_note(connection)
    sequence = note.get("sequence", 0)
    return sequence if isinstance(sequence, int) else 0


def noted_head(file: Path) -> audit_chain.Head | None:
    """The end of the log when a backup was made; None where the file cannot be read or is of an older version."""
    try:
        with closing(sqlite_file.open_file(file, read_only=True)) as connection:
            note = _read_note(connection)
    except sqlite_file.READ_ERRORS:
        return None
    lines, last = note.get("log_lines"), note.get("log_hash")
    return audit_chain.Head(lines, last) if isinstance(lines, int) and isinstance(last, str) and last else None


def lacks_note(file: Path) -> bool:
    """Whether a backup of a version whose log has hashes has lost what it noted of the end of its log."""
    with suppress(*sqlite_file.READ_ERRORS), closing(sqlite_file.open_file(file, read_only=True)) as connection:
        note = _read_note(connection)
        has_head = isinstance(note.get("log_lines"), int) and isinstance(note.get("log_hash"), str)
        is_noted = has_head and bool(note["log_hash"] or not note["log_lines"])
        return not is_noted and audit_chain.has_chain(connection.execute)
    return False


def _noted(connection: sqlite3.Connection) -> Contents | None:
    note = _read_note(connection)
    last = note.pop("last_line", None)
    counts = {field.name: note.get(field.name) for field in fields(Contents) if field.name != "last_line"}
    if not all(type(count) is int and count >= 0 for count in counts.values()):
        return None
    if last is None:
        return Contents(**counts) if counts["log_lines"] == 0 else None  # type: ignore[arg-type]
    if not (isinstance(last, list) and [type(part) for part in last] == [int, str, str]):
        return None
    return Contents(**counts, last_line=tuple(last))  # type: ignore[arg-type]


def _read_note(connection: sqlite3.Connection) -> dict[str, object]:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (NOTE,)).fetchone()
    try:
        note = json.loads(row[0]) if row else {}
    except (ValueError, TypeError, RecursionError):
        note = {}
    return note if isinstance(note, dict) else {}
