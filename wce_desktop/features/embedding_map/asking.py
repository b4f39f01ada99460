"""Asking for a new map, and for embeddings to make one of."""

from collections.abc import Collection
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from training.runs.reporter import Reporter
from wce_desktop.core.clock import counted
from wce_desktop.features.embedding_map.model.evolutions import runs_to_show
from wce_desktop.features.embedding_map.model.map_embedding import embedding_jobs
from wce_desktop.features.embedding_map.model.map_sources import MapSource, map_sources
from wce_desktop.features.embedding_map.model.maps import MapShelf, SavedMap
from wce_desktop.features.embedding_map.view.embed_dialog import EmbedDialog
from wce_desktop.features.embedding_map.view.new_map_dialog import NewMapDialog
from wce_desktop.jobs.job import Job
from wce_desktop.library.work import Run
from wce_desktop.session.study_choice import StudyRow, study_rows
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Workspace


class MapEmbedding(QObject):
    """`embedded` follows when the last of the jobs has ended."""

    embedded = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session, self._jobs = workspace, workspace.session, workspace.jobs
        self.dialog: EmbedDialog | None = None
        self._left: set[str] = set()
        self._jobs.job_ended.connect(self._job_ended)

    def ask(self, parent: QWidget) -> EmbedDialog:
        """Ask which pretraining and which studies."""
        if self.dialog is None:
            self.dialog = EmbedDialog(parent)
            self.dialog.embed_requested.connect(self._workspace.guard(self.embed))
        self.dialog.show_choices(runs_to_show(self._session), study_rows(self._session))
        self.dialog.show()
        self.dialog.raise_()
        return self.dialog

    def embed(self, run: Run, space: str, study_ids: Collection[str]) -> None:
        """Queue a job for each study that needs one; what cannot be done is told in the dialog."""
        studies = [study for study in self._session.library.studies() if study.study_id in study_ids]
        try:
            specs = embedding_jobs(self._session, run, space, studies)
        except UserError as error:
            if self.dialog is not None:
                self.dialog.problem.setText(str(error))
            return
        self._left |= {spec.job_id for spec in specs}
        for spec in specs:
            self._jobs.submit(spec)
        self._workspace.tell(f"{counted(len(specs), 'study')} queued for embedding with {run.title}.")
        if self.dialog is not None:
            self.dialog.hide()

    def close(self) -> None:
        """Close the question."""
        if self.dialog is not None:
            self.dialog.close()

    def _job_ended(self, job: Job) -> None:
        if job.job_id in self._left:
            self._left.discard(job.job_id)
            if not self._left:
                self.embedded.emit()


Choices: TypeAlias = tuple[tuple[MapSource, ...], tuple[StudyRow, ...], tuple[SavedMap, ...]]


class MapAsking(QObject):
    """`answered` carries the `MapRequest`."""

    answered = Signal(object)

    def __init__(self, workspace: Workspace, shelf: MapShelf) -> None:
        super().__init__(workspace)
        self._workspace, self._session, self._shelf = workspace, workspace.session, shelf
        self.dialog: NewMapDialog | None = None
        self.embedding = MapEmbedding(workspace)
        self.embedding.embedded.connect(workspace.guard(self._look_again))
        self._looking = FunctionThread(self)
        self._looking.returned.connect(workspace.guard(self._show_choices))
        self._looking.failed.connect(lambda outcome: workspace.tell_error(outcome.message, outcome.hint))

    @property
    def is_busy(self) -> bool:
        """True while studies are looked through."""
        return self._looking.is_busy

    def ask(self, parent: QWidget) -> NewMapDialog:
        """Show the question."""
        if self.dialog is None:
            self.dialog = NewMapDialog(parent)
            self.dialog.map_requested.connect(self.answered)
            self.dialog.embed_requested.connect(self._workspace.guard(lambda: self.embedding.ask(parent)))
        self.dialog.show()
        self.dialog.raise_()
        self._look()
        return self.dialog

    def close(self) -> None:
        """End the thread, close the questions."""
        self._looking.close()
        self.embedding.close()
        if self.dialog is not None:
            self.dialog.close()

    def _look(self) -> None:
        if self.dialog is not None:
            self.dialog.show_waiting()
        self._looking.request(self._find)

    def _look_again(self) -> None:
        """Offer what was embedded meanwhile, where the question is still open."""
        if self.dialog is not None and self.dialog.isVisible():
            self._look()

    def _find(self, _: Reporter) -> Choices:
        return map_sources(self._session), study_rows(self._session), self._shelf.maps()

    def _show_choices(self, found: Choices) -> None:
        if self.dialog is not None:
            reading = self._session.reading
            self.dialog.show_choices(*found, open_study=reading.study.study_id if reading else "")
