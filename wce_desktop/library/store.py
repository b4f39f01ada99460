"""What all parts of the library share: folder, reader and transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path

from sqlalchemy import Connection, Engine

from training.texts import Text
from wce_desktop.library.errors import ReadOnlyLibraryError, UnreachableLibraryError
from wce_desktop.library.invalid_rows import InvalidRows
from wce_desktop.library.storage.failures import sentences


class Store:
    """One folder with one database, open for one reader.

    Args:
        read_only: why nothing can be saved; empty where everything can.
    """

    def __init__(self, folder: Path, reader: str, engine: Engine, read_only: str = "") -> None:
        self.folder = folder
        self.reader = reader
        self.read_only = read_only
        self._set_aside: dict[tuple[str, str], InvalidRows] = {}
        self.engine = engine
        self._writer = engine.execution_options(writes=True)
        self.titles: dict[tuple[str, bool], str | None] = {}
        """(study_id, undoing) -> the title of the next step, as long as nothing else is written."""

    @contextmanager
    def reading(self, what: str) -> Iterator[Connection]:
        """One view of the database, the same for all that is read within."""
        with (
            self._connected(),
            sentences(self.folder, Text("reading {what}", what)),
            self.engine.begin() as connection,
        ):
            yield connection

    def invalid_rows(self, what: str, study_id: str = "") -> InvalidRows:
        """Takes the rows that break rules while something is read; what was noted there before is forgotten."""
        made = self._set_aside[(study_id, what)] = InvalidRows()
        return made

    def problems(self, study_id: str = "") -> tuple[str, ...]:
        """The rows that broke rules and were left out when they were last read: of a study, or of the library itself.

        They stay in the database.
        """
        found = [aside for key, aside in sorted(self._set_aside.items(), key=itemgetter(0)) if key[0] == study_id]
        return tuple(problem for aside in found for problem in aside.problems)

    def check_writable(self, what: str) -> None:
        """Raise if the library is open for reading only.

        Raises:
            ReadOnlyLibraryError: it is.
        """
        if self.read_only:
            raise self.refusal(what)

    def refusal(self, what: str) -> ReadOnlyLibraryError:
        """The error for something that cannot be saved."""
        return ReadOnlyLibraryError(
            "Read only: {what} cannot be saved ({why}).",
            "Free some disk space or make the folder writable, then open the library again.",
            what,
            self.read_only,
        )

    @contextmanager
    def writing(self, what: str) -> Iterator[Connection]:
        """A transaction: everything is on disk at its end, or nothing after an error."""
        self.check_writable(what)
        self.titles = {}
        with self._connected(), sentences(self.folder, what), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """After the disk was gone, connect anew: what was open stays broken when it comes back."""
        try:
            yield
        except UnreachableLibraryError:
            self.engine.dispose()
            raise
