"""Card, figures and comparison of models and runs, in tables that can be read, selected and copied."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QTableWidget, QTableWidgetItem, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.models import model_comparison, run_texts
from wce_desktop.features.models.run_texts import Row
from wce_desktop.library import run_files, runs
from wce_desktop.library.run_files import Item, encodes_clips, is_evaluation, read_card, read_report
from wce_desktop.threads.job_texts import for_reader
from wce_desktop.widgets import basic, comparison, comparison_table, plain_text
from wce_desktop.widgets.basic import (
    SidewaysArea,
    in_column,
    make_button,
    make_fold,
    make_heading,
    make_text,
    show_text,
)
from wce_desktop.widgets.theme import COLORS


class PlainTable(QTableWidget):
    """Rows of texts under a header; the first column names the row."""

    def __init__(self, name: str, header: Sequence[str], *, most_rows: int = 0, first_number: int = 0) -> None:
        """An empty table; with `most_rows` it is as high as its rows, up to this number, else as high as possible.

        The columns from `first_number` on hold numbers; 0: none does.
        """
        super().__init__(0, len(header))
        basic.as_row_list(self, name, list(header), range(first_number or len(header), len(header)))
        self._most_rows = most_rows
        self.setWordWrap(True)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(not first_number)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The texts of the rows."""
        return [
            tuple(item.text() if (item := self.item(row, column)) else "" for column in range(self.columnCount()))
            for row in range(self.rowCount())
        ]

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows in place of the ones before."""
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            plain_text.fill_row(self, number, row)
        self.resizeRowsToContents()
        if self._most_rows:
            heights = [self.rowHeight(row) for row in range(min(len(rows), self._most_rows))]
            head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().sizeHint().height()
            self.setFixedHeight(sum(heights) + head + 4)


CHOOSE_ONE = "Choose one model or one run."


class CardPage(QWidget):
    """The card and all settings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: dict[str, str] = {}
        """What the library calls studies and patients, by their ids."""
        self.card = PlainTable(tr("Card"), ("", ""))
        self.settings = PlainTable(tr("Settings"), (tr("Setting"), tr("Value")))
        self.card.horizontalHeader().hide()
        for column in range(2):  # a name stands beside the first line of its text
            title = QTableWidgetItem()
            title.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.card.setHorizontalHeaderItem(column, title)
        self._nothing = basic.make_note()
        self._heads = (basic.make_heading(tr("CARD")), basic.make_heading(tr("SETTINGS")))
        card, settings = self._heads
        basic.in_column(self._nothing, card, (self.card, 1), settings, (self.settings, 1), 0, of=self)

    def show_item(self, item: Item | None) -> None:
        """Show an item's card and settings."""
        contents: tuple[Sequence[Row], Sequence[Row]] = ([], [])
        if item is not None:
            contents = (run_texts.card_rows(run_texts.card_of(item), self.names), run_texts.setting_rows(item))
        for head, table, rows in zip(self._heads, (self.card, self.settings), contents, strict=True):
            table.show_rows(rows)
            table.setVisible(bool(rows))
            head.setVisible(bool(rows))
        nothing = tr("No card and no settings: the folder is incomplete or missing.") if item else tr(CHOOSE_ONE)
        show_text(self._nothing, "" if any(contents) else nothing)


HELD_OUT = (
    "On held-out frames; “at 95 %”: frames with the finding that are flagged when 95 % of the others stay unflagged."
)
POINTS = "The FLAGS panel flags by them where a study is from the same source."
MEANS_HEADER = ("", to_translate("Value"), to_translate("± or interval"))
BUDGET_HEADER = (to_translate("Top reviewed"), to_translate("Findings found"), to_translate("Frames found"))
CROSS_VALIDATED = to_translate(
    "Mean and standard deviation over the folds; each fold was evaluated by a model not trained on its patients."
)
EVALUATED = to_translate(
    "The finished model, evaluated as it is. Patients on whom it was trained are left out, as far as they are known; "
    "intervals are from drawing patients."
)


