"""Pretraining, fine-tuning, cross-validation, and the panel with the current model."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.learning import cross_validating, finetuning, training
from wce_desktop.features.learning.model import library_estimates, speed_book
from wce_desktop.features.learning.view.finetune_window import describe_labels
from wce_desktop.library import lineage, runs, unfinished_runs
from wce_desktop.session.model_notes import why_not_trained
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, key_texts, plain_text
from wce_desktop.workspace import Connections, Feature, Panel, Scorer, Workspace, methods

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
        speeds = speed_book.SpeedBook(session.library.folder / "speeds.json")
        self.finetuning = finetuning.Finetuning(workspace, self, scorer, speeds)
        self.training = training.Training(workspace, self, self.finetuning, speeds)
        self.cross_validating = cross_validating.CrossValidating(workspace, self)
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
