"""Ways to damage a library's database: sound for SQLite, with rows and tables that the program never writes."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.fuzz.damage_files import Way
from tests.fuzz.values import DEEP, TEXTS

VALUES: tuple[Any, ...] = (
    None,
    -1,
    0,
    2**62,
    1.5,
    float("inf"),
    "",
    "x",
    b"\xff\xfe",
    "{}",
    "[]",
    "null",
    DEEP,
    "../../x",
)
VALUES += ("nan", "2026-13-45", "a\x00b", "x" * 100_000, '[{"kind": "x"}]', '{"a": 1}', 99_999_999)


def wrong_value(path: Path, rng: random.Random) -> None:
    """Values that break the program's rules, in one to three columns."""
    with _opened(path) as database:
        for _ in range(rng.choice((1, 1, 3))):
            table, column = _any_column(database, rng)
            value = rng.choice((*VALUES, *(text for text in TEXTS if text.isprintable())))
            which = rng.choice(("", f" WHERE rowid = (SELECT min(rowid) FROM {table})"))
            _execute(database, f'UPDATE OR IGNORE "{table}" SET "{column}" = ?{which}', (value,))


def dropped_table(path: Path, rng: random.Random) -> None:
    """A table, or a column of one, that is not there."""
    with _opened(path) as database:
        table, column = _any_column(database, rng)
        change = rng.choice((f'DROP TABLE "{table}"', f'ALTER TABLE "{table}" DROP COLUMN "{column}"'))
        change = rng.choice((change, f'DELETE FROM "{table}"', f'ALTER TABLE "{table}" RENAME TO "old_{table}"'))
        _execute(database, change)


def odd_schema(path: Path, rng: random.Random) -> None:
    """A version that there never was, triggers that refuse or delete, a view in a table's place."""
    with _opened(path) as database:
        table, _ = _any_column(database, rng)
        changes = (
            "UPDATE alembic_version SET version_num = 'r9999'",
            "UPDATE alembic_version SET version_num = ''",
            "DELETE FROM alembic_version",
            f"CREATE TRIGGER x BEFORE INSERT ON \"{table}\" BEGIN SELECT RAISE(ABORT, 'no'); END",
            f'CREATE TRIGGER x AFTER INSERT ON audit BEGIN DELETE FROM "{table}"; END',
            f'CREATE VIEW x AS SELECT * FROM "{table}"',
            f'ALTER TABLE "{table}" ADD COLUMN x TEXT DEFAULT "y"',
            "PRAGMA user_version = 2000000000",
            "PRAGMA application_id = 77",
        )
        _execute(database, rng.choice(changes))


def log_beside(path: Path, rng: random.Random) -> None:
    """A write-ahead log or journal beside it that belongs to no database."""
    for suffix in rng.choice((("-wal",), ("-journal",), ("-wal", "-shm"))):
        path.with_name(path.name + suffix).write_bytes(rng.choice((b"", rng.randbytes(5000), path.read_bytes()[:5000])))


def damaged_backups(path: Path, rng: random.Random) -> None:
    """Backups that are empty, noise, folders, or dated far in the future, beside a sound database."""
    folder = path.with_name("backups")
    for backup in folder.glob("*"):
        backup.write_bytes(rng.choice((b"", rng.randbytes(500))))
    shutil.copyfile(path, folder / rng.choice(("library-29991231-000000-000000.sqlite", "library-x.sqlite")))
    if rng.random() < 0.3:
        (folder / "library-20260101-000000-000000.sqlite").mkdir()


def _opened(path: Path) -> "closing[sqlite3.Connection]":
    database = sqlite3.connect(path, isolation_level=None)
    for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON", "journal_mode = DELETE"):
        database.execute(f"PRAGMA {pragma}")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f'DROP TRIGGER "{name}"')
    return closing(database)


def _any_column(database: sqlite3.Connection, rng: random.Random) -> tuple[str, str]:
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    filled = [name for name in tables if database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]]
    table = rng.choice(filled or tables)
    return table, rng.choice([row[1] for row in database.execute(f'PRAGMA table_info("{table}")')])


def _execute(database: sqlite3.Connection, statement: str, values: tuple[Any, ...] = ()) -> None:
    try:
        database.execute(statement, values)
    except sqlite3.Error:
        database.execute("PRAGMA user_version = 3")  # SQLite would not have it: the file changes all the same


DATABASE_WAYS: tuple[Way, ...] = (
    wrong_value,
    wrong_value,
    wrong_value,
    dropped_table,
    odd_schema,
    log_beside,
    damaged_backups,
)
