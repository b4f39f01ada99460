"""The manifest: which studies there are, whose they are, and where their files lie."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from training.datasets import local_paths
from training.errors import UserError
from training.files import inputs, json_text, outputs, stores
from training.settings import MAX_TEXT, Checked, Items, first_wrong, shortened
from training.texts import Text, count_text
from training.video import FIRST_NUMBERING, NUMBERING, FrameSource, open_source

MAX_STUDIES = 100_000
_UNKNOWN = "-patients-unknown"


def unknown_patients(set_name: str) -> str:
    """The one patient that every study of a set carries where the patients are unknown: no split takes it apart."""
    return set_name + _UNKNOWN


def is_unknown(patient_id: str) -> bool:
    """Whether this stands for the unknown patients of a set."""
    return patient_id.endswith(_UNKNOWN)


def patients_note(files: int) -> str:
    """What to say beside every result where the patients of so many files were not entered; empty for none.

    Each of them counts as a patient of its own, so one patient may be on both sides of a split.
    """
    if files <= 0:
        return ""
    return count_text(
        "{count:,} file, patients not entered: results may be optimistic.",
        "{count:,} files, patients not entered: results may be optimistic.",
        files,
    )


class StudySpan(Checked):
    """A half-open stretch [start, stop) of frame indices of a study, with its anatomical region where known."""

    start: int = Field(ge=0)
    stop: int = Field(ge=1)
    region: str = ""

    @model_validator(mode="after")
    def _check_order(self) -> "StudySpan":
        if self.stop <= self.start:
            raise ValueError(Text("a span must stop after its start, not [{start}, {stop})", self.start, self.stop))
        return self


class StudyEntry(Checked):
    """One study of a manifest."""

    study_id: str = Field(min_length=1)
    patient_id: str = Field(min_length=1)
    path: Path
    """Video file or folder of images; absolute once loaded. Files keep it apart, in `local_paths`."""
    spans: Items[StudySpan] = ()
    """Which parts count; empty: the whole study."""
    kind: Literal["video", "stills"] = "video"
    """"stills": a list of images, of which none knows another in time. Written only then."""
    images_per_second: float | None = Field(default=None, gt=0, le=1000, allow_inf_nan=False)
    """Rate of a folder of images, where known; tracklets are timed by it. Written only then."""
    fingerprint: str = ""
    """Of the file's content, by which another library finds it. Written where known."""
    patient_entered: bool = True
    """False: nobody has said whose study it is, so it counts as a patient of its own. Written only then."""
    numbering: int | None = Field(default=None, ge=1)
    """The rules by which its frames are numbered, see `training.video.build_index`. Written where known."""
    source: str = Field(default="", max_length=MAX_TEXT)
    """The data set or capsule make that its frames come from. Written where known.

    Frames of different sources can be told apart by their looks alone, so a class is also evaluated against the normal
    frames of its own source.
    """

    @property
    def frame_numbering(self) -> int:
        """The rules that hold; an export without a numbering is of the time before there were several."""
        if self.numbering is None:
            return FIRST_NUMBERING if self.fingerprint else NUMBERING
        return min(self.numbering, NUMBERING)

    def open_source(self) -> FrameSource:
        """The study, opened for reading by frame number.

        Raises:
            UserError: it cannot be read.
        """
        return open_source(self.path, numbering=self.frame_numbering)

    def frame_count(self) -> int:
        """How many frames the study has; raises `UserError` where it cannot be read."""
        with self.open_source() as source:
            return len(source)

    def inside(self, frame_count: int) -> NDArray[np.bool_]:
        """(frame_count,) frames that count."""
        inside = np.full(frame_count, not self.spans)
        for span in self.spans:
            inside[span.start : span.stop] = True
        return inside

    @property
    def has_time(self) -> bool:
        """Whether successive frames are near in time.

        Older libraries kept the patient of a study and not its kind, so the patient of a set without patients says it
        too: such a set names no recordings either.
        """
        return self.kind == "video" and not is_unknown(self.patient_id)


