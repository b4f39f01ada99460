"""Embedding studies with a pretraining for a map: the question, the jobs, and telling when they are done."""

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from wce_desktop.core.clock import counted
from wce_desktop.features.embedding_map.model.evolutions import runs_to_show
from wce_desktop.features.embedding_map.model.map_embedding import embedding_jobs
from wce_desktop.features.embedding_map.view.embed_dialog import EmbedDialog
from wce_desktop.jobs.job import Job
from wce_desktop.library.work import Run
from wce_desktop.session.study_choice import study_rows
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
