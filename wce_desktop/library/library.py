"""The library: one folder, one database, everything that was said about the studies; each change is on disk at once."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, insert, select

from wce_desktop.library import backups, opening, tables
from wce_desktop.library.database import now_utc
from wce_desktop.library.lock import LibraryLock
from wce_desktop.library.reading_part import ReadingPart
from wce_desktop.library.study_part import StudyPart
from wce_desktop.library.work_part import WorkPart


class Library(StudyPart, ReadingPart, WorkPart):
    """What one reader knows of many studies. Safe to use from several threads; made by `Library.open`.

    Every method that changes something has it on disk, in one transaction, before it returns; a full disk, a folder
    that became read-only and a damaged file raise `UserError` and leave nothing half-written.
    """

    def __init__(self, folder: Path, reader: str, engine: Engine, lock: LibraryLock) -> None:
        super().__init__(folder, reader, engine)
        self._lock = lock
        self._is_closed = False

    @classmethod
    def open(cls, folder: Path, reader: str) -> Library:
        """Open the library in `folder`, or make one there.

        Raises:
            LibraryInUseError: when another window has it open.
            DamagedLibraryError: when the database cannot be read; it names the last backup.
            NewerLibraryError: when a newer version of the application wrote it.
            UserError: when the folder cannot be written.
        """
        folder = folder.expanduser().resolve()
        engine, lock = opening.open_folder(folder)
        library = cls(folder, reader, engine, lock)
        try:
            library._note_reader()
        except BaseException:
            library.close()
            raise
        return library

    @staticmethod
    def restore_backup(folder: Path) -> Path:
        """Put the newest sound backup in the place of a damaged database, which is kept beside it; returns the backup.

        Raises:
            UserError: when there is none, or the folder cannot be written.
            LibraryInUseError: when a window has the library open.
        """
        return backups.restore_backup(folder.expanduser().resolve())

    def _note_reader(self) -> None:
        known = select(tables.readers).where(tables.readers.c.name == self.reader)
        with self._writing(f"the reader {self.reader}") as connection:
            if connection.execute(known).first() is None:
                connection.execute(insert(tables.readers).values(name=self.reader, created_utc=now_utc()))

    def close(self) -> None:
        """Write everything into the one file and let the library go; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._engine.dispose()  # the last connection to close moves the log into the file
            self._lock.release()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
