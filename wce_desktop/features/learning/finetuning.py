"""Fine-tuning: the window, the job, and the reader's choice between the old and the new model."""

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.study import Study
from wce_desktop.features.learning.model.candidate import Candidate, changed_events, register_candidate
from wce_desktop.features.learning.model.current_model import estimate_current
from wce_desktop.features.learning.model.readiness import finetune_readiness
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Model
from wce_desktop.library.database import now_utc
from wce_desktop.library.runs.run_files import inputs_folder
from wce_desktop.library.work import Run
from wce_desktop.session.reading import Reading
from wce_desktop.session.work import finetune_job, studies_to_score
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.comparison import FlagChange
from wce_desktop.workspace import Scorer, Workspace

SHOWN_AFTER_MILLISECONDS = 200  # not while a threshold is dragged


class Comparing(QObject):
    """Registers the new model, scores the open study with it and shows what would change; replaces nothing."""

    def __init__(self, workspace: Workspace, training: "Finetuning", scorer: Scorer) -> None:
        super().__init__(training)
        self._workspace = workspace
        self._session = workspace.session
        self._training, self._scorer = training, scorer
        self._run: Run | None = None
        self._labels_until = ""
        self.job_id = ""
        self.candidate: Candidate | None = None  # until the reader chooses
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(workspace.guard(self.show_changes))

    def follow(self, dialog: FinetuneWindow) -> None:
        """Connect the buttons of the comparison, and update it with the open study."""
        self._session.study_opened.connect(self._study_opened)
        self._session.study_closed.connect(self.show_changes)
        self._session.events_changed.connect(self._show_changes_soon)
        guard = self._workspace.guard
        dialog.comparison.new_model_chosen.connect(guard(self.use_new))
        dialog.comparison.old_model_kept.connect(guard(self.keep_old))
        dialog.comparison.event_chosen.connect(guard(self._workspace.go_to_frame))

    @property
    def run(self) -> Run | None:
        """The fine-tuning that was started last."""
        return self._run

    def start_run(self, start: Start | None = None) -> Run:
        """Add a fine-tuning to the library; labels made from now on are not part of it.

        Without `start` it starts from the current model.
        """
        library, model = self._session.library, self._session.current_model
        self._labels_until = now_utc()
        count = sum(run.kind == "finetune" for run in library.runs()) + 1
        base_model = start.model_id or None if start else model.model_id if model else None
        self._run = library.add_run(
            f"Fine-tuned {count}", base_model_id=base_model, base_run_id=start.run_id or None if start else None
        )
        self.candidate = None
        return self._run

    def resume_run(self, run: Run) -> None:
        """Mark a fine-tuning as resumed; it uses the labels that existed when it was first started."""
        self._labels_until = run.created_utc
        self._run = self._session.library.resume_run(run.run_id)
        self.candidate = None

    def fail_run(self, message: str = "") -> None:
        """Mark the run as failed: its training data could not be written."""
        if self._run is not None:
            self._session.library.finish_run(self._run.run_id, "failed", {}, message)
            self._run = None

    def finetuning_ended(self, job: Job) -> None:
        """Add the new model to the library and show it beside the old one."""
        outcome, run = job.outcome, self._run
        assert outcome is not None
        if run is None:
            return
        shutil.rmtree(inputs_folder(run.folder), ignore_errors=True)  # the run keeps copies
        message = outcome.message if outcome.kind == "failed" else ""
        self._session.library.finish_run(run.run_id, outcome.kind, outcome.result or {}, message)
        if outcome.kind != "done":
            return
        self.candidate = register_candidate(self._session, run, self._labels_until)
        if self._workspace.jobs.queue.is_closed:  # the window is closing
            return
        self._training.dialog.comparison.set_comparison(
            self.candidate.comparison, self.candidate.old_title, self.candidate.model.title
        )
        self._training.dialog.show_comparison()
        self._score_open_study()

    def _score_open_study(self) -> None:
        """Queue jobs for the missing scores of both models, which the list of changed flags needs."""
        candidate, reading = self.candidate, self._session.reading
        if candidate is not None and reading is not None:
            study, model = reading.study, candidate.model
            if self._session.current_model is not None and reading.scores is None:
                self._scorer.score(study)
            if not self._has_new_scores(study, model) and not self._scorer.is_scoring(study, model.model_id):
                self._scorer.submit_score(study, model, f"scoring {study.name} with {model.title}")
        self.show_changes()

    def _has_new_scores(self, study: Study, model: Model) -> bool:
        return self._session.files(study).has_scores(model.model_id)

    def _study_opened(self) -> None:
        if self._training.dialog.isVisible() and self._training.dialog.is_comparing:
            self._score_open_study()
        self.show_changes()

    def _show_changes_soon(self) -> None:
        self._soon.start()

    def show_changes(self) -> None:
        """Show which flags of the open study appear and disappear, or why that is not known."""
        self._soon.stop()
        candidate, reading = self.candidate, self._session.reading
        view = self._training.dialog.comparison
        if candidate is None:
            view.set_flags_message("")
        elif reading is None:
            view.set_flag_changes("", ())
        elif missing := self._missing_scores(reading, candidate.model):
            view.set_flags_message(missing)
        else:
            seconds = reading.index.video_seconds
            view.set_flag_changes(
                reading.study.name,
                [FlagChange.of(kind, event, seconds) for kind, event in changed_events(self._session, candidate)],
            )

    def _missing_scores(self, reading: Reading, model: Model) -> str:
        """A sentence saying which scores of the open study are missing; empty when none are."""
        name, known = reading.study.name, self._has_new_scores(reading.study, model)
        if not known and self._scorer.is_scoring(reading.study, model.model_id):
            return f"{name} is being scored with the new model…"
        if not known:
            return f"{name} has not been scored with the new model."
        return "" if reading.scores is not None else f"{name} has no scores of the current model yet."

    def use_new(self) -> None:
        """Use the new model; the old one stays available."""
        if self.candidate is not None:
            chosen, self.candidate = self.candidate.model, None
            self._training.use_model(chosen.model_id)
            self._training.dialog.comparison.set_choice(f"{chosen.title} is in use.")
            reading = self._session.reading
            if reading is not None and not self._session.is_scored(reading.study):
                self._scorer.score(reading.study)

    def forget(self, model_id: str) -> None:
        """Withdraw the choice: the model was deleted."""
        if self.candidate is not None and self.candidate.model.model_id == model_id:
            self.candidate = None
            self._training.dialog.comparison.set_choice("The new model was deleted. Nothing has changed.")
            self.show_changes()

    def keep_old(self) -> None:
        """Keep the old model; the new one stays in the list."""
        if self.candidate is not None:
            self.candidate = None
            model = self._session.current_model
            self._training.dialog.comparison.set_choice(
                f"{model.title} stays in use." if model else "No model is in use."
            )


