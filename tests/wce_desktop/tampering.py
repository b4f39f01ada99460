"""Somebody who writes into a library's database outside of the program, and leaves its definitions as they were."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def tampered(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a library without the triggers that keep its log; they are there again at the end."""
    with closing(sqlite3.connect(folder / "library.sqlite", isolation_level=None)) as opened:
        guards = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            opened.execute(f"DROP TRIGGER {name}")
        yield opened
        for _, sql in guards:
            opened.execute(sql)
