"""Where the frames of a run's errors are: in the library, also under another name, or in the folder of images; no Qt.

Images that were imported are recognised by their content, since the library numbers them anew.
"""

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from training.datasets.manifest import StudyEntry, load_manifest
from training.errors import UserError
from training.runs.reporter import Reporter
from training.video import FrameIndex, build_index
from training.video.folders import list_folder
from wce_desktop.core.study import Study
from wce_desktop.features.neighbours.run_errors import FrameError, read_errors
from wce_desktop.library.exchange.annotations import ClassNames
from wce_desktop.library.run_files import read_settings
from wce_desktop.library.runs import Run
from wce_desktop.session.frame_facts import FramePlace
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class PlacedErrors:
    """The errors that can be shown, and how many are on frames that are nowhere."""

    errors: tuple[FrameError, ...]
    missing: int


def place_errors(session: Session, run: Run, classes: Collection[str], reporter: Reporter) -> PlacedErrors:
    """Read the errors of a run and find their frames.

    Args:
        session: of the library.
        run: whose scores are read.
        classes: of the library; those of the run that mean the same are called as these.
        reporter: can cancel.

    Raises:
        UserError: the scores are damaged.
    """
    errors, names = read_errors(run), ClassNames(classes)
    studies = {study.study_id: study for study in session.library.studies.shown()}
    of_images = [error for error in errors if error.image or error.study_id not in studies]
    files = _files(run, of_images)
    there = _imported(session, list(studies.values()), files.values(), reporter)
    placed = []
    for error in errors:
        address = (error.study_id, error.frame_index)
        if error.image or error.study_id not in studies:
            if (file := files.get(address)) is None:
                continue
            if file in there:
                error = replace(error, study_id=there[file][0], frame_index=there[file][1])
            else:
                error = replace(error, file=file)
        labels = tuple(names.of(name) or name for name in error.labels)
        placed.append(replace(error, labels=labels, taken_for=names.of(error.taken_for) or error.taken_for))
    return PlacedErrors(tuple(placed), len(errors) - len(placed))


def _files(run: Run, errors: Sequence[FrameError]) -> dict[tuple[str, int], Path]:
    """The image of each of these errors, as far as it is still there."""
    files: dict[tuple[str, int], Path] = {}
    folder, entries = read_settings(run).get("images"), dict[str, StudyEntry]()
    with suppress(UserError):
        manifest = load_manifest(run.folder / "inputs" / "manifest.json")
        entries = {entry.study_id: entry for entry in manifest.studies if entry.kind == "stills"}
    names: dict[str, Sequence[str]] = {}
    for error in errors:
        file = Path(folder) / error.image if error.image and isinstance(folder, str) else None
        if file is None and (entry := entries.get(error.study_id)) is not None:
            if error.study_id not in names:
                names[error.study_id] = ()
                with suppress(UserError, OSError):
                    names[error.study_id] = list_folder(entry.path).names
            if error.frame_index < len(names[error.study_id]):
                file = entry.path / names[error.study_id][error.frame_index]
        if file is not None and file.is_file():
            files[error.study_id, error.frame_index] = file
    return files


def _imported(
    session: Session, studies: Sequence[Study], files: Collection[Path], reporter: Reporter
) -> Mapping[Path, tuple[str, int]]:
    """Study and frame of each image whose content a study of images has."""
    wanted: dict[str, list[Path]] = {}
    for file in files:
        reporter.check()
        wanted.setdefault(_digest(file), []).append(file)
    sizes = {file.stat().st_size for file in files}  # no other file of the library need be read
    places: dict[Path, tuple[str, int]] = {}
    for study in studies if files else ():
        reporter.check()
        with suppress(UserError, OSError), os.scandir(study.path) as entries:
            names = {entry.name for entry in entries if entry.is_file() and entry.stat().st_size in sizes}
            for frame, name in enumerate(_index(session, study).files if names else ()):
                if name in names:
                    for file in wanted.pop(_digest(study.path / name), ()):
                        places[file] = study.study_id, frame
    return places


def _index(session: Session, study: Study) -> FrameIndex:
    """The index of a study of images, which is made where it was never opened, so that its frames can be shown."""
    files = session.files(study)
    index = files.load_index(study.fingerprint)
    if index is None:
        index = build_index(study.path, numbering=study.numbering)
        if index.fingerprint == study.fingerprint:
            files.save_index(index)
    return index


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def place_of_image(path: str) -> FramePlace:
    """A single image as a study of one frame, so that it is shown as frames are."""
    file, first = Path(path), np.zeros(1, np.int64)
    index = FrameIndex(
        first.astype(np.float64), first, np.ones(1, bool), Fraction(1), first[:0], kind="images", files=(file.name,)
    )
    return FramePlace(Study(path, "", file.name, file.parent), index, None)
