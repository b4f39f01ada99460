"""Two models side by side: on the same labels, in their settings, and in the flags of the open study."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from training.runs.events import Outcome
from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.models.model_comparison import ModelComparison, changed_flags, compare_models
from wce_desktop.features.models.run_texts import differing_settings
from wce_desktop.features.models.table_pages import PlainTable
from wce_desktop.library import Model, run_files
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import comparison, comparison_table
from wce_desktop.widgets.basic import SidewaysArea, in_column, make_button, make_heading, make_text, show_text
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Part, Scorer, Workspace

CHOOSE_TWO = (
    "Choose two models, or two runs, in the list: the second with Ctrl and a click, or with Shift and an arrow."
)


class ComparePage(QWidget):
    """Shows a comparison; requests missing scores and frames by signal."""

    def __init__(self, classes: Mapping[str, ClassName], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes = classes
        self._title = make_text()
        self._sentence = make_text(COLORS.muted)
        self._warning = make_text(COLORS.warning)
        self._verdict = make_text()
        self._verdict.setStyleSheet("font-weight: bold")
        self.table = comparison_table.ComparisonTable()
        self._figures = SidewaysArea(self.table)
        self.score = make_button(tr("Score them"), tr("Queue the labelled studies not yet scored by both models"))
        self._settings_head = make_heading(tr("SETTINGS THAT DIFFER"))
        self.settings = PlainTable(tr("Settings that differ"), (tr("Setting"), tr("First"), tr("Second")), most_rows=8)
        self.flags = comparison.FlagChangesList()
        self._texts = self._title, self._verdict, self._sentence, self._warning
        score = (self.score, 0, Qt.AlignmentFlag.AlignLeft)
        in_column(*self._texts, self._figures, score, self._settings_head, self.settings, (self.flags, 1), 0, of=self)
        self.show_pair(None)

    def show_pair(self, pair: tuple[run_files.Item, run_files.Item] | None) -> None:
        """Show in which settings two items differ; figures come later."""
        self._title.setText(tr(CHOOSE_TWO))
        self._verdict.setText("")
        for widget in (self._verdict, self._sentence, self._warning, self._figures, self.score, self.flags):
            widget.setVisible(False)
        rows = differing_settings(*pair) if pair else []
        if pair:
            first, second = (item.title for item in pair)
            self._title.setText(tr("{first} beside {second}", first=first, second=second))
            self.settings.setHorizontalHeaderLabels([tr("Setting"), first, second])
        self.settings.show_rows(rows)
        self.settings.setVisible(bool(rows))
        self._settings_head.setVisible(bool(rows))

    def show_comparison(self, found: ModelComparison) -> None:
        """Show figures on the same frames."""
        self.say(found.sentence)
        self.score.setVisible(bool(found.unscored))
        self._figures.setVisible(bool(found.comparison))
        show_text(self._verdict, found.verdict)
        show_text(self._warning, found.comparison.get("warning") or "")
        if found.comparison:
            self.table.show_comparison(found.comparison, self._classes)

    def show_flags(self, study: str, changes: Sequence[comparison.FlagChange]) -> None:
        """List the flags of the open study that only one of the two has."""
        self.flags.setVisible(True)
        self.flags.set_changes(study, changes, self._classes)

    def say(self, sentence: str) -> None:
        """Say what is being done, or why there are no figures."""
        show_text(self._sentence, sentence)


class ModelComparing(Part):
    """Works in a thread; the newest request wins."""

    def __init__(self, workspace: Workspace, owner: Part, scorer: Scorer) -> None:
        super().__init__(workspace, owner)
        self._scorer = scorer
        self._page: ComparePage | None = None
        self._pair: tuple[Model, Model] | None = None
        self._comparison: ModelComparison | None = None
        self._thread = FunctionThread(self, workspace.guard(self._show), self._failed)

    def compare(self, page: ComparePage, first: Model, second: Model) -> None:
        """Evaluate two models and show the comparison."""
        self._page, self._pair, self._comparison = page, (first, second), None
        page.say(tr("Evaluating both on the labels of the library…"))
        self._thread.request(lambda reporter: compare_models(self._session, first, second, reporter.check))

    def _show(self, found: ModelComparison) -> None:
        self._comparison, reading = found, self._session.reading
        assert self._page is not None
        assert self._pair is not None
        self._page.show_comparison(found)
        changes = changed_flags(self._session, *self._pair)
        if reading is not None and changes is not None:
            seconds = reading.index.video_seconds
            rows = [comparison.FlagChange.of(kind, event, seconds) for kind, event in changes]
            self._page.show_flags(reading.study.name, rows)

    def _failed(self, outcome: Outcome) -> None:
        if self._page is not None:
            self._page.say(tr(str(outcome)))

    def score_missing(self) -> None:
        """Queue the scorings that the comparison needs."""
        result = self._comparison
        if result is None or self._pair is None:
            return
        models = {model.model_id: model for model in self._pair}
        for study_id, model_id in result.unscored:
            study, model = self._session.library.studies.get(study_id), models[model_id]
            if not self._scorer.is_scoring(study, model_id):
                title = tr("scoring {study} with {model}", study=study.name, model=model.title)
                self._scorer.submit_score(study, model, title)
        self._workspace.show_message(
            tr_count(
                "{count} scoring queued; compare again when it is done.",
                "{count} scorings queued; compare again when it is done.",
                len(result.unscored),
            )
        )
