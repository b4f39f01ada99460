"""Fine-tuning, from the click to the reader's choice between the new and the current model."""

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Signal

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.learning.changed_flags import Candidate, ChangedFlags, register_candidate
from wce_desktop.features.learning.model import library_estimates
from wce_desktop.features.learning.model.starts import Start, default_start
from wce_desktop.features.learning.preparing import Preparing
from wce_desktop.features.learning.view.comparison_view import ask_use_worse
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import run_files, runs
from wce_desktop.library.storage.database import now_utc
from wce_desktop.session import demo, keys
from wce_desktop.session.work import finetune_job, studies_to_score
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Part, Scorer, Workspace


@dataclass(frozen=True)
class Running:
    """A run whose training data is being written, or whose job waits or runs."""

    run: runs.Run
    labels_until: str  # UTC; labels made later are not part of the run


class Finetuning(Part):
    """One fine-tuning at a time: writes its training data, follows its job, compares and adopts the new model."""

    finetuning_submitted = Signal(object, object)  # Run, Job
    finetuning_failed = Signal(object)  # Outcome: its training data could not be written
    dialog_created = Signal()
    labels_chosen = Signal()

    def __init__(self, workspace: Workspace, owner: Part, scorer: Scorer) -> None:
        super().__init__(workspace, owner)
        self._scorer, self._jobs = scorer, workspace.jobs
        self._dialog: FinetuneWindow | None = None
        self._state: Running | Candidate | None = None
        """The one run that is under way, or the new model that the reader may choose."""
        self.preparing = Preparing(workspace, self)
        self.preparing.submitted.connect(workspace.guard(self._follow))
        self.preparing.failed.connect(self._writing_failed)
        self._checking = FunctionThread(self, workspace.guard(self._show))
        # Counts labels: with 100,000 of them it takes a while.
        self._estimating = FunctionThread(
            self, lambda duration: self.dialog.panel.set_estimate(duration), self._estimating_failed
        )

    # The state

    @property
    def is_finetuning(self) -> bool:
        """True while a fine-tuning is being prepared, is queued or runs."""
        return isinstance(self._state, Running)

    @property
    def candidate(self) -> Candidate | None:
        """The new model that the reader may choose."""
        return self._state if isinstance(self._state, Candidate) else None

    # The window

    @property
    def dialog(self) -> FinetuneWindow:
        """The fine-tuning window, created when first needed."""
        if self._dialog is None:
            guard, preset = self._workspace.guard, self._session.settings["finetune_preset"]
            self._dialog = dialog = FinetuneWindow(self._session.vocabulary, preset, self._workspace.window)
            dialog.panel.start_requested.connect(guard(self.start_finetuning))
            dialog.panel.demo.clicked.connect(lambda is_used: guard(self.choose_demo)(is_used))
            dialog.panel.preset_chosen.connect(self.show_estimate)
            dialog.panel.compare.clicked.connect(dialog.show_comparison)
            dialog.comparison.use.clicked.connect(guard(self.use_new))
            dialog.comparison.keep.clicked.connect(guard(self.keep_old))
            self._changed_flags = ChangedFlags(self._workspace, self._scorer, dialog, lambda: self.candidate)
            self.dialog_created.emit()
        return self._dialog

    def finetune(self) -> None:
        """Show the fine-tuning window with the labels it would use."""
        self.show_readiness()
        self.dialog.show_panel()

    def show_readiness(self) -> None:
        """Show which labels would be used, or why fine-tuning cannot start; soon also which cannot be used."""
        self._show(library_estimates.finetune_readiness(self._session))
        self._checking.request(lambda _: library_estimates.checked_readiness(self._session))

    def _show(self, readiness: library_estimates.Readiness) -> None:
        if self.preparing.run is None:  # else the panel says that its training data is being written
            self.dialog.panel.show_readiness(readiness)
            self.show_estimate()

    def choose_demo(self, is_used: bool) -> None:
        """Use the labels of the demo study, or not; kept for the next time."""
        self._session.settings.set(demo.SETTING, is_used)
        self.show_readiness()
        self.labels_chosen.emit()

    def show_estimate(self) -> None:
        """Show how long the chosen preset is expected to take; nothing where it cannot start, which the panel says."""
        panel = self.dialog.panel
        if not panel.can_start:
            self._estimating.cancel()
            panel.set_estimate("")
            return
        panel.set_estimate(tr("Estimating how long it takes…"))
        estimate = partial(library_estimates.estimate_current, self._session, panel.preset)
        self._estimating.request(lambda reporter: " ".join(estimate(reporter).sentences[:2]))

    def _estimating_failed(self, outcome: Outcome) -> None:
        text = tr("How long it takes could not be estimated.")
        self.dialog.panel.set_estimate(f"{text} {tr(outcome.message)}".strip())

    # Starting

    def start_finetuning(self, preset: str, **details: Any) -> None:
        """Fine-tune the current model on the labels of the library; `details` override the preset."""
        self.start_finetuning_on(preset, details, demo.studies_to_learn_from(self._session))

    def start_finetuning_on(
        self, preset: str, details: Mapping[str, Any], study_ids: Collection[str] | None, start: Start | None = None
    ) -> None:
        """Fine-tune `start` (default: see `finetuning_start`) on the given studies (None: all).

        Raises:
            UserError: another fine-tuning is running; only one at a time can be compared with the old model.
        """
        self._refuse_second()
        self._session.save_seen()
        labels_until, init = now_utc(), start.init if start else ""
        run = self.preparing.begin(
            "finetune",
            start or default_start(self._session, preset, study_ids),
            lambda run: finetune_job(self._session, run.folder, preset, details, study_ids, init),
        )
        self._state = Running(run, labels_until)
        self.dialog.panel.set_blocked(tr("Writing the training data…"))

    def resume_finetuning(self, run: runs.Run, spec: JobSpec) -> Job:
        """Queue a fine-tuning that resumes from its last checkpoint, with the labels from when it was first started.

        Raises:
            UserError: another fine-tuning is running.
        """
        self._refuse_second()
        run = self._session.library.runs.resume(run.run_id)
        self._state = Running(run, run.created_utc)
        job = self._jobs.submit(spec)
        self._follow(run, job)
        return job

    def _refuse_second(self) -> None:
        if self.is_finetuning:
            raise UserError("A fine-tuning is already running.", "Wait until it has ended, or stop it.")

    def _writing_failed(self, outcome: Outcome) -> None:
        self._state = None
        self.show_readiness()
        self._workspace.show_error(outcome.message, outcome.hint)
        self.finetuning_failed.emit(outcome)

    # The job

    def _follow(self, run: runs.Run, job: Job) -> None:
        panel = self.dialog.panel
        job.progressed.connect(panel.set_job)
        job.partial_arrived.connect(panel.curves.add_partial)
        job.ended.connect(self._workspace.guard(self._job_ended))
        self.show_readiness()
        panel.set_job(job)
        self.finetuning_submitted.emit(run, job)

    def _job_ended(self, job: Job) -> None:
        """Store how the run ended; a new model is added to the library and shown beside the old one."""
        state, outcome = self._state, job.outcome
        assert isinstance(state, Running)
        assert outcome is not None
        self._state = None
        shutil.rmtree(run_files.inputs_folder(state.run.folder), ignore_errors=True)  # the run keeps copies
        message = outcome.message if outcome.kind == "failed" else ""
        self._session.library.runs.finish(state.run.run_id, outcome.kind, outcome.result or {}, message)
        if outcome.kind == "done":
            self.compare(register_candidate(self._session, state.run, state.labels_until))
        elif not self._jobs.is_closed:  # it can be started again
            self.show_estimate()

    # The choice

    def compare(self, candidate: Candidate) -> None:
        """Show a new model beside the current one, and let the reader choose."""
        self._state = candidate
        if self._jobs.is_closed:  # the window is closing
            return
        titles, is_first = (candidate.old_title, candidate.model.title), self._session.current_model is None
        self.dialog.comparison.set_comparison(candidate.comparison, *titles, is_first=is_first)
        self.dialog.show_comparison(takes_focus=False)
        self._changed_flags.score_open_study()

    def use_new(self) -> None:
        """Use the new model, after a question if it is worse; the old one stays available."""
        candidate = self.candidate
        if candidate is None:
            return
        if candidate.verdict.get("kind") == "worse" and self._session.current_model is not None:
            is_sure = ask_use_worse(candidate.verdict.get("sentence", ""), candidate.model.title, self.dialog)
            if not is_sure or self.candidate is not candidate:  # it may have been deleted meanwhile
                return
        self._state = None
        self.use_model(candidate.model.model_id)
        self.dialog.comparison.set_choice(tr("{model} is in use.", model=candidate.model.title))
        reading = self._session.reading
        if reading is not None and not self._session.scores.is_scored(reading.study):
            self._scorer.score(reading.study)

    def keep_old(self) -> None:
        """Keep the old model; the new one stays in the list."""
        if self.candidate is not None:
            self._state = None
            model = self._session.current_model
            text = tr("{model} stays in use.", model=model.title) if model else tr("No model is in use.")
            self.dialog.comparison.set_choice(text)

    def forget(self, model_id: str) -> None:
        """Withdraw the choice if this model, which was deleted, is the new one."""
        if self.candidate is not None and self.candidate.model.model_id == model_id:
            self._state = None
            self.dialog.comparison.set_choice(tr("The new model was deleted. Nothing has changed."))
            self._changed_flags.show()

    # Models

    def use_model(self, model_id: str) -> None:
        """Make a model the current one and show its scores."""
        self._session.scores.use_model(model_id)
        model = self._session.current_model
        text = tr("{model} is in use.", model=model.title if model else model_id)
        if left := len(studies_to_score(self._session)):
            text += " " + tr_count(
                "Not scored with it yet: {count} study ({key}).",
                "Not scored with it yet: {count} studies ({key}).",
                left,
                key=keys.key_of("score_all"),
            )
        self._workspace.show_message(text)

    def add_model(self) -> None:
        """Ask for a model folder, copy it into the library and take it into use."""
        self._workspace.add_model(self._workspace.window, lambda model: self.use_model(model.model_id))
