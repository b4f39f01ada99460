"""The library's studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wce_desktop.core.identity import new_id
from wce_desktop.core.study import Study
from wce_desktop.library import studies
from wce_desktop.library.base import LibraryBase


class StudyPart(LibraryBase):
    """Which studies there are, where they lie, and how far each was read."""

    def studies(self) -> tuple[Study, ...]:
        """All studies, in the order in which they came."""
        with self._reading("the list of studies") as connection:
            return studies.read_all(connection)

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
    ) -> Study:
        """Take a study in; one with the same content is found again instead, at its new path.

        Without a `patient_id` it gets a patient of its own; without a `name` that of the file.
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
            )
            return studies.add(connection, study, self.reader)

    def update_study(self, study_id: str, **fields: Any) -> Study:
        """Set fields of a study (`name`, `state`, `last_frame`, `threshold`, `model_id`, `frame_count`, ...)."""
        with self._writing("the study") as connection:
            return studies.change(connection, study_id, fields, self.reader)

    def study_folder(self, study_id: str) -> Path:
        """The folder for a study's index and embedding files, made when it is missing."""
        return self._made("studies", study_id)

    def run_folder(self, run_id: str) -> Path:
        """The folder of a training run, made when it is missing."""
        return self._made("runs", run_id)

    def _made(self, *parts: str) -> Path:
        folder = self.folder.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
