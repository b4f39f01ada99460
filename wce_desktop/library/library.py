"""The library: one folder with one database; each change is on disk at once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from training.errors import UserError
from wce_desktop.core.identity import new_id
from wce_desktop.core.record import Record
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import opening, studies
from wce_desktop.library.backup import backups
from wce_desktop.library.failures import sentences
from wce_desktop.library.opening import OpenFolder
from wce_desktop.library.reading_part import ReadingPart
from wce_desktop.library.work_part import WorkPart


class Library(ReadingPart, WorkPart):
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

    # Studies

    def studies(self) -> tuple[Study, ...]:
        """All studies, in the order in which they were added."""
        with self._reading("the list of studies") as connection:
            return studies.read_all(connection, self._invalid_rows("studies"))

    def study(self, study_id: str) -> Study:
        """One study; KeyError when there is none of this name."""
        with self._reading("a study") as connection:
            return studies.read_one(connection, study_id)

    def add_study(
        self,
        path: Path,
        *,
        name: str = "",
        patient_id: str = "",
        study_id: str = "",
        fingerprint: str = "",
        frame_count: int = 0,
        duration_seconds: float = 0.0,
        runs: tuple[Span, ...] | None = None,
    ) -> Study:
        """Take a study in; one with the same content is found again instead, at its new path.

        Without a `patient_id` it gets a new patient; without a `name` that of the file.
        """
        path = path.resolve()
        with self._writing(f"the study {path.name}") as connection:
            known = studies.with_fingerprint(connection, fingerprint) if fingerprint else None
            if known is not None:
                return studies.change(connection, known.study_id, {"path": path}, self.reader)
            study = Study(
                study_id=study_id or new_id("s-"),
                patient_id=patient_id or new_id("p-"),
                name=name or path.stem,
                path=path,
                fingerprint=fingerprint,
                frame_count=frame_count,
                duration_seconds=duration_seconds,
                runs=runs,
            )
            return studies.add(connection, study, self.reader)

    def update_study(self, study_id: str, **fields: Any) -> Study:
        """Set fields of a study (`name`, `state`, `last_frame`, `threshold`, `model_id`, `frame_count`, ...)."""
        with self._writing("the study") as connection:
            return studies.change(connection, study_id, fields, self.reader)

    def record(self, study_id: str) -> Record:
        """The patient record of a study, which `edit` changes; KeyError when there is no such study."""
        with self._reading("the patient record") as connection:
            return studies.read_record(connection, study_id)

    def patient_name(self, patient_id: str) -> str:
        """What readers call a patient (the pseudonym of a record), or empty; it never leaves the library."""
        with self._reading("the patient") as connection:
            return studies.patient_name(connection, patient_id)

    def study_folder(self, study_id: str) -> Path:
        """The folder for a study's index and embedding files, made when it is missing."""
        folder = self.folder / "studies" / study_id
        if self.read_only:
            return folder  # what is missing there is missing
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                f"The folder {folder} cannot be created ({error.strerror or error}).",
                "Check the disk and the library folder's permissions.",
            ) from error
        return folder
