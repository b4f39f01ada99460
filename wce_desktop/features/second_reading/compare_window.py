"""Two readings of one recording side by side: agreement, and differences to settle one by one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QDialog, QTableWidget, QWidget

from wce_desktop.core import counted, frame_range, number_text, to_translate, tr
from wce_desktop.core.annotation import Finding, Vocabulary
from wce_desktop.core.annotation.agreement import Difference, FrameAgreement
from wce_desktop.core.study import Study
from wce_desktop.features.second_reading.comparing import MOST_DIFFERENCES, ReadingComparison
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import basic, by_hand, inputs, key_texts, plain_text, window_size

FRAMES_HEADER = (
    to_translate("Class"),
    to_translate("Both"),
    to_translate("Only first"),
    to_translate("Only second"),
    to_translate("Both say no"),
    to_translate("Kappa"),
)
LIST_HEADER = (to_translate("What"), to_translate("Frames"), to_translate("Entered by"))
Row = Difference | Finding
NO_KAPPA = to_translate("not defined")
TAKE_TIP = to_translate("Change the first reading to what the second reader entered (T)")
KEEP_TIP = to_translate("Leave the first reading as it is, and list this no more (K)")
NO_ROW = to_translate("Choose a difference in the list.")
ONLY_FIRST = to_translate(
    "Only the first reader has this finding: there is nothing to take. Remove it in the main window to agree."
)
ONLY_TAKEN = to_translate("Only the second reader has this finding: take it (T), or leave it.")


class CompareWindow(QDialog):
    """Does not block the main window; asks for everything by signals."""

    second_chosen = Signal(object)  # Study
    frame_requested = Signal(int)
    take_requested = Signal(object)  # Difference, or Finding of the second reader
    keep_requested = Signal(object)  # Difference

    def __init__(self, vocabulary: Callable[[], Vocabulary], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Compare two readings"))
        window_size.fit_to_screen(self, 820, 620)
        self._vocabulary = vocabulary
        self._rows: list[Row] = []
        self._remark = ""
        self._theirs: Sequence[Finding] = ()
        self.choice = inputs.ComboBox()
        self.choice.setAccessibleName(tr("Second reader"))
        self.choice.activated.connect(lambda row: self.second_chosen.emit(self.choice.itemData(row)))
        self._summary = basic.make_text()
        self.frames = _table(tr("Agreement by class"), FRAMES_HEADER)
        self.list = _table(tr("Differences"), LIST_HEADER)
        key_texts.give_keys(self.list)
        self.list.currentCellChanged.connect(lambda *_: self._refresh_buttons())
        self.list.moved.connect(self._go)
        self.list.clicked.connect(self._go)
        self._is_settling = False
        """A key or button of this window settles the chosen difference."""
        self._note = basic.make_note()
        self.take = basic.make_button(tr("Take the second reader's"), tr(TAKE_TIP))
        self.keep = basic.make_button(tr("Keep the first reader's"), tr(KEEP_TIP))
        self.take.clicked.connect(lambda: self._settle(self.take_requested))
        self.keep.clicked.connect(lambda: self._settle(self.keep_requested))
        for key, button in (("T", self.take), ("K", self.keep)):
            QShortcut(QKeySequence(key), self).activated.connect(button.click)
        basic.in_column(
            basic.in_row(plain_text.PlainLabel(tr("Second reader:")), (self.choice, 1)),
            self._summary,
            basic.make_heading(tr("FRAMES THAT BOTH HAVE SEEN")),
            (self.frames, 2),
            basic.make_heading(tr("DIFFERENCES")),
            (self.list, 3),
            self._note,
            basic.in_row(self.take, self.keep, 1),
            of=self,
        )

    def show_choices(self, readings: Sequence[Study], chosen: Study) -> None:
        """Offer these second readings."""
        self.choice.clear()
        for reading in readings:
            self.choice.addItem(tr("{reader}, {state}", reader=reading.read_by, state=reading.state_text), reading)
        self.choice.setCurrentIndex(list(readings).index(chosen))

    def show_comparison(self, comparison: ReadingComparison) -> None:
        """Show figures and differences; the chosen row stays chosen.

        Where it was settled in this window, the next one is chosen and its frame shown; where it vanished otherwise,
        none is chosen and the place in the video stays.
        """
        self._summary.setText(summary(comparison))
        _fill(self.frames, [self._frame_row(agreement) for agreement in comparison.frames])
        before, at = self.current, self.list.currentRow()
        self._theirs = comparison.findings.only_second
        self._rows = [
            *comparison.open[:MOST_DIFFERENCES],
            *comparison.findings.only_first,
            *comparison.findings.only_second,
        ]
        self._rows.sort(key=lambda row: row.span.start)
        first, second = tr("the first reader"), comparison.second.read_by
        _fill(self.list, [self._row(row, first, second, comparison) for row in self._rows])
        with QSignalBlocker(self.list):
            self.list.setCurrentCell(self._rows.index(before) if before in self._rows else -1, 0)
        if self._is_settling and self._rows and before not in self._rows:
            self.list.setCurrentCell(min(max(at, 0), len(self._rows) - 1), 0)
            self._go(self.list.currentIndex())
        self._remark = _note(comparison)
        self._refresh_buttons()

    def _title(self, name: str) -> str:
        return self._vocabulary().of(name).shown_title

    def _frame_row(self, agreement: FrameAgreement) -> tuple[str, ...]:
        return (
            self._title(agreement.name),
            number_text(agreement.both),
            only_one_text(agreement.only_first, agreement.denied_by_second),
            only_one_text(agreement.only_second, agreement.denied_by_first),
            number_text(agreement.denied_by_both),
            kappa_text(agreement.kappa),
        )

    def _row(self, row: Row, first: str, second: str, comparison: ReadingComparison) -> tuple[str, ...]:
        frames = frame_range(row.span.start, row.span.stop)
        if isinstance(row, Finding):
            message = tr("Finding: {name}", name=self._title(row.kind))
            return message, frames, second if row in comparison.findings.only_second else first
        who, other = (first, second) if row.side == "first" else (second, first)
        by = tr("{reader}; {other} says no", reader=who, other=other) if row.is_denied else who
        return tr("Label: {name}", name=self._title(row.name)), frames, by

    def _go(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self._rows):
            self.frame_requested.emit(self._rows[index.row()].span.start)

    def _settle(self, requested: SignalInstance) -> None:
        self._is_settling = True
        try:
            requested.emit(self.current)
        finally:
            self._is_settling = False

    @property
    def current(self) -> Row | None:
        """The difference that is chosen."""
        row = self.list.currentRow()
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def show_message(self, sentence: str) -> None:
        """Say what was undone and where, or why nothing was."""
        self._note.setText(sentence)

    def _refresh_buttons(self) -> None:
        row = self.current
        is_label = isinstance(row, Difference)
        is_theirs = isinstance(row, Finding) and row in self._theirs
        self.keep.setEnabled(is_label)
        self.take.setEnabled(is_label or is_theirs)
        why = "" if is_label else tr(NO_ROW if row is None else ONLY_TAKEN if is_theirs else ONLY_FIRST)
        self.take.setToolTip(plain_text.plain(tr(TAKE_TIP) if is_label or is_theirs else why))
        self.keep.setToolTip(plain_text.plain(tr(KEEP_TIP) if is_label else why))
        self._note.setText("\n".join(filter(None, (self._remark, why if row is not None else ""))))


def summary(comparison: ReadingComparison) -> str:
    """How far the findings agree, and how many differences are left."""
    matched = len(comparison.findings.matched)
    agreement = comparison.findings.positive_agreement
    seen = tr("{frames} seen by both.", frames=counted(comparison.seen_by_both, "frame"))
    first, second = len(comparison.findings.only_first), len(comparison.findings.only_second)
    if agreement is None:
        findings = tr("Neither reader has findings.")
    else:
        findings = tr(
            "Findings: {both} of both, {first} of the first reader only, {second} of the second only "
            "(positive agreement {agreement}); kappa of their kinds: {kappa}.",
            both=matched,
            first=first,
            second=second,
            agreement=number_text(agreement, ".2f"),
            kappa=kappa_text(comparison.findings.kind_kappa),
        )
    listed = tr(
        "Listed below: {differences} of labels to settle and {findings} of one reader only; {settled} settled.",
        differences=counted(len(comparison.open), "difference"),
        findings=counted(first + second, "finding"),
        settled=comparison.settled,
    )
    return f"{seen} {findings} {listed}"


def only_one_text(count: int, denied: int) -> str:
    """Frames that one reader labelled, and on how many of them the other said that the class is not there."""
    if not denied:
        return number_text(count)
    return tr("{count} (the other says no: {denied})", count=number_text(count), denied=number_text(denied))


def kappa_text(kappa: float | None) -> str:
    """Cohen's kappa with two digits."""
    return tr(NO_KAPPA) if kappa is None else number_text(kappa, ".2f")


def _note(comparison: ReadingComparison) -> str:
    if comparison.seen_by_both == 0:
        return tr("No frame was seen by both readers, so labels cannot be compared.")
    if len(comparison.open) > MOST_DIFFERENCES:
        return tr(
            "The first {shown} of {count} differences are listed.",
            shown=MOST_DIFFERENCES,
            count=len(comparison.open),
        )
    return tr("Choose a difference to see its first frame. {key} undoes what was settled.", key=key_of("undo"))


def _table(name: str, header: Sequence[str]) -> by_hand.HandTable:
    table = by_hand.HandTable(0, len(header))
    basic.as_row_list(table, name, [tr(title) for title in header])
    table.setShowGrid(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return table


def _fill(table: QTableWidget, rows: Sequence[Sequence[str]]) -> None:
    table.blockSignals(True)
    table.setRowCount(len(rows))
    for number, row in enumerate(rows):
        plain_text.fill_row(table, number, row)
    table.blockSignals(False)
    table.resizeColumnsToContents()  # what is left of the width goes to the first one
    used = sum(table.columnWidth(column) for column in range(table.columnCount()))
    table.setColumnWidth(0, table.columnWidth(0) + max(0, table.viewport().width() - used))
