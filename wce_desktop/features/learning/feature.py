"""Pretraining, fine-tuning, cross-validation, and the panel with the current model."""

import shutil
from collections.abc import Callable, Collection, Mapping
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.features.learning import finetuning, training
from wce_desktop.features.learning.model import cross_validation, experiments, library_estimates, starts
from wce_desktop.features.learning.model.cross_validation import FEWEST_FOLDS, CrossValidation
from wce_desktop.features.learning.preparing import Preparing
from wce_desktop.features.learning.view.experiment_dialog import ExperimentDialog
from wce_desktop.features.learning.view.finetune_window import describe_labels
from wce_desktop.library import Model, lineage, run_files, runs, unfinished_runs
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import why_not_cross_validated, why_not_trained
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import format_wait
from wce_desktop.widgets import basic, dialogs, inputs, key_texts, plain_text, window_size
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Connections, Feature, Panel, Part, Scorer, Workspace, methods

# Cross-validations and experiments: the dialogs, the preparation and the jobs.


TRAININGS = to_translate("{folds} trainings in the background, one after the other. The model itself is not changed.")
TRAININGS_TIMED = to_translate(
    "{folds} trainings in the background, one after the other, about {wait} in all. The model itself is not changed."
)


class CrossValidationDialog(window_size.DialogBase):
    """Describes the cross-validation and asks for the number of folds."""

    def __init__(self, plan: CrossValidation, fold_seconds: float = 0.0, parent: QWidget | None = None) -> None:
        """`fold_seconds`: expected duration of one fold; 0: unknown."""
        super().__init__(tr("Cross-validate {model}", model=plan.model.title), 520, parent=parent)
        self._plan, self._fold_seconds = plan, fold_seconds
        most = plan.most_folds
        self.folds = inputs.WholeBox(minimum=FEWEST_FOLDS, maximum=max(most, FEWEST_FOLDS), value=most)
        self.folds.setAccessibleName(tr("Folds"))
        basic.pad(self.folds)
        self.folds.valueChanged.connect(self._describe)
        self.text = basic.make_text(COLORS.warning if plan.problem else "")
        self.time = basic.make_text(COLORS.muted)
        self.start = QPushButton(tr("Cross-validate"))
        self.start.setEnabled(not plan.problem)
        form = basic.Form()
        form.addRow(tr("Folds"), self.folds)
        form.setRowVisible(0, not plan.problem)
        self.time.setVisible(not plan.problem)
        basic.in_column(self.text, form, self.time, 1, dialogs.accept_buttons(self, self.start), of=self)
        self._describe()

    def _describe(self) -> None:
        plan = self._plan
        self.text.setText(f"{plan.problem}\n{plan.hint}" if plan.problem else "\n\n".join(plan.sentences))
        folds = self.folds.value()
        wait = format_wait(folds * self._fold_seconds)
        self.time.setText(tr(TRAININGS_TIMED if self._fold_seconds else TRAININGS, folds=folds, wait=wait))


