"""The library: one folder with one database; each change is on disk at once."""

from __future__ import annotations

import shutil
from pathlib import Path

from training.errors import UserError
from wce_desktop.library import opening
from wce_desktop.library.backup import backups
from wce_desktop.library.failures import sentences
from wce_desktop.library.opening import OpenFolder
from wce_desktop.library.reading_part import ReadingPart
from wce_desktop.library.study_part import StudyPart
from wce_desktop.library.work_part import WorkPart


class Library(StudyPart, ReadingPart, WorkPart):
    """What one reader knows of many studies. Safe to use from several threads; made by `Library.open`.

    Every method that changes something has it on disk, in one transaction, before it returns; a full disk, a folder
    that became read-only and a damaged file raise `UserError` and leave nothing half-written.
    """

    def __init__(self, folder: Path, reader: str, opened: OpenFolder) -> None:
        super().__init__(folder, reader, opened.engine, opened.read_only)
        self.loss = opened.loss
        """What the library lacks although its last backup holds it; reported once, at this opening."""
        self._opened = opened
        self._is_closed = False

    @classmethod
    def open(cls, folder: Path, reader: str) -> Library:
        """Open the library in `folder`, or make one there; for reading only where it cannot be written.

        Raises:
            LibraryInUseError: when another window has it open.
            DamagedLibraryError: when the database cannot be read; it names the last backup.
            LostDatabaseError: when it is missing or empty in a folder that holds studies, models, runs or backups.
            NewerLibraryError: when a newer version of the application wrote it.
            UserError: when there is no library yet, and the folder cannot be written.
        """
        folder = folder.expanduser().resolve()
        return cls(folder, reader, opening.open_folder(folder, reader))

    @staticmethod
    def restore_backup(folder: Path, chosen: Path | None = None) -> Path:
        """Restore a backup, by default the newest sound one; the previous database is kept.

        Raises:
            UserError: when there is none, or the folder cannot be written.
            LibraryInUseError: when a window has the library open.
        """
        return backups.restore_backup(folder.expanduser().resolve(), chosen)

    def back_up(self) -> Path | None:
        """Make a backup; edits are possible meanwhile.

        Raises:
            UserError: there is no room, or the folder cannot be written.
        """
        with sentences(self.folder, "a backup"):
            try:
                return backups.backup(self.folder, always=True)
            except OSError as error:
                raise UserError(
                    f"No backup of the library in {self.folder} can be created ({error.strerror or error}).",
                    "Free some disk space, or check the folder's permissions.",
                ) from error

    def close(self) -> None:
        """Write everything into one file and close the library; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._engine.dispose()  # the last connection to close moves the log into the file
            if self._opened.copy is not None:
                shutil.rmtree(self._opened.copy, ignore_errors=True)
            self._opened.lock.release()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
