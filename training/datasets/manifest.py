"""The manifest: which studies there are, whose they are, and where their files lie."""

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from training.errors import UserError
from training.files.outputs import written_beside

_UNKNOWN = "-patients-unknown"


def unknown_patients(set_name: str) -> str:
    """The one patient that every study of a set carries where nobody knows whose they are: no split takes it apart."""
    return set_name + _UNKNOWN


def is_unknown(patient_id: str) -> bool:
    """Whether this stands for the unknown patients of a set."""
    return patient_id.endswith(_UNKNOWN)


class StudySpan(BaseModel):
    """A half-open stretch [start, stop) of frame indices of a study, with its anatomical region where known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: int = Field(ge=0)
    stop: int = Field(ge=1)
    region: str = ""

    @model_validator(mode="after")
    def _check_order(self) -> "StudySpan":
        if self.stop <= self.start:
            raise ValueError(f"a span must stop after its start, not [{self.start}, {self.stop})")
        return self


class StudyEntry(BaseModel):
    """One study of a manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    study_id: str = Field(min_length=1)
    patient_id: str = Field(min_length=1)
    path: Path
    """Video file or folder of images; absolute once loaded."""
    spans: tuple[StudySpan, ...] = ()
    """Which parts count; empty: the whole study."""
    kind: Literal["video", "stills"] = "video"
    """"stills": a list of images, of which none knows another in time. Written only then."""

    @property
    def has_time(self) -> bool:
        """Whether successive frames are near in time.

        Older libraries kept the patient of a study and not its kind, so the patient of a set without patients says it
        too: such a set names no recordings either.
        """
        return self.kind == "video" and not is_unknown(self.patient_id)


class Manifest(BaseModel):
    """The studies of a job; no study stands twice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    studies: tuple[StudyEntry, ...]

    @model_validator(mode="after")
    def _check_unique(self) -> "Manifest":
        seen: set[str] = set()
        for study in self.studies:
            if study.study_id in seen:
                raise ValueError(f"the study {study.study_id} stands twice")
            seen.add(study.study_id)
        return self

    def __getitem__(self, study_id: str) -> StudyEntry:
        """The study of this id; raises KeyError."""
        for study in self.studies:
            if study.study_id == study_id:
                return study
        raise KeyError(study_id)


def load_manifest(path: Path) -> Manifest:
    """Read a manifest; relative paths are taken from its folder. Raises `UserError` naming the file and the field."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The manifest {path} cannot be read: {error}.", "Give a JSON file with studies.") from error
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        said = str(first["msg"]).removeprefix("Value error, ")
        raise UserError(f"The manifest {path} is not usable: {where}: {said}.") from error
    studies = tuple(study.model_copy(update={"path": path.parent / study.path}) for study in manifest.studies)
    return Manifest(studies=studies)


def save_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest beside and rename; files below its folder are written as relative paths."""
    folder = path.parent.resolve()
    entries = []
    for study in manifest.studies:
        file = study.path.resolve()
        shown = file.relative_to(folder) if file.is_relative_to(folder) else file
        entry = study.model_dump(mode="json", exclude_defaults=True)
        entries.append({**entry, "path": shown.as_posix()})
    text = json.dumps({"studies": entries}, indent=2, ensure_ascii=False) + "\n"
    with written_beside(path) as beside:
        beside.write_text(text, encoding="utf-8")
