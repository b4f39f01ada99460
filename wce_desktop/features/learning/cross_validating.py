"""Cross-validation, and the review budget that comes of it."""

import shutil
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.clock import counted, percent
from wce_desktop.features.learning.model.cross_validation import (
    CrossValidation,
    evaluate_job,
    plan_cross_validation,
    resumed_job,
    seconds_of_part,
)
from wce_desktop.features.learning.view.cross_validation_dialog import CrossValidationDialog
from wce_desktop.features.reading.model.review_budget import budget_of, threshold_of_top
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Model
from wce_desktop.library.runs.lineage import Family
from wce_desktop.library.runs.run_files import ending_words, inputs_folder
from wce_desktop.library.work import Run
from wce_desktop.threads.function_thread import FunctionThread

if TYPE_CHECKING:
    from wce_desktop.shell.main_window import MainWindow


class JudgingController(QObject):
    """Starts and follows cross-validations, and sets the threshold so that the top frames are flagged."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._runs: dict[str, str] = {}  # run_id of each cross-validation's job
        self._begun: Run | None = None  # whose inputs are being written
        self._writing = FunctionThread(self)
        self._writing.returned.connect(window.guard(self._submit))
        self._writing.failed.connect(window.guard(self._writing_failed))
        window.jobs.job_ended.connect(window.guard(self._job_ended))
        self._bar = window.flags.budget
        self._bar.share_chosen.connect(window.guard(self.show_top))
        self._bar.cross_validation_requested.connect(window.guard(self.cross_validate))
        self._session.model_changed.connect(self.show_budget)
        self.show_budget()

    # Review budget

    def show_budget(self) -> None:
        """Say beside the threshold what the present model's newest cross-validation found."""
        model = self._session.current_model
        budget = budget_of(self._session.library, model) if model is not None else None
        self._bar.show_budget(budget, has_model=model is not None, tip=budget.source if budget else "")

    def show_top_frames(self) -> None:
        """Flag the share of the frames that stands beside the threshold."""
        self._bar.show_top()

    def choose_review_budget(self) -> None:
        """Let a share be typed."""
        self._window.view.show_flags()
        self._bar.box.setFocus()
        self._bar.box.selectAll()

    def show_top(self, share: float) -> None:
        """Set the threshold so that this share of the frames is flagged, and say how many these are."""
        reading = self._session.reading
        threshold = threshold_of_top(reading, share) if reading is not None else None
        if reading is None or threshold is None:
            raise UserError("There are no scores whose top could be shown.", "Open a study and score it first (S).")
        self._session.set_threshold(threshold)
        self._session.settings.set("review_percent", round(share * 100, 1))
        count = int(reading.flagged().sum())
        is_tied = count > share * reading.frame_count + 1
        ties = " More than that, because some have equal scores." if is_tied else ""
        self._window.tell(
            f"The top {percent(share)}: {counted(count, 'frame')} of {reading.frame_count:,} flagged.{ties}"
        )
        self._window.player.setFocus()

    # Cross-validation

    def cross_validate(self) -> None:
        """Cross-validate the model in use."""
        model = self._session.current_model
        if model is None:
            raise UserError("There is no model to cross-validate.", "Add one: Train, Add a model folder.")
        self.cross_validate_model(model.model_id)

    def cross_validate_model(self, model_id: str) -> None:
        """Ask how, then repeat the way in which a model learnt for parts of the patients."""
        if self._begun is not None:
            raise UserError("A cross-validation is being prepared already.", "Wait a moment.")
        model = Family.of(self._session.library).models[model_id]
        self._session.save_seen()
        plan = plan_cross_validation(self._session, model)
        folds = self._ask(plan)
        if folds:
            self._begin(plan, folds)

    def _ask(self, plan: CrossValidation) -> int:
        """Into how many parts; 0 for not at all."""
        seconds = 0.0 if plan.problem else seconds_of_part(self._session, plan)
        dialog = CrossValidationDialog(plan, seconds, self._window)
        is_agreed = bool(dialog.exec())
        dialog.deleteLater()
        return dialog.folds if is_agreed else 0

    def _begin(self, plan: CrossValidation, folds: int) -> None:
        library = self._session.library
        count = sum(run.kind == "evaluate" for run in library.runs()) + 1
        run = library.add_run(f"Cross-validation {count}", base_model_id=plan.model.model_id, kind="evaluate")
        self._begun = run
        self._window.tell("Writing down the labels to judge with…")
        self._writing.request(partial(_write, self, run, plan, folds))

    def _submit(self, spec: JobSpec) -> None:
        run, self._begun = self._begun, None
        if run is not None:
            self._follow(run, self._window.jobs.submit(spec))

    def _writing_failed(self, outcome: Outcome) -> None:
        run, self._begun = self._begun, None
        if run is not None:
            self._session.library.finish_run(run.run_id, "failed", {}, outcome.message)
        self._window.tell_error(outcome.message, outcome.hint)
        self._window.runs.refresh()

    def resume(self, run: Run) -> None:
        """Go on with a cross-validation that was stopped or interrupted."""
        model = self._model_of(run)
        spec = resumed_job(self._session, run, model.title if model else run.title)
        self._session.library.resume_run(run.run_id)
        self._follow(run, self._window.jobs.submit(spec))

    def _follow(self, run: Run, job: Job) -> None:
        self._runs[job.job_id] = run.run_id
        self._window.runs.refresh()
        if job.has_ended:
            self._job_ended(job)

    def _job_ended(self, job: Job) -> None:
        """Note how a cross-validation ended, and show what it found."""
        run_id, outcome = self._runs.pop(job.job_id, None), job.outcome
        if run_id is None or outcome is None:
            return
        library = self._session.library
        run = Family.of(library).runs[run_id]
        library.finish_run(run_id, outcome.kind, outcome.result or {}, str(outcome) if outcome.kind == "failed" else "")
        if outcome.kind == "done":
            shutil.rmtree(inputs_folder(run.folder), ignore_errors=True)
            model = self._model_of(run)
            name = model.title if model else "the model"
            self._window.tell(f"{run.title} of {name} is done: {ending_words(run)}. Ctrl+M shows it.")
        self.show_budget()

    def _model_of(self, run: Run) -> Model | None:
        return Family.of(self._session.library).models.get(run.base_model_id or "")

    @property
    def begun(self) -> Run | None:
        """The cross-validation whose inputs are being written."""
        return self._begun

    @property
    def is_busy(self) -> bool:
        """True while labels are being written down."""
        return self._begun is not None

    def close(self) -> None:
        """End what runs beside the window."""
        self._session.model_changed.disconnect(self.show_budget, missing_ok=True)
        self._writing.close()


def _write(controller: JudgingController, run: Run, plan: CrossValidation, folds: int, _: object) -> JobSpec:
    """Runs in the writing thread; changes nothing in the session."""
    return evaluate_job(controller._session, run, plan, folds)
