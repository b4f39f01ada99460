"""Somebody who writes into a library's database outside of the program, and leaves its definitions as they were."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Libraries


class Raw:
    """An open database on a server, without the checks of its tables; takes what one of SQLite takes."""

    def __init__(self, opened: Any) -> None:
        self._opened = opened
        self.total_changes = 0

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Run a statement; a test of a value that the server keeps out of the column is skipped."""
        import psycopg

        if "x'" in sql or any(isinstance(value, bytes) for value in parameters):
            pytest.skip("texts of the server hold no bytes")
        try:
            done = self._opened.execute(sql.replace("%", "%%").replace("?", "%s"), parameters)
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.DatatypeMismatch) as error:
            pytest.skip(f"the server refuses it: {error}")
        self.total_changes += max(done.rowcount, 0)
        return done


@contextmanager
def raw_database(folder: Path) -> Iterator[Any]:
    """The database of a library."""
    if Libraries.current is not None:
        import psycopg
        from psycopg.types.json import set_json_loads

        address = Libraries.current.address_of(folder).replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(address, autocommit=True) as opened:
            set_json_loads(lambda data: data if isinstance(data, str) else bytes(data).decode(), opened)
            yield Raw(opened)
        return
    with closing(sqlite3.connect(folder / "library.sqlite", isolation_level=None)) as opened_here:
        opened_here.execute("PRAGMA ignore_check_constraints=ON")
        yield opened_here


@contextmanager
def tampered(folder: Path) -> Iterator[Any]:
    """The database of a library without the triggers that keep its log; they are there again at the end."""
    with raw_database(folder) as opened:
        if isinstance(opened, Raw):
            opened.execute("SET session_replication_role = replica")
            opened.execute("SELECT setval('audit_audit_id_seq', (SELECT MAX(audit_id) FROM audit))")
            yield opened
            return
        guards = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            opened.execute(f"DROP TRIGGER {name}")
        yield opened
        for _, sql in guards:
            opened.execute(sql)