class CrossValidating(Part):
    """Starts and follows cross-validations and experiments."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self.preparing = Preparing(workspace, self)
        self.preparing.submitted.connect(workspace.guard(self._follow))
        self.preparing.failed.connect(workspace.show_failure)
        self.preparing.failed.connect(lambda _: self._session.runs_changed.emit())

    def cross_validate(self) -> None:
        """Cross-validate the current model."""
        model = self._session.current_model
        if model is None:
            raise UserError("There is no model to cross-validate.", "Add one: Train, Add a model folder.")
        self.cross_validate_model(model.model_id)

    def cross_validate_model(self, model_id: str) -> None:
        """Ask for the number of folds, then repeat the training of a model for each of them."""
        self.preparing.check()
        model = lineage.Family.of(self._session.library).models[model_id]
        if problem := why_not_cross_validated(model):
            raise UserError(problem, "Choose another model: {key}.", key_of("choose_model"))
        self._session.save_seen()
        plan = cross_validation.plan_cross_validation(self._session, model)
        seconds = 0.0 if plan.problem else cross_validation.fold_seconds(self._session, plan)
        dialog = CrossValidationDialog(plan, seconds, QApplication.activeWindow() or self._workspace.window)
        if dialog.exec():
            folds = dialog.folds.value()
            self._workspace.show_message(tr("Writing the labels for the cross-validation…"))
            start, session = starts.Start("", "", plan.model.model_id), self._session
            self.preparing.begin(
                "evaluate", start, lambda run: cross_validation.evaluate_job(session, run, plan, folds)
            )
        dialog.deleteLater()

    def new_experiment(self) -> None:
        """Ask for an experiment, and run it in the background."""
        self.preparing.check()
        self._session.save_seen()
        session, workspace = self._session, self._workspace
        models = [model for model in session.library.models.all() if not run_files.is_imported(model)]
        dialog = ExperimentDialog(
            models,
            partial(experiments.expected_time, session),
            lambda parent: workspace.files.ask_folder(parent, "labels", tr("Frames of the experiment")),
            QApplication.activeWindow() or workspace.window,
        )
        if dialog.exec():
            choice = dialog.choice
            start = starts.Start("", "", choice.model.model_id if choice.model else "")
            workspace.show_message(tr("Preparing the experiment…"))
            self.preparing.begin(
                "experiment",
                start,
                lambda run: experiments.experiment_job(session, run, choice),
                choice.experiment.title,
            )
            self._session.runs_changed.emit()
        dialog.deleteLater()

    def resume(self, run: runs.Run) -> None:
        """Resume a cross-validation or an experiment that was stopped or interrupted."""
        model = self._model_of(run)
        spec = cross_validation.resume_evaluation_job(
            self._session, run, model.title if model and run.kind == "evaluate" else run.title
        )
        self._session.library.runs.resume(run.run_id)
        self._follow(run, self._workspace.jobs.submit(spec))

    def _follow(self, run: runs.Run, job: Job) -> None:
        job.ended.connect(self._workspace.guard(partial(self._job_ended, run)))
        self._session.runs_changed.emit()

    def _job_ended(self, run: runs.Run, job: Job) -> None:
        """Store how a cross-validation or an experiment ended and show its result."""
        outcome = job.outcome
        assert outcome is not None
        message = str(outcome) if outcome.kind == "failed" else ""
        self._session.library.runs.finish(run.run_id, outcome.kind, outcome.result or {}, message)
        if outcome.kind == "done":
            shutil.rmtree(run_files.inputs_folder(run.folder), ignore_errors=True)
            model = self._model_of(run)
            values = {"run": run.title, "result": run_files.ending_words(run), "key": key_of("choose_model")}
            text = tr("{run} of the model is done: {result}. {key} shows it.", **values)
            if run.kind == "experiment":
                text = tr("{run} is done. {key} shows it.", **values)
            elif model:
                text = tr("{run} of {model} is done: {result}. {key} shows it.", **values, model=model.title)
            self._workspace.show_message(text)
        self._session.runs_changed.emit()

    def _model_of(self, run: runs.Run) -> Model | None:
        return lineage.Family.of(self._session.library).models.get(run.base_model_id or "")


COUNTED_AFTER_MILLISECONDS = 1000
LIVE = "live"
"""The preset that makes a model of the live scores."""


class ModelPanel(QWidget):
    """Shows the current model, and *Fine-tune* with the labels that it would use."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = QPushButton()
        key_texts.set_tip(self.name, tr("Choose another model ({choose_model})"))
        self.name.setStyleSheet("text-align: left")
        self._uses = basic.make_note()
        self.finetune = QPushButton(tr("Fine-tune…"))
        parts = self.name, self._uses, self.finetune
        basic.in_column(basic.make_heading(tr("MODEL")), *parts, of=self, margins=(8, 4, 8, 10))
        self.refresh()

    def refresh(self) -> None:
        """Show the current model and the labels for fine-tuning."""
        model = self._session.current_model
        self.name.setText(model.title if model else tr("No model. Add one…"))
        self.show_readiness(library_estimates.finetune_readiness(self._session))

    def show_readiness(self, readiness: library_estimates.Readiness) -> None:
        """Show the labels for fine-tuning; none in a second reading, which must not show the first reader's."""
        is_first = self._session.reading is None or self._session.reading.study.second_of is None
        self.finetune.setEnabled(is_first and not why_not_trained(self._session.current_model))
        if not is_first:
            self._uses.setText(tr("Not available in a second reading."))
            self.finetune.setText(tr("Fine-tune…"))
            key_texts.set_tip(self.finetune, tr("Open the first reading to fine-tune"))
            return
        titles = {known.name: known.title_in_sentence for known in self._session.vocabulary}
        text = readiness.problem or describe_labels(readiness, titles)
        self._uses.setText(text)
        self._uses.setToolTip(plain_text.plain(text))  # the panel may be too low for it
        count = sum(readiness.counts.values()) + sum(readiness.negatives.values())
        title = tr_count("Fine-tune: {count} new label", "Fine-tune: {count} new labels", count)
        self.finetune.setText(tr("Fine-tune…") if readiness.problem else title)
        key_texts.set_tip(self.finetune, f"{text} {readiness.hint} ({{finetune}})")


