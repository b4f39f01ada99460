"""Fine-tuning: the window and the job; what follows is in `comparing`."""

from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.learning.comparing import Comparing
from wce_desktop.features.learning.model.current_model import estimate_current
from wce_desktop.features.learning.model.readiness import Readiness, checked_readiness, finetune_readiness
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.model.starts import Start, default_start
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.work import Run
from wce_desktop.session.demo import SETTING, studies_to_learn_from
from wce_desktop.session.keys import key_of
from wce_desktop.session.work import finetune_job, studies_to_score
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Scorer, Workspace


class Finetuning(QObject):
    """Starts fine-tuning jobs, follows them and handles their results."""

    finetuning_submitted = Signal(object, object)  # Run, Job
    finetuning_failed = Signal(object)  # Outcome: its training data could not be written
    dialog_created = Signal()
    labels_chosen = Signal()

    def __init__(self, workspace: Workspace, scorer: Scorer, speeds: SpeedBook) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._speeds = speeds
        self._session = workspace.session
        self._jobs = workspace.jobs
        self._dialog: FinetuneWindow | None = None
        self._is_writing = False  # the training data
        self._writing = FunctionThread(self)
        self._writing.returned.connect(workspace.guard(self._submit_finetuning))
        self._writing.failed.connect(self._writing_failed)
        self._checking = FunctionThread(self)
        self._checking.returned.connect(workspace.guard(self._show))
        self._estimating = FunctionThread(self)  # counts labels: with 100,000 of them it takes a while
        self._estimating.returned.connect(lambda duration: self.dialog.panel.set_estimate(duration))
        self._estimating.failed.connect(self._estimating_failed)
        self.comparing = Comparing(workspace, self, scorer)
        self._jobs.job_changed.connect(self._job_changed)
        self._jobs.partial_arrived.connect(self._partial_arrived)
        self._jobs.job_ended.connect(workspace.guard(self._job_ended))

    # Fine-tuning

    @property
    def dialog(self) -> FinetuneWindow:
        """The fine-tuning window, created when first needed."""
        if self._dialog is None:
            preset = self._session.settings["finetune_preset"]
            self._dialog = FinetuneWindow(self._session.vocabulary, preset, self._workspace.window)
            self._dialog.panel.start_requested.connect(self._workspace.guard(self.start_finetuning))
            self._dialog.panel.demo_chosen.connect(self._workspace.guard(self.choose_demo))
            self._dialog.panel.stop_requested.connect(self._jobs.queue.stop)
            self._dialog.panel.preset_chosen.connect(self.show_estimate)
            self._dialog.panel.comparison_requested.connect(lambda: self.dialog.show_comparison())
            self.comparing.follow(self._dialog)
            self.dialog_created.emit()
        return self._dialog

    def finetune(self) -> None:
        """Show the fine-tuning window with the labels it would use."""
        self.show_readiness()
        self.dialog.show_panel()

    def show_readiness(self) -> None:
        """Show which labels would be used, or why fine-tuning cannot start; soon also which cannot be used."""
        self._show(finetune_readiness(self._session))
        self._checking.request(lambda _: checked_readiness(self._session))

    def _show(self, readiness: Readiness) -> None:
        if self._is_writing:
            return
        self.dialog.panel.set_demo(readiness.demo)
        if readiness.problem:
            self.dialog.panel.set_blocked(readiness.problem, readiness.hint)
        else:
            self.dialog.panel.set_labels(readiness.counts, readiness.study_count, readiness.hint, readiness.negatives)
        self.show_estimate()

    def choose_demo(self, is_used: bool) -> None:
        """Use the labels of the demo study, or not; kept for the next time."""
        self._session.settings.set(SETTING, is_used)
        self.show_readiness()
        self.labels_chosen.emit()

    def show_estimate(self) -> None:
        """Show how long the chosen preset is expected to take; nothing where it cannot start, which the panel says."""
        panel, session, speeds = self.dialog.panel, self._session, self._speeds
        if not panel.can_start:
            self._estimating.cancel()
            panel.set_estimate("")
            return
        preset = panel.preset
        panel.set_estimate(tr("Estimating how long it takes…"))
        self._estimating.request(lambda reporter: estimate_current(session, preset, speeds, reporter).time)

    def _estimating_failed(self, outcome: Outcome) -> None:
        said = tr("How long it takes could not be estimated.")
        self.dialog.panel.set_estimate(f"{said} {tr(outcome.message)}".strip())

    @property
    def preparing(self) -> Run | None:
        """The fine-tuning whose inputs are being written."""
        return self.comparing.run if self._is_writing else None

    @property
    def is_finetuning(self) -> bool:
        """True while a fine-tuning is being prepared, is queued or runs."""
        jobs = (*self._jobs.queue.running, *self._jobs.queue.waiting)
        return self._is_writing or any(job.job_id == self.comparing.job_id for job in jobs)

    def start_finetuning(self, preset: str, **details: Any) -> None:
        """Fine-tune the current model on the labels of the library; `details` override the preset."""
        self.start_finetuning_on(preset, details, studies_to_learn_from(self._session))

    def start_finetuning_on(
        self,
        preset: str,
        details: Mapping[str, Any],
        study_ids: Collection[str] | None = None,
        start: Start | None = None,
    ) -> None:
        """Fine-tune `start` (default: see `finetuning_start`) on the given studies (default: all).

        Raises:
            UserError: another fine-tuning is running; only one at a time can be compared with the old model.
        """
        self._refuse_second()
        self._session.save_seen()
        run = self.comparing.start_run(start or default_start(self._session, preset, study_ids))
        self.dialog.panel.set_blocked(tr("Writing the training data…"))
        self._is_writing = True
        init = start.init if start else ""
        self._writing.request(lambda _: finetune_job(self._session, run.folder, preset, details, study_ids, init))

    def resume_finetuning(self, run: Run, spec: JobSpec) -> Job:
        """Queue a fine-tuning that resumes from its last checkpoint.

        Raises:
            UserError: another fine-tuning is running.
        """
        self._refuse_second()
        self.comparing.resume_run(run)
        job = self._jobs.submit(spec)
        self._follow_finetuning(job)
        return job

    def _refuse_second(self) -> None:
        if self.is_finetuning:
            raise UserError(tr("A fine-tuning is already running."), tr("Wait until it has ended, or stop it."))

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
        self.comparing.fail_run(outcome.message)
        self.show_readiness()
        self._workspace.show_error(outcome.message, outcome.hint)
        self.finetuning_failed.emit(outcome)

    # Models

    def use_model(self, model_id: str) -> None:
        """Make a model the current one and show its scores."""
        self._session.use_model(model_id)
        model = self._session.current_model
        title = model.title if model else model_id
        left = len(studies_to_score(self._session))
        said = tr("{model} is in use.", model=title)
        if left:
            rest = tr_count(
                "Not scored with it yet: {count} study ({key}).",
                "Not scored with it yet: {count} studies ({key}).",
                left,
                key=key_of("score_all"),
            )
            said = f"{said} {rest}"
        self._workspace.show_message(said)

    def add_model(self) -> None:
        """Ask for a model folder and copy it into the library."""
        chosen = self._workspace.files.ask_folder(self._workspace.window, "models", tr("Add a model folder"))
        if chosen is not None:
            model = self._session.library.register_model(chosen)
            self.use_model(model.model_id)

    def close(self) -> None:
        """Stop all background work other than jobs."""
        for thread in (self._writing, self._checking, self._estimating):
            thread.close()
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
            self._workspace.show_error(outcome.message, outcome.hint)
        if job.job_id == self.comparing.job_id:
            self.comparing.finetuning_ended(job)
            if outcome.kind != "done" and not self._jobs.queue.is_closed:  # it can be started again
                self.show_estimate()
            return
        if self.comparing.candidate is not None:
            self.comparing.show_changes()
