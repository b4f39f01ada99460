"""What all parts of the library share: folder, reader and transactions."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path

from sqlalchemy import Connection, Engine

from training.texts import Text
from wce_desktop.library.errors import FullServerError, OnDiskError, ReadOnlyLibraryError, UnreachableLibraryError
from wce_desktop.library.rows import InvalidRows
from wce_desktop.library.sharing.journal import Journal
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
        self._invalid: dict[tuple[str, str], InvalidRows] = {}
        self.engine = engine
        self.journal: Journal | None = None
        """Keeps edits while the server is away; None: edits fail then."""
        self.is_offline = False
        """Whether the server is away: nothing waits for it then, until it is found again."""
        self._writer = engine.execution_options(writes=True)

    @property
    def is_on_server(self) -> bool:
        """Whether the database is on a server, which other readers may use at the same time."""
        return self.engine.dialect.name != "sqlite"

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
        invalid = self._invalid[(study_id, what)] = InvalidRows()
        return invalid

    def problems(self, study_id: str = "") -> tuple[str, ...]:
        """The rows that broke rules and were left out when they were last read: of a study, or of the library itself.

        They stay in the database.
        """
        invalid = [rows for key, rows in sorted(self._invalid.items(), key=itemgetter(0)) if key[0] == study_id]
        return tuple(problem for rows in invalid for problem in rows.problems)

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
        with self._connected(), sentences(self.folder, what), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def deleting(self, what: str, folder: Path) -> Iterator[Connection]:
        """A transaction that takes rows and a folder away, both or neither.

        The folder is renamed within the transaction and deleted after it.

        Raises:
            UserError: the folder cannot be renamed.
        """
        aside: Path | None = None
        try:
            with self.writing(what) as connection:
                yield connection
                with OnDiskError(
                    "The folder {folder} cannot be deleted ({why}).",
                    "Close the program that uses it, or check the folder's permissions; nothing was changed.",
                    folder,
                ):
                    place = folder.with_name(f".{folder.name}.deleted-{os.getpid()}")
                    shutil.rmtree(place, ignore_errors=True)
                    aside = folder.rename(place) if folder.exists() else None
        except BaseException:
            if aside is not None:
                aside.rename(folder)
            raise
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """After the disk was gone, connect anew: what was open stays broken when it comes back."""
        if self.is_offline:
            raise UnreachableLibraryError("The library's server is away.", "Go on: edits are kept here and sent later.")
        try:
            yield
        except FullServerError:
            raise
        except UnreachableLibraryError:
            self.engine.dispose()
            self.is_offline = self.journal is not None
            raise


class StorePart:
    """A part of a library, over its store."""

    def __init__(self, store: Store) -> None:
        self._store = store