class Finetuning(QObject):
    """Starts fine-tuning jobs, follows them and handles their results."""

    finetuning_submitted = Signal(object, object)  # Run, Job
    finetuning_failed = Signal(object)  # Outcome: its training data could not be written
    dialog_created = Signal()

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
        self._estimating = FunctionThread(self)  # counts labels: with 100,000 of them it takes a while
        self._estimating.returned.connect(lambda duration: self.dialog.panel.set_estimate(duration))
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
            self._dialog.panel.stop_requested.connect(self._jobs.queue.stop)
            self._dialog.panel.cancel_requested.connect(self._jobs.queue.cancel)
            self._dialog.panel.preset_chosen.connect(self.show_estimate)
            self._dialog.panel.comparison_requested.connect(self._dialog.show_comparison)
            self.comparing.follow(self._dialog)
            self.dialog_created.emit()
        return self._dialog

    def finetune(self) -> None:
        """Show the fine-tuning window with the labels it would use."""
        self.show_readiness()
        self.dialog.show_panel()

    def show_readiness(self) -> None:
        """Show which labels would be used, or why fine-tuning cannot start."""
        readiness = finetune_readiness(self._session)
        if readiness.problem:
            self.dialog.panel.set_blocked(readiness.problem, readiness.hint)
        else:
            self.dialog.panel.set_labels(readiness.counts, readiness.study_count)
        self.show_estimate()

    def show_estimate(self) -> None:
        """Show how long the chosen preset is expected to take; nothing where it cannot start."""
        panel, session, speeds = self.dialog.panel, self._session, self._speeds
        panel.set_estimate("")
        if panel.can_start:
            preset = panel.preset
            self._estimating.request(lambda _: estimate_current(session, preset, speeds).duration)

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
        """Fine-tune the current model on all labels of the library; `details` override the preset."""
        self.start_finetuning_on(preset, details)

    def start_finetuning_on(
        self,
        preset: str,
        details: Mapping[str, Any],
        study_ids: Collection[str] | None = None,
        start: Start | None = None,
    ) -> None:
        """Fine-tune `start` (default: the current model) on the given studies (default: all).

        Raises:
            UserError: another fine-tuning is running; only one at a time can be compared with the old model.
        """
        self._refuse_second()
        self._session.save_seen()
        run = self.comparing.start_run(start)
        self.dialog.panel.set_blocked("Writing the training data…")
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
            raise UserError("A fine-tuning is already running.", "Wait until it has ended, or stop it.")

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
        rest = f" {left:,} studies are not scored with it yet: Ctrl+Shift+S." if left else ""
        self._workspace.show_message(f"{title} is in use.{rest}")

    def add_model(self) -> None:
        """Ask for a model folder and copy it into the library."""
        chosen = QFileDialog.getExistingDirectory(self._workspace.window, "Add a model folder")
        if chosen:
            model = self._session.library.register_model(Path(chosen))
            self.use_model(model.model_id)

    def close(self) -> None:
        """Stop all background work other than jobs."""
        for thread in (self._writing, self._estimating):
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
            return
        if self.comparing.candidate is not None:
            self.comparing.show_changes()