class FiguresPage(QWidget):
    """Tables of figures, with their warnings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: Path | None = None
        self._what = basic.make_text(COLORS.muted)
        self._warning = basic.make_text(COLORS.warning)
        self.held_out = PlainTable(
            tr("Figures on held-out frames"), _header(run_texts.FIGURE_HEADER), most_rows=12, first_number=1
        )
        self._points_note = basic.make_text(COLORS.muted)
        self.points = PlainTable(tr("Thresholds"), _header(run_texts.POINTS_HEADER), most_rows=12, first_number=2)
        self.means = PlainTable(tr("Figures of the evaluation"), _header(MEANS_HEADER), most_rows=16, first_number=1)
        self.budget = PlainTable(tr("Review budget"), _header(BUDGET_HEADER), most_rows=16, first_number=1)
        tip = tr("Open plots, single findings and guidelines in the browser")
        self.text = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(tr("Table of the experiment"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._open = basic.make_button(tr("Open the whole report"), tip, self._open_report)
        tables = self.held_out, self._points_note, self.points, self.means, self.budget
        left = Qt.AlignmentFlag.AlignLeft
        basic.in_column(self._what, self._warning, *tables, (self.text, 100), (self._open, 0, left), 1, of=self)

    def show_item(self, item: Item | None) -> None:
        """Show the figures of an item."""
        report = read_report(item) if isinstance(item, runs.Run) and item.kind == "evaluate" else {}
        card = read_card(item) if item is not None and not report else {}
        rows, points, means, budget = (
            run_texts.figure_rows(card),
            run_texts.point_rows(card),
            run_texts.report_rows(report),
            run_texts.budget_rows(report),
        )
        tables = self.held_out, self.points, self.means, self.budget
        for table, content in zip(tables, (rows, points, means, budget), strict=True):
            table.show_rows(content)
            table.setVisible(bool(content))
        evaluated = EVALUATED if item is not None and is_evaluation(item) else CROSS_VALIDATED
        self._what.setText(tr(HELD_OUT) if rows else tr(evaluated) if means else _nothing(item))
        sentence = card["operating_points"].get("sentence") if points else ""
        basic.show_text(self._points_note, f"{for_reader(sentence or '')} {tr(POINTS)}" if points else "")
        basic.show_text(self._warning, _warnings(card.get("warning"), report.get("warnings")))
        text = str(item.summary.get("text") or "") if isinstance(item, runs.Run) else ""
        self.text.setPlainText(text)
        self.text.setVisible(bool(text))
        if text:
            self._what.clear()
        self._report = None if item is None else next(iter(sorted(item.folder.glob("*.html"))), None)
        self._open.setVisible(self._report is not None)

    def _open_report(self) -> None:
        if self._report is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._report)))


NO_FIGURES = {
    "evaluate": to_translate("The evaluation was not finished, so there is no report."),
    "pretrain": to_translate(
        "A pretraining run has no figures here. If labels were held out, its kNN accuracy is shown as a curve."
    ),
    "train-reid": to_translate("A re-identification model gives no scores. What it was trained on stands in its card."),
}
NOT_FINISHED = to_translate("The run was not finished, so nothing was evaluated.")


def _header(titles: Sequence[str]) -> list[str]:
    return [tr(title) if title else "" for title in titles]


def _warnings(of_card: object, of_report: object) -> str:
    warnings = [of_card, *(of_report if isinstance(of_report, list) else [])]
    return "\n".join(for_reader(text) for text in warnings if isinstance(text, str) and text)


def _nothing(item: Item | None) -> str:
    """Why there are no figures."""
    if item is None:
        return tr(CHOOSE_ONE)
    if not isinstance(item, runs.Run):
        return tr("The card of this model has no figures on held-out frames. Cross-validate it to get them.")
    if encodes_clips(item):
        return tr("A pretraining of clips has no figures here. It can be used to find a place in another study.")
    return tr(NO_FIGURES.get(item.kind, NOT_FINISHED))


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
        self._settings_head = make_heading(tr("WHAT DIFFERS"))
        self.settings = PlainTable(tr("What differs"), ("", tr("First"), tr("Second")), most_rows=12)
        head, mode = self.settings.horizontalHeader(), QHeaderView.ResizeMode
        head.setSectionResizeMode(mode.Stretch)  # both stay in sight
        head.setSectionResizeMode(0, mode.ResizeToContents)
        self.settings.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.flags = comparison.FlagChangesList()
        self.figures = make_fold(tr("Figures"), self._figures)
        self._texts = self._title, self._verdict, self._sentence, self._warning
        score = (self.score, 0, Qt.AlignmentFlag.AlignLeft)
        fold = (self.figures, 0, Qt.AlignmentFlag.AlignLeft)
        below = self._settings_head, self.settings, (self.flags, 1), 0
        in_column(*self._texts, fold, self._figures, score, *below, of=self)
        self.show_pair(None)

    def show_pair(self, pair: tuple[run_files.Item, run_files.Item] | None) -> None:
        """Show in what the settings and cards of two items differ; figures on the same frames come later."""
        self._title.setText(tr(CHOOSE_TWO))
        self._verdict.setText("")
        parts = self._verdict, self._sentence, self._warning, self.figures, self._figures, self.score, self.flags
        for widget in parts:
            widget.setVisible(False)
        rows = run_texts.differences(*pair) if pair else []
        if pair:
            first, second = (item.title for item in pair)
            self._title.setText(tr("{first} beside {second}", first=first, second=second))
            self.settings.setHorizontalHeaderLabels(["", first, second])
        self.settings.show_rows(rows)
        self.settings.setVisible(bool(rows))
        self._settings_head.setVisible(bool(rows))

    def show_comparison(self, found: model_comparison.ModelComparison) -> None:
        """Show figures on the same frames."""
        self.say(found.sentence)
        self.score.setVisible(bool(found.unscored))
        self.figures.setVisible(bool(found.comparison))
        self._figures.setVisible(bool(found.comparison) and self.figures.isChecked())
        show_text(self._verdict, found.verdict)
        show_text(self._warning, found.comparison.get("warning") or "")
        if found.comparison:
            self.table.show_comparison(found.comparison, self._classes)

    def show_flags(self, study: str, changes: Sequence[comparison.FlagChange]) -> None:
        """List the flags of the open study that only one of the two has."""
        self.flags.setVisible(True)
        self.figures.setChecked(not changes and self.figures.isVisibleTo(self))
        self.flags.set_changes(study, changes, self._classes)

    def say(self, sentence: str) -> None:
        """Say what is being done, or why there are no figures."""
        show_text(self._sentence, sentence)
