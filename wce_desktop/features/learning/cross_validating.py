"""Cross-validation: the dialog, the preparation and the job."""

import shutil
from functools import partial

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.language import tr
from wce_desktop.features.learning.model.cross_validation import (
    FEWEST_FOLDS,
    CrossValidation,
    evaluate_job,
    fold_seconds,
    plan_cross_validation,
    resume_evaluation_job,
)
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.features.learning.preparing import Preparing
from wce_desktop.library import Model
from wce_desktop.library.lineage import Family
from wce_desktop.library.run_files import ending_words, inputs_folder
from wce_desktop.library.runs import Run
from wce_desktop.session.keys import key_of
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import format_wait
from wce_desktop.widgets.basic import make_text, pad
from wce_desktop.widgets.inputs import WholeBox
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen
from wce_desktop.workspace import Part, Workspace


class CrossValidationDialog(QDialog):
    """Describes the cross-validation and asks for the number of folds."""

    def __init__(self, plan: CrossValidation, fold_seconds: float = 0.0, parent: QWidget | None = None) -> None:
        """`fold_seconds`: expected duration of one fold; 0: unknown."""
        super().__init__(parent)
        self.setWindowTitle(tr("Cross-validate {model}", model=plan.model.title))
        fit_to_screen(self, 520, 260)
        self._plan, self._fold_seconds = plan, fold_seconds
        self.folds = WholeBox()
        self.folds.setAccessibleName(tr("Folds"))
        self.folds.setRange(FEWEST_FOLDS, max(plan.most_folds, FEWEST_FOLDS))
        self.folds.setValue(plan.most_folds)
        pad(self.folds)
        self.folds.valueChanged.connect(self._describe)
        self.text = make_text(COLORS.warning if plan.problem else "")
        self.time = make_text(COLORS.muted)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.start = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.start.setText(tr("Cross-validate"))
        self.start.setEnabled(not plan.problem)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        if not plan.problem:
            form = QFormLayout()
            form.addRow(tr("Folds"), self.folds)
            layout.addLayout(form)
            layout.addWidget(self.time)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self._describe()

    def _describe(self) -> None:
        plan = self._plan
        self.text.setText(f"{plan.problem}\n{plan.hint}" if plan.problem else "\n\n".join(plan.sentences))
        folds = self.folds.value()
        if not self._fold_seconds:
            self.time.setText(
                tr(
                    "{folds} trainings in the background, one after the other. The model itself is not changed.",
                    folds=folds,
                )
            )
            return
        self.time.setText(
            tr(
                "{folds} trainings in the background, one after the other, about {wait} in all. The model itself is "
                "not changed.",
                folds=folds,
                wait=format_wait(folds * self._fold_seconds),
            )
        )


class CrossValidating(Part):
    """Starts and follows cross-validations."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self.preparing = Preparing(workspace, self)
        self.preparing.submitted.connect(workspace.guard(self._follow))
        self.preparing.failed.connect(workspace.guard(self._writing_failed))

    def cross_validate(self) -> None:
        """Cross-validate the current model."""
        model = self._session.current_model
        if model is None:
            raise UserError("There is no model to cross-validate.", "Add one: Train, Add a model folder.")
        self.cross_validate_model(model.model_id)

    def cross_validate_model(self, model_id: str) -> None:
        """Ask for the number of folds, then repeat the training of a model for each of them."""
        self.preparing.check()
        model = Family.of(self._session.library).models[model_id]
        self._session.save_seen()
        plan = plan_cross_validation(self._session, model)
        seconds = 0.0 if plan.problem else fold_seconds(self._session, plan)
        dialog = CrossValidationDialog(plan, seconds, self._workspace.window)
        if dialog.exec():
            folds = dialog.folds.value()
            self._workspace.show_message(tr("Writing the labels for the cross-validation…"))
            start = Start("", "", plan.model.model_id)
            self.preparing.begin("evaluate", start, lambda run: evaluate_job(self._session, run, plan, folds))
        dialog.deleteLater()

    def _writing_failed(self, outcome: Outcome) -> None:
        self._workspace.show_error(outcome.message, outcome.hint)
        self._session.runs_changed.emit()

    def resume(self, run: Run) -> None:
        """Resume a cross-validation that was stopped or interrupted."""
        model = self._model_of(run)
        spec = resume_evaluation_job(self._session, run, model.title if model else run.title)
        self._session.library.runs.resume(run.run_id)
        self._follow(run, self._workspace.jobs.submit(spec))

    def _follow(self, run: Run, job: Job) -> None:
        job.ended.connect(self._workspace.guard(partial(self._job_ended, run)))
        self._session.runs_changed.emit()

    def _job_ended(self, run: Run, job: Job) -> None:
        """Store how a cross-validation ended and show its result."""
        outcome = job.outcome
        assert outcome is not None
        library = self._session.library
        library.runs.finish(
            run.run_id, outcome.kind, outcome.result or {}, str(outcome) if outcome.kind == "failed" else ""
        )
        if outcome.kind == "done":
            shutil.rmtree(inputs_folder(run.folder), ignore_errors=True)
            model = self._model_of(run)
            values = {"run": run.title, "result": ending_words(run), "key": key_of("choose_model")}
            text = (
                tr("{run} of {model} is done: {result}. {key} shows it.", **values, model=model.title)
                if model
                else tr("{run} of the model is done: {result}. {key} shows it.", **values)
            )
            self._workspace.show_message(text)
        self._session.runs_changed.emit()

    def _model_of(self, run: Run) -> Model | None:
        return Family.of(self._session.library).models.get(run.base_model_id or "")
