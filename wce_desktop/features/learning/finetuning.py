"""The Train menu: finetuning, choosing a model, and the jobs behind them."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.features.learning.comparing import Comparing
from wce_desktop.features.learning.model.readiness import finetune_readiness
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.work import Run
from wce_desktop.session.work import finetune_job, studies_to_score
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Scorer, Workspace


class Finetuning(QObject):
    """Starts jobs, follows them, and brings their results in by one step each."""

    finetuning_submitted = Signal(object, object)  # Run, Job
    finetuning_dropped = Signal(object)  # Outcome: what it was to learn from could not be written
    dialog_made = Signal()  # the finetuning window is there

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._session = workspace.session
        self._jobs = workspace.jobs
        self._dialog: FinetuneWindow | None = None
        self._is_writing = False  # what a finetuning is to learn from
        self._writing = FunctionThread(self)
        self._writing.returned.connect(workspace.guard(self._submit_finetuning))
        self._writing.failed.connect(self._writing_failed)
        self.comparing = Comparing(workspace, self, scorer)
        self._jobs.job_changed.connect(self._job_changed)
        self._jobs.partial_arrived.connect(self._partial_arrived)
        self._jobs.job_ended.connect(workspace.guard(self._job_ended))

    # Finetuning

    @property
    def dialog(self) -> FinetuneWindow:
        """The finetuning window, made when first needed."""
        if self._dialog is None:
            preset = self._session.settings["finetune_preset"]
            self._dialog = FinetuneWindow(self._session.vocabulary, preset, self._workspace.window)
            self._dialog.panel.start_requested.connect(self._workspace.guard(self.start_finetuning))
            self._dialog.panel.stop_requested.connect(self._jobs.queue.stop)
            self._dialog.panel.cancel_requested.connect(self._jobs.queue.cancel)
            self._dialog.panel.comparison_requested.connect(self._dialog.show_comparison)
            self.comparing.follow(self._dialog)
            self.dialog_made.emit()
        return self._dialog

    def finetune(self) -> None:
        """Show the finetuning window with what it would use now."""
        self.show_readiness()
        self.dialog.show_panel()

    def show_readiness(self) -> None:
        """Say what a finetuning would use now, or why it cannot."""
        readiness = finetune_readiness(self._session)
        if readiness.problem:
            self.dialog.panel.set_blocked(readiness.problem, readiness.hint)
        else:
            self.dialog.panel.set_labels(readiness.counts, readiness.study_count)

    @property
    def begun(self) -> Run | None:
        """The finetuning whose inputs are being written."""
        return self.comparing.run if self._is_writing else None

    @property
    def is_finetuning(self) -> bool:
        """True while a finetuning is being prepared, waits or runs."""
        jobs = (*self._jobs.queue.running, *self._jobs.queue.waiting)
        return self._is_writing or any(job.job_id == self.comparing.job_id for job in jobs)

    def start_finetuning(self, preset: str, **details: Any) -> None:
        """Finetune the present model on every label of the library; `details` win over the preset."""
        self.start_finetuning_on(preset, details)

    def start_finetuning_on(
        self,
        preset: str,
        details: Mapping[str, Any],
        study_ids: Collection[str] | None = None,
        start: Start | None = None,
    ) -> None:
        """Finetune from `start`, else from the present model, on the studies named, else on all.

        Raises:
            UserError: another finetuning is on its way: old and new can be compared for one at a time.
        """
        self._refuse_second()
        self._session.save_seen()
        run = self.comparing.begin_run(start)
        self.dialog.panel.set_blocked("Writing down the labels to learn from…")
        self._is_writing = True
        init = start.init if start else ""
        self._writing.request(lambda _: finetune_job(self._session, run.folder, preset, details, study_ids, init))

    def resume_finetuning(self, run: Run, spec: JobSpec) -> Job:
        """Queue a finetuning that goes on where its last checkpoint left it.

        Raises:
            UserError: another finetuning is on its way.
        """
        self._refuse_second()
        self.comparing.resume_run(run)
        job = self._jobs.submit(spec)
        self._follow_finetuning(job)
        return job

    def _refuse_second(self) -> None:
        if self.is_finetuning:
            raise UserError("A finetuning is on its way already.", "Wait until it has ended, or stop it.")

    def _submit_finetuning(self, spec: JobSpec) -> None:
        self._is_writing = False
        self._follow_finetuning(self._jobs.submit(spec))

    def _follow_finetuning(self, job: Job) -> None:
        self.comparing.job_id = job.job_id
        self.show_readiness()
        self.dialog.panel.set_job(job)
        self.finetuning_submitted.emit(self.comparing.run, job)

    def _writing_failed(self, outcome: Outcome) -> None:
        self._is_writing = False
        self.comparing.drop_run(outcome.message)
        self.show_readiness()
        self._workspace.tell_error(outcome.message, outcome.hint)
        self.finetuning_dropped.emit(outcome)

    # Models

    def use_model(self, model_id: str) -> None:
        """Show a model's scores from now on."""
        self._session.use_model(model_id)
        model = self._session.current_model
        title = model.title if model else model_id
        left = len(studies_to_score(self._session))
        rest = f" {left:,} studies have no scores of it yet: Ctrl+Shift+S." if left else ""
        self._workspace.tell(f"{title} is in use.{rest}")

    def add_model(self) -> None:
        """Ask for a model folder and take a copy into the library."""
        chosen = QFileDialog.getExistingDirectory(self._workspace.window, "Add a model folder")
        if chosen:
            model = self._session.library.register_model(Path(chosen))
            self.use_model(model.model_id)

    def close(self) -> None:
        """End what runs beside the jobs."""
        self._writing.close()
        if self._dialog is not None:
            self._dialog.close()

    def _job_changed(self, job: Job) -> None:
        if job.job_id == self.comparing.job_id:
            self.dialog.panel.set_job(job)

    def _partial_arrived(self, job: Job, name: str, payload: Mapping[str, Any]) -> None:
        if job.job_id == self.comparing.job_id:
            self.dialog.panel.add_partial(name, payload)

    def _job_ended(self, job: Job) -> None:
        self._job_changed(job)
        outcome = job.outcome
        assert outcome is not None
        if outcome.kind == "failed":
            self._workspace.tell_error(outcome.message, outcome.hint)
        if job.job_id == self.comparing.job_id:
            self.comparing.finetuning_ended(job)
            return
        if self.comparing.candidate is not None:
            self.comparing.show_changes()
