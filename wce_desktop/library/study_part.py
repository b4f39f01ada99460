"""The library's studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.errors import UserError
from training.video import fingerprint, is_study
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import studies
from wce_desktop.library.base import LibraryBase


class StudyPart(LibraryBase):
    """Studies, their paths and their reading progress."""

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

    def relocate_study(self, study_id: str, path: Path) -> Study:
        """Set the new path of a moved video, after comparing its content.

        Raises:
            UserError: when there is no such file, or it is another recording.
        """
        path = path.resolve()
        study = self.study(study_id)
        if study.fingerprint and fingerprint(path) != study.fingerprint:
            raise UserError(
                f"{path} is not the recording that was read as {study.name}: its content differs.",
                "Choose the moved file, or add this one as a new study.",
            )
        return self.update_study(study_id, path=path)

    def find_moved(self, folder: Path) -> dict[str, Path]:
        """Where the studies whose files are missing lie below a folder, by content; nothing is changed yet."""
        missing = {
            study.fingerprint: study.study_id
            for study in self.studies()
            if study.fingerprint and not study.path.exists()
        }
        found: dict[str, Path] = {}
        for path in sorted(folder.rglob("*")):
            if len(found) == len(missing):
                break
            if is_study(path) and (study_id := missing.get(fingerprint(path))) is not None:
                found[study_id] = path
        return found

    def patient_name(self, patient_id: str) -> str:
        """The patient's name as a reader wrote it down, or empty; it never leaves the library."""
        with self._reading("the patient") as connection:
            return studies.patient_name(connection, patient_id)

    def name_patient(self, patient_id: str, name: str) -> None:
        """Write down a patient's name; exports hold `patient_id` only. KeyError when there is no such patient."""
        with self._writing("the patient's name") as connection:
            studies.name_patient(connection, patient_id, name)

    def study_folder(self, study_id: str) -> Path:
        """The folder for a study's index and embedding files, made when it is missing."""
        return self._made("studies", study_id)

    def _made(self, *parts: str) -> Path:
        folder = self.folder.joinpath(*parts)
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
