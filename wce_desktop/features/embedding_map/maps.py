"""The maps stored in the library: `maps/<id>/` with the request, the inputs, and the points."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, Field, StrictStr

from training.datasets.manifest import Manifest, StudyEntry, StudySpan, save_manifest
from training.errors import UserError
from training.files import json_text, outputs
from training.projection.map_file import ProjectionFile
from wce_desktop.core import clock, identity
from wce_desktop.core.language import number_text, tr
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import SpanSet
from wce_desktop.features.embedding_map.map_points import MapPoints
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.exchange import export_library
from wce_desktop.session.session import Session

METHOD_WORDS = {"tsne": "t-SNE", "umap": "UMAP", "pca": "PCA"}
ASKED_FILE, POINTS_FILE, MANIFEST_FILE = "map.json", "points.npz", "embeddings.json"


class MapRequest(BaseModel, frozen=True, extra="forbid"):
    """The data and settings of a map.

    Attributes:
        title: what the list calls it; empty: see `SavedMap.title`.
        model_id, space: whose embeddings.
        paths: the embedding file by study_id.
        method: "tsne", "umap" or "pca".
        sample: frames, rare labels kept; 0 for all (of t-SNE 15,000).
        seed: the same seed gives the same map.
        onto: id of an existing map to add the studies to; empty: a new map.
        details: further settings of `training.projection.config`.
        frames: frames of each study, where the map shows these alone; empty: all frames.
    """

    title: StrictStr
    model_id: StrictStr
    space: StrictStr
    paths: dict[str, Path]
    method: StrictStr = "tsne"
    sample: int = Field(default=15_000, strict=True, ge=0)
    seed: int = Field(default=0, strict=True, ge=0)
    onto: StrictStr = ""
    details: dict[str, Any] = Field(default_factory=dict)
    frames: dict[str, list[int]] = Field(default_factory=dict)


@dataclass(frozen=True)
class SavedMap:
    """A map of the library, made or being made."""

    map_id: str
    folder: Path
    request: MapRequest
    created_utc: str

    @property
    def points_path(self) -> Path:
        """The file with the points; it appears with the first picture."""
        return self.folder / POINTS_FILE

    @property
    def has_points(self) -> bool:
        """Whether there is something to show."""
        return self.points_path.is_file()

    @property
    def title(self) -> str:
        """The name that was typed, else what the map shows: "t-SNE of 3 studies"."""
        return self.request.title or self._contents

    @property
    def words(self) -> str:
        """ "t-SNE of 3 studies, 2026-11-21"; the date alone where the title says the rest."""
        date = self.created_utc[:10]
        return f"{self._contents}, {date}" if self.request.title else date

    @property
    def _contents(self) -> str:
        frames = sum(map(len, self.request.frames.values()))
        what = clock.counted(frames, "frame") if frames else clock.counted(len(self.request.paths), "study")
        method = METHOD_WORDS.get(self.request.method, self.request.method)
        return tr("{method} of {contents}", method=method, contents=what)


class MapStore:
    """The maps of one library."""

    def __init__(self, library: Path) -> None:
        self.folder = library / "maps"

    def maps(self) -> tuple[SavedMap, ...]:
        """All of them, newest first; folders that cannot be read are skipped."""
        saved = [read for path in self.folder.glob(f"*/{ASKED_FILE}") if (read := _read(path)) is not None]
        return tuple(sorted(saved, key=lambda kept: (kept.created_utc, kept.map_id), reverse=True))

    def find(self, map_id: str) -> SavedMap:
        """One map.

        Raises:
            UserError: there is none, or its description is damaged.
        """
        kept = _read(self.folder / map_id / ASKED_FILE)
        if kept is None:
            raise UserError("This map no longer exists.", "Create it again.")
        return kept

    def add(self, request: MapRequest) -> SavedMap:
        """Create the folder of a map and store its request.

        Raises:
            UserError: no study is chosen, or the folder cannot be written.
        """
        if not request.paths:
            raise UserError("No study is ticked.", "Tick the studies to show on the map.")
        map_id = identity.new_id("map-")
        kept = SavedMap(map_id, self.folder / map_id, request, datetime.now(UTC).isoformat(timespec="seconds"))
        self._write(kept)
        return kept

    def rename(self, map_id: str, title: str) -> None:
        """Rename a map; an empty title is refused."""
        kept = self.find(map_id)
        if not title.strip():
            raise UserError("A map needs a name.", "Type a name.")
        self._write(replace(kept, request=kept.request.model_copy(update={"title": title.strip()})))

    def delete(self, map_id: str) -> None:
        """Delete a map; embeddings, labels and videos stay."""
        folder = self.folder / map_id
        gone = folder.with_name(f".{map_id}.gone")
        try:
            folder.rename(gone)
        except FileNotFoundError:
            return
        except OSError as error:
            reason = error.strerror or error
            raise UserError("The map cannot be deleted ({reason}).", "Try again.", reason) from error
        shutil.rmtree(gone, ignore_errors=True)

    def _write(self, kept: SavedMap) -> None:
        request = kept.request.model_dump(mode="json")
        document = {"schema_version": 1, "created_utc": kept.created_utc, **request}
        path = kept.folder / ASKED_FILE
        try:
            kept.folder.mkdir(parents=True, exist_ok=True)
            with outputs.written_beside(path) as beside:
                beside.write_text(json.dumps(document, indent=1), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            raise UserError(
                "The map's folder {folder} cannot be written ({reason}).",
                "Check the disk and the folder's permissions.",
                kept.folder,
                reason,
            ) from error


def _read(path: Path) -> SavedMap | None:
    try:
        document = json_text.read_json_object(path, "map's description")
        created = str(document.pop("created_utc"))
        document.pop("schema_version")
        return SavedMap(path.parent.name, path.parent, MapRequest.model_validate(document), created)
    except (UserError, ValueError, KeyError):
        return None


def map_job(session: Session, kept: SavedMap, *, resume: bool = False) -> JobSpec:
    """The job that computes or resumes a map; writes its inputs to files first.

    Changes nothing in the session, so it can run in another thread: 100,000 labels take a second and a half.
    """
    request, library = kept.request, session.library
    inputs = kept.folder / "inputs"
    export_library(library, inputs, tuple(request.paths), overwrite=True, has_paths=True)
    studies = {study_id: library.studies.get(study_id) for study_id in request.paths}
    entries = tuple(
        StudyEntry(
            study_id=study_id,
            patient_id=studies[study_id].patient_id,
            path=path,
            fingerprint=studies[study_id].fingerprint,
            numbering=studies[study_id].frame_numbering,
            spans=_spans(request.frames.get(study_id, ())),
        )
        for study_id, path in request.paths.items()
    )
    save_manifest(kept.folder / MANIFEST_FILE, Manifest(studies=entries))
    config: dict[str, Any] = {
        "out": str(kept.points_path),
        "overwrite": True,  # the library's own file, damaged ones too
        "manifest": str(kept.folder / MANIFEST_FILE),
        "labels": str(inputs / "labels.csv"),
        "method": request.method,
        "sample": request.sample,
        "seed": request.seed,
        **request.details,
    }
    if request.onto:
        config["onto"] = str(MapStore(library.folder).find(request.onto).points_path)
    if resume:
        config["resume"] = True
    return JobSpec(title=tr("map {title}", title=kept.title), command="project", config=config, kind="light")


def _spans(frames: Sequence[int]) -> tuple[StudySpan, ...]:
    pieces = SpanSet.of_arrays(np.array(frames, np.int64), np.array(frames, np.int64) + 1)
    return tuple(StudySpan(start=piece.start, stop=piece.stop) for piece in pieces)


def map_of_selection(kept: SavedMap, selection: FrameSelection) -> MapRequest:
    """The request for a map of selected frames alone, made as the map on which they were selected.

    Raises:
        UserError: none of the frames is of the map's studies.
    """
    frames = {name: selection.of(name).tolist() for name in kept.request.paths if len(selection.of(name))}
    if not frames:
        raise UserError("None of the selected frames is of a study of this map.", "Select frames on the map.")
    title = kept.request.title
    return kept.request.model_copy(
        update={
            "title": title and tr("{frames} of {map}", frames=clock.counted(selection.count, "frame"), map=title),
            "paths": {name: kept.request.paths[name] for name in frames},
            "frames": frames,
            "onto": "",
        }
    )


def points_of(file: ProjectionFile) -> MapPoints:
    """The points of a projection."""
    return MapPoints(file.study_ids, file.study, file.frame_index, file.video_seconds, file.coordinates)


def map_words(kept: SavedMap, file: ProjectionFile | None, model: str, *, is_made: bool = False) -> str:
    """A description of a map: method, frames, title of the model, parameters and omissions."""
    if file is None:
        return kept.words
    values = {
        "method": METHOD_WORDS.get(file.method, file.method),
        "frames": clock.counted(len(file), "frame"),
        "studies": clock.counted(len(file.study_ids), "study"),
    }
    steps = {"step": number_text(file.iteration), "steps": number_text(file.iterations)}
    if is_made:
        result = tr("{method} of {frames}, {studies}, being computed.", **values)
    elif file.is_complete:
        result = tr("{method} of {frames}, {studies}.", **values)
    else:
        result = tr("{method} of {frames}, {studies}, stopped at step {step} of {steps}.", **values, **steps)
    made = {"model": model, "seed": str(file.parameters.get("seed", kept.request.seed))}
    words = tr("Model {model}, seed {seed}", **made)
    if file.method == "tsne":
        perplexity = number_text(file.parameters["perplexity"], "g")
        words = tr("Model {model}, seed {seed}, perplexity {perplexity}", **made, perplexity=perplexity)
    return "\n".join([result, words, *map(tr, file.notes)])
