"""Two models side by side: on the same labels, in their settings, and in the flags of the open study."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import tr
from wce_desktop.features.models import model_comparison, run_texts
from wce_desktop.features.models.table_pages import PlainTable
from wce_desktop.library import run_files
from wce_desktop.widgets import comparison, comparison_table
from wce_desktop.widgets.basic import SidewaysArea, in_column, make_button, make_heading, make_text, show_text
from wce_desktop.widgets.theme import COLORS

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
        rows = run_texts.differing_settings(*pair) if pair else []
        if pair:
            first, second = (item.title for item in pair)
            self._title.setText(tr("{first} beside {second}", first=first, second=second))
            self.settings.setHorizontalHeaderLabels([tr("Setting"), first, second])
        self.settings.show_rows(rows)
        self.settings.setVisible(bool(rows))
        self._settings_head.setVisible(bool(rows))

    def show_comparison(self, found: model_comparison.ModelComparison) -> None:
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
