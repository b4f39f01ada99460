"""The evolution of embeddings during a pretraining (Vats et al., Fig. 3): its window, its job, and its checkpoints."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QAction

from training.errors import UserError
from training.projection.evolution import EvolutionFile
from training.runs.events import Outcome
from wce_desktop.core.language import number_text, tr
from wce_desktop.features.embedding_map.evolution_window import NO_RUN, NOT_MADE, EvolutionWindow
from wce_desktop.features.embedding_map.map_coloring import by_label
from wce_desktop.features.embedding_map.map_points import MapPoints, bounds_of
from wce_desktop.features.embedding_map.map_state import NOWHERE
from wce_desktop.features.embedding_map.map_window import Frames, MapSync
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import runs, unfinished_runs
from wce_desktop.library.exchange import export_library
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import study_rows
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.workspace import Part, Workspace


def runs_to_show(session: Session) -> tuple[runs.Run, ...]:
    """The pretraining runs with checkpoints, newest first."""
    return tuple(run for run in reversed(session.library.runs.all()) if unfinished_runs.can_start_from(run))


def evolution_path(session: Session, run: runs.Run, space: str) -> Path:
    """Path of the evolution of a run, in the folder of the maps."""
    return session.library.folder / "maps" / f"evolution-{run.run_id}" / f"evolution-{space}.npz"


def evolution_job(
    session: Session, run: runs.Run, study_ids: Collection[str], sample: int = 1500, space: str = "backbone"
) -> JobSpec:
    """The job that embeds frames of these studies at each checkpoint; writes its studies and labels to files first.

    Changes nothing in the session, so it can run in another thread. Of `sample` frames rare labels are kept; `space` is
    "backbone" or "projection": before or after the head.

    Raises:
        UserError: no study is chosen, or the folder cannot be written.
    """
    if not study_ids:
        raise UserError("No study is ticked.", "Tick the studies whose frames you want to follow.")
    out = evolution_path(session, run, space)
    inputs = out.parent / "inputs"
    export_library(session.library, inputs, tuple(study_ids), overwrite=True, has_paths=True)
    config = {
        "run": str(run.folder),
        "studies": str(inputs / "manifest.json"),
        "labels": str(inputs / "labels.csv"),
        "out": str(out),
        "overwrite": True,  # the library's own file, damaged ones too
        "sample": sample,
        "space": space,
        "seed": 0,
        "device": session.settings["device"],
    }
    title = tr("evolution of {model}", model=run.title)
    return JobSpec(title=title, command="evolution", config=config)


def points_at(file: EvolutionFile, step: int) -> MapPoints:
    """The points at one of the checkpoints: `step` counts them from 0."""
    return MapPoints(file.study_ids, file.study, file.frame_index, file.video_seconds, file.coordinates[step])


def whole_extent(file: EvolutionFile) -> tuple[float, float, float, float]:
    """The bounds of the points of all steps, so that no point leaves the map while the slider moves."""
    return bounds_of(file.coordinates.reshape(-1, 2))


def step_words(file: EvolutionFile, at: int) -> str:
    """ "Step 400 (checkpoint 3 of 5)"."""
    step, count = number_text(int(file.steps[at])), len(file.steps)
    return tr("Step {step} (checkpoint {at} of {count})", step=step, at=at + 1, count=count)


class EvolutionController(Part):
    """Shows one evolution at a time; only one job runs at a time."""

    def __init__(self, workspace: Workspace, owner: Part, frames: Frames, actions: Callable[[], list[QAction]]) -> None:
        super().__init__(workspace, owner)
        self._frames, self._actions = frames, actions
        self._dialog: EvolutionWindow | None = None
        self._file: EvolutionFile | None = None
        self._job: Job | None = None
        self._writing = FunctionThread(self, workspace.guard(self._submit), self._show_failure)
        self._opening = FunctionThread(self, workspace.guard(self._show_file), self._show_failure)

    @property
    def dialog(self) -> EvolutionWindow:
        """The window, made when first needed."""
        if self._dialog is None:
            workspace, guard = self._workspace, self._workspace.guard
            self._dialog = dialog = EvolutionWindow(self._actions(), workspace.window)
            self.following = MapSync(workspace, self, self._frames, dialog)
            for box in (dialog.run, dialog.space):
                box.currentIndexChanged.connect(guard(lambda _: self.open_chosen()))
            dialog.make.clicked.connect(guard(self.make))
            dialog.slider.valueChanged.connect(guard(self.show_step))
        return self._dialog

    def show_evolution(self) -> None:
        """Show the window with what the library holds now."""
        dialog = self.dialog
        dialog.show_choices(runs_to_show(self._session), study_rows(self._session))
        bring_to_front(dialog)
        if self._file is None:
            self.open_chosen()

    def close(self) -> None:
        """Stop background work."""
        super().close()
        self._dialog = None  # jobs that end later find no window

    # What is shown

    def open_chosen(self) -> None:
        """Show the stored evolution of the chosen run and space, or say that it has to be computed."""
        dialog, run = self.dialog, self.dialog.chosen_run
        self._file = None
        dialog.show_message("")
        dialog.canvas.empty = NOT_MADE if run is not None else NO_RUN
        dialog.canvas.set_points(NOWHERE)
        dialog.set_steps(0, 0)
        for label in (dialog.note, dialog.step):
            label.setText("")
        dialog.make.setEnabled(run is not None)
        if run is None:
            return
        path = evolution_path(self._session, run, dialog.chosen_space)
        if path.is_file():
            self._opening.request(lambda _: EvolutionFile.open(path))

    def _show_file(self, file: EvolutionFile) -> None:
        """Show the last step first; while further steps arrive, the shown step stays."""
        dialog, is_first = self.dialog, self._file is None
        at = len(file.steps) - 1
        if self._file is not None:
            seen = int(self._file.steps[dialog.slider.value()])
            at = int((file.steps == seen).argmax())
        self._file = file
        dialog.set_steps(len(file.steps), at)
        dialog.note.setText(" ".join(map(tr, file.notes)))
        if is_first:
            dialog.canvas.set_points(points_at(file, at), whole_extent(file))
            dialog.canvas.set_coloring(by_label(file.labels, file.label.astype(np.int16), self._session.vocabulary))
            dialog.legend.show_coloring(dialog.canvas.state.coloring, frozenset())
            self.following.show_all()
        dialog.canvas.state.extent = whole_extent(file)
        self.show_step(at)

    def show_step(self, at: int) -> None:
        """Show the frames as embedded at this checkpoint."""
        if self._file is not None and at < len(self._file.steps):
            self.dialog.canvas.move_points(self._file.coordinates[at])
            self.dialog.step.setText(step_words(self._file, at))

    # Making it

    def make(self) -> None:
        """Compute the evolution for the ticked studies.

        Raises:
            UserError: one is being computed already, or no study is ticked.
        """
        dialog, run = self.dialog, self.dialog.chosen_run
        if run is None:
            return
        if self._writing.is_busy or (self._job is not None and not self._job.has_ended):
            raise UserError("Another evolution is being computed.", "Wait until it is finished, or stop it.")
        chosen = (dialog.studies.chosen, dialog.sample.value(), dialog.chosen_space)
        dialog.show_message("")
        dialog.foot.show_wait(tr("listing the frames to follow"))
        self._writing.request(lambda _: evolution_job(self._session, run, *chosen))

    def _submit(self, spec: JobSpec) -> None:
        self._file = None
        job = self._job = self._workspace.jobs.submit(spec)
        job.progressed.connect(self._job_changed)
        job.partial_arrived.connect(self._workspace.guard(self._partial_arrived))
        job.ended.connect(self._workspace.guard(self._job_ended))
        self._job_changed(job)

    def _job_changed(self, job: Job) -> None:
        if self._dialog is not None:
            self._dialog.foot.show_job(job, "")

    def _partial_arrived(self, name: str, payload: Mapping[str, Any]) -> None:
        if self._dialog is not None and name == "evolution" and self._is_shown():
            path = Path(str(payload["file"]))
            self._opening.request(lambda _: EvolutionFile.open(path))

    def _job_ended(self, job: Job) -> None:
        if self._dialog is None:
            return
        self._job_changed(job)
        if job.outcome is not None and job.outcome.kind == "failed":
            self._show_failure(job.outcome)
        elif self._is_shown() and (path := Path(str(job.spec.config["out"]))).is_file():
            self._opening.request(lambda _: EvolutionFile.open(path))

    def _is_shown(self) -> bool:
        """Whether the job computes the chosen evolution."""
        run = self.dialog.chosen_run
        chosen = evolution_path(self._session, run, self.dialog.chosen_space) if run is not None else None
        return self._job is not None and str(chosen) == str(self._job.spec.config["out"])

    def _show_failure(self, outcome: Outcome) -> None:
        self.dialog.foot.show_job(None, "")
        self.dialog.show_message(str(outcome))
