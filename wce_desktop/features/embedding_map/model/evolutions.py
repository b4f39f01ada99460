"""The evolution of embeddings during a pretraining run (Vats et al., Fig. 3): runs that have one, and the job."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.errors import UserError
from training.projection.evolution import EvolutionFile
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.language import number_text, tr
from wce_desktop.features.embedding_map.model.map_coloring import Coloring, by_label
from wce_desktop.features.embedding_map.model.map_points import MapPoints
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.exchange import export_library
from wce_desktop.library.runs.unfinished import can_start_from
from wce_desktop.library.work import Run
from wce_desktop.session.session import Session

EVOLUTION_FILE = "evolution-{space}.npz"


@dataclass(frozen=True)
class EvolutionRequest:
    """The run and the frames of an evolution.

    Attributes:
        run: a pretraining run of the library.
        study_ids: whose frames.
        sample: number of frames; rare labels are kept.
        space: "backbone" or "projection": before or after the head.
        seed: the same seed, the same frames.
    """

    run: Run
    study_ids: Collection[str]
    sample: int = 1500
    space: str = "backbone"
    seed: int = 0


def runs_to_show(session: Session) -> tuple[Run, ...]:
    """The pretraining runs with checkpoints, newest first."""
    return tuple(run for run in reversed(session.library.runs.all()) if can_start_from(run))


def evolution_path(session: Session, run: Run, space: str) -> Path:
    """Path of the evolution of a run, in the folder of the maps."""
    return session.library.folder / "maps" / f"evolution-{run.run_id}" / EVOLUTION_FILE.format(space=space)


def evolution_job(session: Session, request: EvolutionRequest) -> JobSpec:
    """The job; writes its studies and labels to files first.

    Changes nothing in the session, so it can run in another thread.

    Raises:
        UserError: no study is chosen, or the folder cannot be written.
    """
    if not request.study_ids:
        raise UserError("No study is ticked.", "Tick the studies whose frames you want to follow.")
    out = evolution_path(session, request.run, request.space)
    inputs = out.parent / "inputs"
    export_library(session.library, inputs, tuple(request.study_ids), overwrite=True, has_paths=True)
    config = {
        "run": str(request.run.folder),
        "studies": str(inputs / "manifest.json"),
        "labels": str(inputs / "labels.csv"),
        "out": str(out),
        "overwrite": True,  # the library's own file, damaged ones too
        "sample": request.sample,
        "space": request.space,
        "seed": request.seed,
        "device": session.settings["device"],
    }
    title = tr("evolution of {model}", model=request.run.title)
    return JobSpec(title=title, command="evolution", config=config)


def points_at(file: EvolutionFile, step: int) -> MapPoints:
    """The points at one of the checkpoints: `step` counts them from 0."""
    return MapPoints(file.study_ids, file.study, file.frame_index, file.video_seconds, file.coordinates[step])


def coloring_of(file: EvolutionFile, vocabulary: Vocabulary) -> Coloring:
    """By the labels that the frames had when it was made."""
    return by_label(file.labels, file.label.astype(np.int16), vocabulary)


def whole_extent(file: EvolutionFile) -> tuple[float, float, float, float]:
    """The bounds of the points of all steps, so that no point leaves the map while the slider moves."""
    everywhere = file.coordinates.reshape(-1, 2)
    count = len(everywhere)
    return MapPoints((), np.zeros(count, np.int32), np.zeros(count, np.int64), np.zeros(count), everywhere).bounds


def step_words(file: EvolutionFile, at: int) -> str:
    """ "Step 400 (checkpoint 3 of 5)"."""
    step, count = number_text(int(file.steps[at])), len(file.steps)
    return tr("Step {step} (checkpoint {at} of {count})", step=step, at=at + 1, count=count)
