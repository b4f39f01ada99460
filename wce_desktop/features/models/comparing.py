"""Evaluates two models on the same labels and lists the flags that differ."""

from PySide6.QtCore import QObject

from training.runs.events import Outcome
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.models.compare_page import ComparePage
from wce_desktop.features.models.model_comparison import ModelComparison, changed_flags, compare_models
from wce_desktop.library import Model
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.comparison import FlagChange
from wce_desktop.workspace import Scorer, Workspace


class ModelComparing(QObject):
    """Works in a thread; the newest request wins."""

    def __init__(self, workspace: Workspace, scorer: Scorer) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._session, self._scorer = workspace.session, scorer
        self._page: ComparePage | None = None
        self._pair: tuple[Model, Model] | None = None
        self._comparison: ModelComparison | None = None
        self._thread = FunctionThread(self)
        self._thread.returned.connect(workspace.guard(self._show))
        self._thread.failed.connect(self._failed)

    @property
    def is_busy(self) -> bool:
        """True while two models are being evaluated."""
        return self._thread.is_busy

    def compare(self, page: ComparePage, first: Model, second: Model) -> None:
        """Evaluate two models and show the comparison."""
        self._page, self._pair, self._comparison = page, (first, second), None
        page.show_waiting()
        self._thread.request(lambda reporter: compare_models(self._session, first, second, reporter.check))

    def _show(self, found: ModelComparison) -> None:
        self._comparison = found
        page = self._page
        if page is None:
            return
        page.show_comparison(found)
        reading = self._session.reading
        if self._pair is None or reading is None:
            return
        changes = changed_flags(self._session, *self._pair)
        if changes is not None:
            seconds = reading.index.video_seconds
            page.show_flags(
                reading.study.name,
                [FlagChange.of(kind, event, seconds) for kind, event in changes],
            )

    def _failed(self, outcome: Outcome) -> None:
        if self._page is not None:
            self._page.show_problem(str(outcome))

    def score_missing(self) -> None:
        """Queue the scorings that the comparison needs."""
        found = self._comparison
        if found is None or self._pair is None:
            return
        models = {model.model_id: model for model in self._pair}
        for study_id, model_id in found.unscored:
            study, model = self._session.library.study(study_id), models[model_id]
            if not self._scorer.is_scoring(study, model_id):
                self._scorer.submit_score(
                    study, model, tr("scoring {study} with {model}", study=study.name, model=model.title)
                )
        self._workspace.show_message(
            tr_count(
                "{count} scoring queued; compare again when it is done.",
                "{count} scorings queued; compare again when it is done.",
                len(found.unscored),
            )
        )

    def close(self) -> None:
        """End what is being measured."""
        self._thread.close()
