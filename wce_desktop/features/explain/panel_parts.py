"""The parts of the EXPLAIN panel: scores by class, what is being computed, suggested boxes."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QRadioButton, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import score_text
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.widgets.basic import JobBar, in_column, in_row, make_button, make_note, set_color
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import COLORS

CAN_START = to_translate("Compute the explanation of the frame on screen")
NOTHING_TO_START = to_translate(
    "There is nothing to compute: the explanation by this method is shown, or no model or study is open"
)


class ScoreBar(QWidget):
    """One class's score of this frame as a bar with the threshold marked."""

    def __init__(self, color: str, shape: str) -> None:
        super().__init__()
        self._color, self._shape = QColor(color), shape
        self._score, self._threshold = math.nan, 0.5
        self.setFixedHeight(18)
        self.setMinimumWidth(96)

    def set_score(self, score: float, threshold: float) -> None:
        """Show a score in [0, 1]; NaN where the frame has none."""
        self._score, self._threshold = score, threshold
        self.setAccessibleDescription(tr("no score") if math.isnan(score) else score_text(score))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shape, the bar and the threshold."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_glyph(painter, QPointF(8, 9), 5, self._shape, self._color)
        track = QRect(22, 6, self.width() - 58, 6)
        painter.fillRect(track, QColor(COLORS.background))
        if not math.isnan(self._score):
            painter.fillRect(
                QRect(track.topLeft(), track.size()).adjusted(0, 0, -int(track.width() * (1 - self._score)), 0),
                self._color,
            )
        painter.setPen(QColor(COLORS.muted))
        at = track.left() + int(track.width() * self._threshold)
        painter.drawLine(at, 3, at, 15)
        text = score_text(self._score)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class ClassRows(QWidget):
    """One row for each class: choose which one the overlay explains, and see its score."""

    chosen = Signal(str)

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._group = QButtonGroup(self)
        self.bars: dict[str, ScoreBar] = {}
        self.buttons: dict[str, QRadioButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def rebuild(self, names: Sequence[str]) -> None:
        """Make one row for each of these classes."""
        for name, bar in self.bars.items():
            self._group.removeButton(self.buttons[name])
            self.buttons[name].deleteLater()
            bar.deleteLater()
        self.bars, self.buttons = {}, {}
        for row, name in enumerate(names):
            self._add(row, name)

    def _add(self, row: int, name: str) -> None:
        entry = self._vocabulary.of(name)
        button = QRadioButton(entry.shown_title)
        button.toggled.connect(lambda is_on: self.chosen.emit(name) if is_on else None)
        self._group.addButton(button)
        bar = ScoreBar(entry.color, entry.shape)
        bar.setAccessibleName(tr("Score for {name}", name=entry.shown_title))
        self._grid.addWidget(button, row, 0)
        self._grid.addWidget(bar, row, 1)
        self.buttons[name], self.bars[name] = button, bar

    def choose(self, name: str | None) -> None:
        """Show which class the overlay explains."""
        if name in self.buttons:
            with QSignalBlocker(self.buttons[name]):
                self.buttons[name].setChecked(True)


SHOWN_AFTER_MILLISECONDS = 300


class WaitingLine(QWidget):
    """A sentence, and while something is computed for longer than 0.3 s a bar with a stop beside it.

    The bar keeps its space while hidden, so that the layout is stable.
    """

    def __init__(self) -> None:
        super().__init__()
        self.text = PlainLabel()
        self.text.setWordWrap(True)
        self.bar = JobBar()
        self.bar.setAccessibleName(tr("Progress of the explanation"))
        self.stop = make_button(tr("Stop"), tr("Stop computing; finished explanations are kept"))
        self.begin = make_button(tr("Explain this frame ({explain_frame})"), tr(CAN_START))
        self._show_later = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._show_later.timeout.connect(lambda: self._show_bar(True))
        for widget in (self.bar, self.stop):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        for button in (self.begin, self.stop):
            button.setStyleSheet("QPushButton { padding: 5px 8px; }")
        row = in_row((self.begin, 1), self.stop)
        in_column(self.text, self.bar, row, of=self, margins=0)
        self._show_bar(False)

    def show_text(self, text: str, *, is_problem: bool = False) -> None:
        """Show this text."""
        self.text.setText(text)
        set_color(self.text, COLORS.warning if is_problem else COLORS.muted)

    def show_busy(self, is_busy: bool) -> None:
        """Show that something is computed, once it takes long enough to notice."""
        if not is_busy:
            self._show_later.stop()
            self._show_bar(False)
        elif self.bar.isHidden() and not self._show_later.isActive():
            self.bar.show_progress(None)
            self._show_later.start()

    def set_can_start(self, is_possible: bool) -> None:
        """Offer to explain the frame, or not."""
        self.begin.setEnabled(is_possible)
        set_tip(self.begin, tr(CAN_START if is_possible else NOTHING_TO_START))

    def _show_bar(self, is_shown: bool) -> None:
        self.bar.setVisible(is_shown)
        self.stop.setVisible(is_shown)


class BoxLine(QWidget):
    """Suggest, accept and reject boxes around what the overlay shows."""

    def __init__(self) -> None:
        super().__init__()
        self.text = make_note()
        self.suggest = make_button(tr("Suggest"), tr("Draw boxes around the strongest evidence ({suggest_boxes})"))
        self.accept = make_button(tr("Accept"), tr("Keep the suggested boxes with your labels ({accept_boxes})"))
        self.reject = make_button(tr("Reject"), tr("Remove the suggested boxes ({reject_boxes})"))
        row = QHBoxLayout()
        row.setSpacing(2)
        for button in (self.suggest, self.accept, self.reject):
            button.setStyleSheet("QPushButton { padding: 5px 5px; }")
            row.addWidget(button, 1)
        in_column(self.text, row, of=self, margins=0)

    def show_boxes(self, suggested: int, kept: int, can_suggest: bool) -> None:
        """Say how many boxes the frame on screen has."""
        self.suggest.setEnabled(can_suggest)
        self.accept.setEnabled(suggested > 0)
        self.reject.setEnabled(suggested > 0)
        if suggested:
            words = tr("Boxes: {count} suggested, drawn dashed", count=suggested)
        elif kept:
            words = tr_count("{count} box on this frame", "{count} boxes on this frame", kept)
        else:
            words = tr("Boxes: none on this frame")
        self.text.setText(words)
