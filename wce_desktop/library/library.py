"""The library: one folder with one database; each change is on disk at once."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from training.errors import UserError
from training.files.closing import Closing
from training.texts import Text
from wce_desktop.library import audit, errors, models, moving, removals, reports, runs, store, studies
from wce_desktop.library.annotations import Annotations
from wce_desktop.library.backup import backups
from wce_desktop.library.storage import database, opening, server
from wce_desktop.library.storage.database import network_kind
from wce_desktop.library.storage.failures import sentences
from wce_desktop.library.storage.opening import OpenFolder


class Library(Closing, store.Store):
    """What one reader knows of many studies. Safe to use from several threads; made by `Library.open`.

    Every method that changes something has it on disk, in one transaction, before it returns; a full disk, a folder
    that became read-only and a damaged file raise `UserError` and leave nothing half-written.

    Attributes:
        studies: the studies and the readings of second readers.
        annotations: labels, findings, landmarks, boxes and links, and their edits.
        models, runs: what was trained, and what scored the studies.
        reports: the signed reports.
        removals: removes studies for good.
        audit: who changed what, and when.
    """

    def __init__(self, folder: Path, reader: str, opened: OpenFolder) -> None:
        super().__init__(folder, opened.account or reader, opened.engine, opened.read_only)
        self.account = opened.account
        """With which the reader is known to the server; empty: the library is not on one."""
        self.loss = opened.loss
        """What the library lacks although its last backup holds it; reported once, at this opening."""
        self.readable = opened.readable
        """Signed reports of an encrypted library that could not be encrypted at this opening."""
        self.annotations = Annotations(self)
        self.studies = studies.Studies(self, self.annotations)
        self.models, self.runs = models.Models(self), runs.Runs(self)
        self.reports, self.removals, self.audit = reports.Reports(self), removals.Removals(self), audit.AuditLog(self)
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
        library = cls(folder, reader, opening.open_folder(folder, reader))
        with suppress(UserError, ValueError):  # a damaged row is reported where it is read
            moving.find_moved_images(library)
        return library

    @property
    def network(self) -> str:
        """The kind of the network share on which the library lies, such as "nfs4"; else empty."""
        return network_kind(self.folder)

    def back_up(self) -> Path | None:
        """Make a backup; edits are possible meanwhile.

        Raises:
            UserError: there is no room, or the folder cannot be written.
        """
        server.check_local(self.folder)
        with (
            sentences(self.folder, Text("a backup")),
            errors.OnDiskError(
                "No backup of the library in {folder} can be created ({why}).",
                "Free some disk space, or check the folder's permissions.",
                self.folder,
            ),
        ):
            path = backups.backup(self.folder, always=True)
            removals.forget_in_backups(self.folder)
            return path

    def close(self) -> None:
        """Write everything into one file and close the library; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            if self.is_on_server:
                self.engine.dispose()
                database.follow_clock(None)
            else:
                database.close(self.engine, self.folder / database.FILE_NAME)
            if self._opened.copy is not None:
                shutil.rmtree(self._opened.copy, ignore_errors=True)
            self._opened.lock.release()