class Manifest(Checked):
    """The studies of a job; no study is listed twice."""

    studies: Items[StudyEntry] = Field(max_length=MAX_STUDIES)

    @model_validator(mode="after")
    def _check_unique(self) -> "Manifest":
        seen: set[str] = set()
        for study in self.studies:
            if study.study_id in seen:
                raise ValueError(Text("the study {study_id} is listed twice", shortened(study.study_id)))
            seen.add(study.study_id)
        return self

    @property
    def patients_note(self) -> str:
        """See `patients_note`; empty where all patients were entered."""
        return patients_note(sum(not study.patient_entered for study in self.studies))

    def __getitem__(self, study_id: str) -> StudyEntry:
        """The study of this id; raises KeyError."""
        for study in self.studies:
            if study.study_id == study_id:
                return study
        raise KeyError(study_id)


def check_spans(study_id: str, spans: Iterable[StudySpan], frame_count: int) -> None:
    """Raise `UserError` where a span ends past the end of its study, which has `frame_count` frames."""
    for span in spans:
        if span.stop > frame_count:
            raise UserError(
                "A span of study {study_id} ends at frame {stop}, past the end of the study ({frame_count} frames).",
                "Check that the manifest belongs to this file.",
                study_id,
                span.stop,
                frame_count,
            )


def load_manifest(path: Path, *, needs_files: bool = True) -> Manifest:
    """Read a manifest; relative paths are taken from its folder, and paths that it lacks from `local_paths`.

    Args:
        needs_files: whether every study must have a path; without one it gets a place that does not exist.

    Raises:
        UserError: naming the file and the field.
    """
    try:
        text = inputs.read_text(path, "manifest", max_bytes=json_text.MAX_JSON_BYTES)
    except UserError as error:
        message = Text("The manifest {path} cannot be read: {message}", path, error.message)
        raise UserError(message, "Give a JSON file with studies.") from error
    try:
        content = json_text.parse_json(text)
        if (missing := _add_paths(content, local_paths.read(path))) and needs_files:
            raise UserError(
                "The manifest {path} does not say where the file of study {missing} is.",
                "Put {file_name} beside it, or export the library again for training on this computer: tick it in "
                "Export, or use wce-desktop export --paths.",
                path,
                shortened(missing[0]),
                local_paths.FILE_NAME,
            )
        manifest = Manifest.model_validate(content)
    except ValidationError as error:
        where, said = first_wrong(error, "the file")
        raise UserError("The manifest {path} is not usable: {where}: {said}.", "", path, where, said) from error
    except ValueError as error:
        raise UserError("The manifest {path} is not usable: it is not JSON ({error}).", "", path, error) from error
    return Manifest(studies=tuple(_placed(study, path) for study in manifest.studies))


def _placed(study: StudyEntry, manifest: Path) -> StudyEntry:
    """The study with its path: from the manifest's folder, which may be on a store."""
    place = stores.place_of_path(study.path)
    if place == study.path and not place.is_absolute() and (address := stores.address_of(manifest)):
        place = stores.place_of(f"{address.rpartition('/')[0]}/{study.path.as_posix()}")
    return study.model_copy(update={"path": manifest.parent / place})


def _add_paths(content: Any, known: Mapping[str, str]) -> list[str]:
    """Put the paths that stand apart into what a manifest holds; returns the studies that have none."""
    studies = content.get("studies") if isinstance(content, dict) else None
    missing = []
    for study in studies if isinstance(studies, list) else ():
        if isinstance(study, dict) and "path" not in study and isinstance(study.get("study_id"), str):
            study["path"] = known.get(study["study_id"], study["study_id"])
            if study["study_id"] not in known:
                missing.append(study["study_id"])
    return missing


def save_manifest(path: Path, manifest: Manifest, *, keeps_paths: bool = False) -> None:
    """Write a manifest beside and rename; paths of files go into `local_paths`, which is not to be shared.

    Args:
        keeps_paths: write the paths into the manifest itself, relative to its folder where they are below it: for
            studies that this program made or named itself, such as those of a public data set.
    """
    if not keeps_paths:
        local_paths.write(path, {study.study_id: study.path for study in manifest.studies})
    outputs.write_text(path, manifest_text(manifest, path.parent, keeps_paths=keeps_paths))


def manifest_text(manifest: Manifest, folder: Path, *, keeps_paths: bool = False) -> str:
    """A manifest as it is written into a folder."""
    entries = []
    for study in manifest.studies:
        entry = study.model_dump(mode="json", exclude_defaults=True, exclude={"path"})
        path = {"path": local_paths.shown(study.path, folder)} if keeps_paths else {}
        entries.append({**entry, **path})
    return json.dumps({"studies": entries}, indent=2, ensure_ascii=False) + "\n"