class LearningFeature(Feature):
    """Combines the three kinds of training; other features use them through this class."""

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        session = workspace.session
        self.finetuning = finetuning.Finetuning(workspace, self, scorer)
        self.training = training.Training(workspace, self, self.finetuning)
        self.cross_validating = CrossValidating(workspace, self)
        self.cross_validate = self.cross_validating.cross_validate_model
        self.new_experiment = self.cross_validating.new_experiment
        self.show_task, self.use_model = self.training.show_task, self.finetuning.use_model
        self.panel = ModelPanel(session)
        self.panels = (Panel(self.panel, "left", order=1, is_for_research=True),)
        self.panel.finetune.clicked.connect(workspace.guard(self.finetuning.finetune))
        self.finetuning.labels_chosen.connect(self.panel.refresh)
        self.panel.name.clicked.connect(lambda: workspace.menus.run("choose_model"))
        self._counter = FunctionThread(self, self.panel.show_readiness, workspace.show_failure)
        self._counting = QTimer(self, singleShot=True, interval=COUNTED_AFTER_MILLISECONDS)
        self._counting.timeout.connect(self._count)
        self._connections = Connections(
            (session.studies_changed, self.panel.refresh),
            (session.study_opened, self.panel.refresh),
            (session.model_changed, self.panel.refresh),
            (session.study_opened, self._count_soon),
            (session.annotations_changed, self._count_soon),
        )

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {
            **methods(self.finetuning, ("finetune", "add_model")),
            "train": self.training.train,
            "cross_validate": self.cross_validating.cross_validate,
        }

    def _count_soon(self, _: object = None) -> None:
        """Count labels in another thread, once the reader pauses: with 100,000 labels it takes a while."""
        self._counting.start()

    def _count(self) -> None:
        self._counter.request(lambda _: library_estimates.finetune_readiness(self._session))

    # Interface for other features

    @property
    def prepared(self) -> tuple[runs.Run, ...]:
        """The runs whose inputs are being written: they have no job yet."""
        parts = (self.finetuning, self.training, self.cross_validating)
        return tuple(part.preparing.run for part in parts if part.preparing.run is not None)

    @property
    def unfinished(self) -> tuple[unfinished_runs.Unfinished, ...]:
        """The trainings that can be resumed."""
        return self.training.unfinished

    def resume(self, run_id: str) -> None:
        """Resume a training, a cross-validation or an experiment."""
        run = lineage.Family.of(self._session.library).runs[run_id]
        if run.kind in ("evaluate", "experiment"):
            self.cross_validating.resume(run)
        else:
            self.training.resume(run_id)

    def keep_live_model(self, study_ids: Collection[str]) -> None:
        """Make a model of the live scores, which learned from these studies; the fine-tuning window shows it."""
        self.finetuning.finetune()
        self.finetuning.start_finetuning_on(LIVE, {}, study_ids)

    def library_changed(self, deleted: str = "") -> None:
        """Update after models or runs were added or deleted; `deleted` is the id of the deleted one."""
        if deleted:
            self.finetuning.forget(deleted)
        self.training.refresh()
