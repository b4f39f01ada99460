"""Pretraining, fine-tuning, cross-validation, and the panel with the current model."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QTimer

from wce_desktop.features.learning.cross_validating import CrossValidating
from wce_desktop.features.learning.finetuning import Finetuning
from wce_desktop.features.learning.model.readiness import finetune_readiness
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.training import Training
from wce_desktop.features.learning.view.model_panel import ModelPanel
from wce_desktop.library.lineage import Family
from wce_desktop.library.runs import Run
from wce_desktop.library.unfinished_runs import Unfinished
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Connections, Feature, Panel, Scorer, Workspace, methods

COUNTED_AFTER_MILLISECONDS = 1000
LIVE = "live"
"""The preset that makes a model of the live scores."""


class LearningFeature(Feature):
    """Combines the three kinds of training; other features use them through this class."""

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        self._session = session = workspace.session
        speeds = SpeedBook(session.library.folder / "speeds.json")
        self.finetuning = Finetuning(workspace, self, scorer, speeds)
        self.training = Training(workspace, self, self.finetuning, speeds)
        self.cross_validating = CrossValidating(workspace, self)
        self.cross_validate = self.cross_validating.cross_validate_model
        self.show_task, self.use_model = self.training.show_task, self.finetuning.use_model
        self.panel = ModelPanel(session)
        self.panels = (Panel(self.panel, "left", order=1),)
        self.panel.finetune.clicked.connect(workspace.guard(self.finetuning.finetune))
        self.finetuning.labels_chosen.connect(self.panel.refresh)
        self.panel.name.clicked.connect(lambda: workspace.menus.run("choose_model"))
        self._counter = FunctionThread(self)
        self._counting = QTimer(self, singleShot=True, interval=COUNTED_AFTER_MILLISECONDS)
        self._counting.timeout.connect(self._count)
        self._counter.returned.connect(self.panel.show_readiness)
        self._counter.failed.connect(lambda outcome: workspace.show_error(outcome.message, outcome.hint))
        self._connections = Connections(
            (session.studies_changed, self.panel.refresh),
            (session.study_opened, self.panel.refresh),
            (session.model_changed, self.panel.refresh),
            (session.study_opened, self.panel.show_training_note),
            (session.study_closed, self.panel.show_training_note),
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
        self._counter.request(lambda _: finetune_readiness(self._session))

    # Interface for other features

    @property
    def prepared(self) -> tuple[Run, ...]:
        """The runs whose inputs are being written: they have no job yet."""
        parts = (self.finetuning, self.training, self.cross_validating)
        return tuple(part.preparing.run for part in parts if part.preparing.run is not None)

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """The trainings that can be resumed."""
        return self.training.unfinished

    def resume(self, run_id: str) -> None:
        """Resume a training or a cross-validation."""
        run = Family.of(self._session.library).runs[run_id]
        if run.kind == "evaluate":
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
