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
from wce_desktop.library import Model
from wce_desktop.library.run_files import Item
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import SidewaysArea, in_column, make_button, make_heading, make_text, show_text
from wce_desktop.widgets.comparison import FlagChange, FlagChangesList
from wce_desktop.widgets.comparison_table import ComparisonTable
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
        self.table = ComparisonTable()
        self._figures = SidewaysArea(self.table)
        self.score = make_button(tr("Score them"), tr("Queue the labelled studies not yet scored by both models"))
        self._settings_head = make_heading(tr("SETTINGS THAT DIFFER"))
        self.settings = PlainTable(tr("Settings that differ"), (tr("Setting"), tr("First"), tr("Second")), most_rows=8)
        self.flags = FlagChangesList()
        in_column(
            self._title,
            self._verdict,
            self._sentence,
            self._warning,
            self._figures,
            (self.score, 0, Qt.AlignmentFlag.AlignLeft),
            self._settings_head,
            self.settings,
            (self.flags, 1),
            0,
            of=self,
        )
        self.show_pair(None)

    @property
    def message(self) -> str:
        """The sentences above the table."""
        return " ".join(
            label.text() for label in (self._title, self._verdict, self._sentence, self._warning) if label.text()
        )

    def show_pair(self, pair: tuple[Item, Item] | None) -> None:
        """Show in which settings two items differ; figures come later."""
        self._title.setText(
            tr("{first} beside {second}", first=pair[0].title, second=pair[1].title) if pair else tr(CHOOSE_TWO)
        )
        self._verdict.setText("")
        for widget in (self._verdict, self._sentence, self._warning, self._figures, self.score, self.flags):
            widget.setVisible(False)
        rows = differing_settings(*pair) if pair else []
        if pair:
            self.settings.setHorizontalHeaderLabels([tr("Setting"), pair[0].title, pair[1].title])
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

    def show_flags(self, study: str, changes: Sequence[FlagChange]) -> None:
        """List the flags of the open study that only one of the two has."""
        self.flags.setVisible(True)
        self.flags.set_changes(study, changes, self._classes)

    def say(self, sentence: str) -> None:
        """Say what is being done, or why there are no figures."""
        self._sentence.setText(sentence)
        self._sentence.setVisible(True)


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
                [FlagChange(kind, event, float(seconds[event.peak_frame])) for kind, event in changes],
            )

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
                self._scorer.submit_score(
                    study, model, tr("scoring {study} with {model}", study=study.name, model=model.title)
                )
        self._workspace.show_message(
            tr_count(
                "{count} scoring queued; compare again when it is done.",
                "{count} scorings queued; compare again when it is done.",
                len(result.unscored),
            )
        )
