"""What every part of the library stands on: its folder, its reader, and transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine

from wce_desktop.library.errors import sentences


class LibraryBase:
    """One folder with one database, open for one reader."""

    def __init__(self, folder: Path, reader: str, engine: Engine) -> None:
        self.folder = folder
        self.reader = reader
        self._engine = engine
        self._writer = engine.execution_options(writes=True)

    @contextmanager
    def _reading(self, what: str) -> Iterator[Connection]:
        """One view of the database, the same for all that is read within."""
        with sentences(self.folder, f"reading {what}"), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _writing(self, what: str) -> Iterator[Connection]:
        """All that is written within is on disk when this ends, or none of it when an error leaves it."""
        with sentences(self.folder, what), self._writer.begin() as connection:
            yield connection
