"""Two readings of one recording: their agreement, and both pictures of each difference, to settle one by one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Signal, SignalInstance
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QWidget

from wce_desktop.core import counted, frame_range, number_text, to_translate, tr, tr_count
from wce_desktop.core.annotation import Finding, Vocabulary
from wce_desktop.core.annotation.agreement import Difference, FrameAgreement, Side
from wce_desktop.core.study import Study
from wce_desktop.features.second_reading.comparing import MOST_DIFFERENCES, ReadingComparison
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import basic, by_hand, inputs, key_texts, plain_text
from wce_desktop.widgets.frame_tile import FrameTile, tile_size

FRAMES_HEADER = (
    to_translate("Class"),
    to_translate("Both"),
    to_translate("Only first"),
    to_translate("Only second"),
    to_translate("Both say no"),
    to_translate("Kappa"),
)
Row = Difference | Finding
PICTURE_PX, SIDE_PX, BAR_PX = 112, 290, 24
NO_KAPPA = to_translate("not defined")
TAKE_TIP = to_translate("Change the first reading to what the second reader entered (T)")
KEEP_TIP = to_translate("Leave the first reading as it is, and list this no more (K)")
NO_ROW = to_translate("Choose a difference in the list.")
ONLY_FIRST = to_translate(
    "Only the first reader has this finding: there is nothing to take. Remove it in the main window to agree."
)
ONLY_TAKEN = to_translate("Only the second reader has this finding: take it (T), or leave it.")


class ComparePanel(QWidget):
    """Lies below the frame: each difference with both readers' pictures; asks for everything by signals."""

    second_chosen = Signal(object)  # Study
    frame_requested = Signal(int)
    take_requested = Signal(object)  # Difference, or Finding of the second reader
    keep_requested = Signal(object)  # Difference
    left = Signal()

    def __init__(self, vocabulary: Callable[[], Vocabulary]) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._comparison: ReadingComparison | None = None
        self._rows: list[Row] = []
        self._remark = ""
        self.picture: Callable[[Row, ReadingComparison], QImage | None] = lambda *_: None
        """The first reader's picture of a difference beside the second's; None until it is there."""
        self.choice = inputs.ComboBox(tr("Second reader"))
        self.choice.activated.connect(lambda row: self.second_chosen.emit(self.choice.itemData(row)))
        self._summary = basic.make_text()
        self.frames = _table(tr("Agreement by class"), FRAMES_HEADER)
        keys: dict[str, Callable[[], object]] = {
            "T": lambda: self.take.click(), "K": lambda: self.keep.click(), "clear_span": self.left.emit,
        }  # fmt: skip
        self.tiles = by_hand.HandTiles(
            tr("Differences"), self._picture, is_one_row=True, keys=keys, lines=2, pictures=2
        )
        key_texts.give_keys(self.tiles)
        self.tiles.set_picture_px(PICTURE_PX)
        self.tiles.chosen_changed.connect(self._refresh_buttons)
        self.tiles.moved.connect(lambda index: self._go(index.row()))
        self.tiles.clicked.connect(lambda index: self._go(index.row()))
        self._is_settling = False
        """A key or button of this panel settles the chosen difference."""
        self._note = basic.make_note()
        self.take = basic.make_button(tr("Take the second"), tr(TAKE_TIP))
        self.keep = basic.make_button(tr("Keep the first"), tr(KEEP_TIP))
        self.take.clicked.connect(lambda: self._settle(self.take_requested))
        self.keep.clicked.connect(lambda: self._settle(self.keep_requested))
        self._arrange()
        self.hide()

    def _arrange(self) -> None:
        figures = basic.as_widget(basic.in_column(self._summary, (self.frames, 1), margins=0))
        self.figures = basic.make_fold(tr("Figures"), figures)
        self.figures.toggled.connect(lambda is_open: self.tiles.setVisible(not is_open))
        self.figures.setChecked(False)
        close = basic.bar_button("✕", tr("Close the comparison ({clear_span})"))
        close.setAccessibleName(tr("Close the comparison"))
        close.clicked.connect(self.left)
        side = basic.in_column(
            basic.in_row((self.choice, 1), close, margins=0),
            basic.in_row((self.take, 1), (self.keep, 1), margins=0),
            basic.in_row(self.figures, 1, margins=0),
            (self._note, 1),
            margins=0,
        )
        left = basic.as_widget(side)
        left.setFixedWidth(SIDE_PX)
        basic.in_row(left, (self.tiles, 1), (figures, 1), of=self, margins=(8, 4, 8, 4))
        self.setFixedHeight(tile_size(PICTURE_PX, lines=2).height() + BAR_PX)

    def show_choices(self, readings: Sequence[Study], chosen: Study) -> None:
        """Offer these second readings."""
        self.choice.clear()
        for reading in readings:
            self.choice.addItem(tr("{reader}, {state}", reader=reading.read_by, state=reading.state_text), reading)
        self.choice.setCurrentIndex(list(readings).index(chosen))

    def show_comparison(self, comparison: ReadingComparison) -> None:
        """Show figures and differences; the chosen row stays chosen.

        Where it was settled here, the next one is chosen and its frame shown; where it vanished otherwise,
        none is chosen and the place in the video stays.
        """
        self._summary.setText(summary(comparison))
        _fill(self.frames, [self._frame_row(agreement) for agreement in comparison.frames])
        before, at = self.current, self.tiles.currentIndex().row()
        self._rows = [
            *comparison.open[:MOST_DIFFERENCES],
            *comparison.findings.only_first,
            *comparison.findings.only_second,
        ]
        self._rows.sort(key=lambda row: row.span.start)
        self._comparison = comparison
        with QSignalBlocker(self.tiles):
            self.tiles.show_tiles(len(self._rows), self._tile)
            self.tiles.selectionModel().clearCurrentIndex()
            if before in self._rows:
                self.tiles.setCurrentIndex(self.tiles.tiles.index(self._rows.index(before)))
        if self._is_settling and self._rows and before not in self._rows:
            row = min(max(at, 0), len(self._rows) - 1)
            self.tiles.setCurrentIndex(self.tiles.tiles.index(row))
            self._go(row)
        self._remark = _note(comparison)
        self._refresh_buttons()

    def show_pictures(self) -> None:
        """Paint the pictures that have arrived."""
        self.tiles.viewport().update()

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

    def _tile(self, at: int) -> FrameTile:
        """What a difference is about, and who entered it; its picture is asked for by its place in the list."""
        comparison, row = self._comparison, self._rows[at]
        assert comparison is not None, "there are no tiles before a comparison"
        first, second = tr("the first reader"), comparison.second.read_by
        name = row.kind if isinstance(row, Finding) else row.name
        what = tr("Finding: {name}", name=self._title(name)) if isinstance(row, Finding) else self._title(name)
        is_second = side_of(row, comparison) == "second"
        who, other = (second, first) if is_second else (first, second)
        by = who
        if isinstance(row, Difference) and row.is_denied:
            by = tr("{reader}; {other} says no", reader=who, other=other)
        frames = frame_range(row.span.start, row.span.stop)
        title = tr_count("{what} · frame {frames}", "{what} · frames {frames}", len(row.span), what=what, frames=frames)
        sentence = tr("{what}, frames {frames}, entered by {reader}", what=what, frames=frames, reader=by)
        return FrameTile(str(at), frame_of(row), f"{title}\n{by}", sentence)

    def _picture(self, at: str, _: int) -> QImage | None:
        assert self._comparison is not None, "there are no tiles before a comparison"
        return self.picture(self._rows[int(at)], self._comparison)

    def _go(self, at: int) -> None:
        if 0 <= at < len(self._rows):
            self.frame_requested.emit(frame_of(self._rows[at]))

    def _settle(self, requested: SignalInstance) -> None:
        self._is_settling = True
        try:
            requested.emit(self.current)
        finally:
            self._is_settling = False

    @property
    def current(self) -> Row | None:
        """The difference that is chosen."""
        rows = self.tiles.chosen_rows
        return self._rows[rows[0]] if rows else None

    def _refresh_buttons(self) -> None:
        row = self.current
        is_label = isinstance(row, Difference)
        is_theirs = isinstance(row, Finding) and side_of(row, self._comparison) == "second"
        self.keep.setEnabled(is_label)
        self.take.setEnabled(is_label or is_theirs)
        why = "" if is_label else tr(NO_ROW if row is None else ONLY_TAKEN if is_theirs else ONLY_FIRST)
        self.take.setToolTip(plain_text.plain(tr(TAKE_TIP) if is_label or is_theirs else why))
        self.keep.setToolTip(plain_text.plain(tr(KEEP_TIP) if is_label else why))
        self._note.setText("\n".join(filter(None, (self._remark, why if row is not None else ""))))


def side_of(row: Row, comparison: ReadingComparison | None) -> Side:
    """Who has entered what only one reader has."""
    if isinstance(row, Difference):
        return row.side
    return "second" if comparison is not None and row in comparison.findings.only_second else "first"


def frame_of(row: Row) -> int:
    """The frame that shows a difference: the first key frame within a finding, else the first frame."""
    keys = row.key_frames if isinstance(row, Finding) else ()
    return next((frame for frame in keys if frame in row.span), row.span.start)


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
        "Listed: {differences} of labels to settle and {findings} of one reader only; {settled} settled.",
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


def _table(name: str, header: Sequence[str]) -> QTableWidget:
    table = QTableWidget(0, len(header))
    basic.as_row_list(table, name, [tr(title) for title in header])
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
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
