"""Creating a map: the dialog, missing embeddings, and the jobs."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from training.files.npz import Column, read_npy
from training.runs.events import Outcome
from wce_desktop.core.language import number_text, tr, tr_count
from wce_desktop.features.embedding_map.evolution import runs_to_show
from wce_desktop.features.embedding_map.map_sources import MapSource, embedding_jobs, map_sources
from wce_desktop.features.embedding_map.maps import POINTS_FILE, MapRequest, MapStore, SavedMap, map_job
from wce_desktop.features.embedding_map.new_map_dialog import EmbedDialog, NewMapDialog
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run
from wce_desktop.session.study_choice import StudyRow, study_rows
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Part, Workspace


class MapSetup(Part):
    """The dialog for a new map, and the one that computes embeddings for it; `answered` carries the `MapRequest`."""

    answered = Signal(object)

    def __init__(self, workspace: Workspace, owner: Part, store: MapStore) -> None:
        super().__init__(workspace, owner)
        self._store = store
        self.dialog: NewMapDialog | None = None
        self.embedding: EmbedDialog | None = None
        self._left = 0  # jobs that compute embeddings and have not ended
        self._looking = FunctionThread(self)
        self._looking.returned.connect(workspace.guard(self._show_choices))
        self._looking.failed.connect(lambda outcome: workspace.show_error(outcome.message, outcome.hint))

    def ask(self, parent: QWidget) -> None:
        """Show the dialog."""
        if self.dialog is None:
            self.dialog = NewMapDialog(parent)
            self.dialog.map_requested.connect(self.answered)
            self.dialog.embed.clicked.connect(self._workspace.guard(lambda: self._ask_for_embeddings(parent)))
        self.dialog.show()
        self.dialog.raise_()
        self._look(self.dialog)

    def close(self) -> None:
        """End the thread and close the dialogs."""
        super().close()
        for dialog in (self.embedding, self.dialog):
            if dialog is not None:
                dialog.close()

    def _look(self, dialog: NewMapDialog) -> None:
        dialog.show_waiting()
        session = self._session
        self._looking.request(lambda _: (map_sources(session), study_rows(session), self._store.maps()))

    def _show_choices(self, choices: tuple[tuple[MapSource, ...], tuple[StudyRow, ...], tuple[SavedMap, ...]]) -> None:
        if self.dialog is not None:
            reading = self._session.reading
            self.dialog.show_choices(*choices, open_study=reading.study.study_id if reading else "")

    # Missing embeddings

    def _ask_for_embeddings(self, parent: QWidget) -> None:
        if self.embedding is None:
            self.embedding = EmbedDialog(parent)
            self.embedding.embed_requested.connect(self._workspace.guard(self._embed))
        self.embedding.show_choices(runs_to_show(self._session), study_rows(self._session))
        self.embedding.show()
        self.embedding.raise_()

    def _embed(self, run: Run, space: str, study_ids: Collection[str]) -> None:
        """Queue a job for each study that needs one; errors are shown in the dialog."""
        studies = [study for study in self._session.library.studies.all() if study.study_id in study_ids]
        assert self.embedding is not None
        try:
            specs = embedding_jobs(self._session, run, space, studies)
        except UserError as error:
            self.embedding.problem.setText(tr(error))
            return
        for spec in specs:
            self._workspace.jobs.submit(spec).ended.connect(self._job_ended)
            self._left += 1
        message = tr_count(
            "{count} study queued for embedding with {model}.",
            "{count} studies queued for embedding with {model}.",
            len(specs),
            model=run.title,
        )
        self._workspace.show_message(message)
        self.embedding.hide()

    def _job_ended(self) -> None:
        """Offer new embeddings while the dialog is open."""
        self._left -= 1
        if not self._left and self.dialog is not None and self.dialog.isVisible():
            self._look(self.dialog)


class MapJobs(Part):
    """Starts and tracks the jobs that compute maps."""

    changed = Signal(str)  # map_id: the state of its job has changed
    picture_arrived = Signal(str, object)  # map_id, payload of the partial result "map"
    ended = Signal(str, object)  # map_id, Outcome

    def __init__(self, workspace: Workspace, owner: Part, store: MapStore) -> None:
        super().__init__(workspace, owner)
        self._jobs, self._store = workspace.jobs, store
        self.newest: dict[str, Job] = {}
        """The newest job of each map in this session."""
        self._preparing = ""  # the map whose inputs are being written
        self._writing = FunctionThread(self, workspace.guard(self._submit), self._writing_failed)

    def is_being_computed(self, map_id: str) -> bool:
        """Whether a job waits or runs for a map, or is being prepared."""
        job = self.newest.get(map_id)
        is_preparing = map_id != "" and map_id == self._preparing
        return is_preparing or (job is not None and not job.has_ended)

    def make(self, request: MapRequest) -> SavedMap:
        """Start a map.

        Raises:
            UserError: another one is being prepared at this moment, or the request is empty.
        """
        self._refuse_second()
        kept = self._store.add(request)
        self._start(kept, resume=False)
        return kept

    def resume(self, map_id: str) -> None:
        """Take a stopped map up again."""
        self._refuse_second()
        if not self.is_being_computed(map_id):
            self._start(self._store.find(map_id), resume=True)

    def _refuse_second(self) -> None:
        if self._preparing:
            raise UserError("Another map is being prepared.", "Wait a moment.")

    def _start(self, kept: SavedMap, *, resume: bool) -> None:
        self._preparing = kept.map_id
        self._writing.request(lambda _: map_job(self._session, kept, resume=resume))
        self.changed.emit(kept.map_id)

    def _submit(self, spec: JobSpec) -> None:
        map_id, self._preparing = self._preparing, ""
        job = self.newest[map_id] = self._jobs.submit(spec)
        guard = self._workspace.guard
        job.progressed.connect(guard(lambda _: self.changed.emit(map_id)))
        job.partial_arrived.connect(guard(partial(self._partial_arrived, map_id)))
        job.ended.connect(guard(partial(self._job_ended, map_id)))
        self.changed.emit(map_id)

    def _writing_failed(self, outcome: Outcome) -> None:
        map_id, self._preparing = self._preparing, ""
        self._forget_empty(map_id)
        self.ended.emit(map_id, outcome)

    def _partial_arrived(self, map_id: str, name: str, payload: Mapping[str, Any]) -> None:
        if name == "map":
            self.picture_arrived.emit(map_id, payload)

    def _job_ended(self, map_id: str, job: Job) -> None:
        self._forget_empty(map_id)
        self.ended.emit(map_id, job.outcome)

    def _forget_empty(self, map_id: str) -> None:
        """Delete a map without any points."""
        if not (self._store.folder / map_id / POINTS_FILE).is_file():
            self._store.delete(map_id)


def picture_words(payload: Mapping[str, Any]) -> str:
    """ "t-SNE, step 250 of 750, divergence 1.24"."""
    words = [str(payload.get("what", ""))]
    if payload.get("iterations"):
        step, count = int(payload.get("iteration", 0)), int(payload["iterations"])
        words.append(tr("step {step} of {count}", step=step, count=count))
    if payload.get("kl_divergence") is not None:
        words.append(tr("divergence {value}", value=number_text(float(payload["kl_divergence"]), ".2f")))
    return ", ".join(filter(None, words))


def read_picture(payload: Mapping[str, Any]) -> NDArray[np.float32] | None:
    """(N, 2) where the points lie now; None for an outdated result; a newer one follows."""
    try:
        return np.asarray(read_npy(Path(str(payload["path"])), Column("<f4 <f8", ("N", 2))), np.float32)
    except (UserError, OSError, ValueError):
        return None
