"""The EXPLAIN panel: scores of the frame on screen by class, settings of the overlay, what is computed, and boxes."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QGridLayout, QRadioButton, QScrollArea, QWidget

from wce_desktop.core import score_text, to_translate, tr, tr_count
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.overlay import DEFAULT_LEVEL
from wce_desktop.features.explain.frame_cams import ExplainMethod, explained_classes
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, glyphs, inputs, key_texts, plain_text
from wce_desktop.widgets.basic import in_column, in_row, make_button
from wce_desktop.widgets.theme import COLORS, legible

CAN_START = to_translate("Compute the explanation of the frame on screen")
NOTHING_TO_START = to_translate(
    "There is nothing to compute: the explanation by this method is shown, or no model or study is open"
)


class ScoreBar(QWidget):
    """One class's score of this frame as a bar with the threshold marked."""

    def __init__(self, color: str, shape: str) -> None:
        super().__init__()
        self._color, self._shape = color, shape
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
        color = legible(self._color)
        glyphs.draw_glyph(painter, QPointF(8, 9), 5, self._shape, color)
        track = QRect(22, 6, self.width() - 68, 6)
        painter.fillRect(track, QColor(COLORS.background))
        if not math.isnan(self._score):
            painter.fillRect(track.adjusted(0, 0, -int(track.width() * (1 - self._score)), 0), color)
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
        self._grid.setContentsMargins(0, 4, 0, 4)
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
        self.text = plain_text.PlainLabel()
        self.text.setWordWrap(True)
        self.bar = basic.JobBar()
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
        in_column(self.text, self.bar, in_row((self.begin, 1), self.stop), of=self, margins=0)
        self._show_bar(False)

    def show_text(self, text: str, *, is_problem: bool = False) -> None:
        """Show this text."""
        self.text.setText(text)
        basic.set_color(self.text, COLORS.warning if is_problem else COLORS.muted)

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
        key_texts.set_tip(self.begin, tr(CAN_START if is_possible else NOTHING_TO_START))

    def _show_bar(self, is_shown: bool) -> None:
        self.bar.setVisible(is_shown)
        self.stop.setVisible(is_shown)


class BoxLine(QWidget):
    """Suggest, accept and reject boxes around what the overlay shows."""

    def __init__(self) -> None:
        super().__init__()
        self.text = basic.make_note()
        self.suggest = make_button(tr("Suggest"), tr("Draw boxes around the strongest evidence ({suggest_boxes})"))
        self.accept = make_button(tr("Accept"), tr("Keep the suggested boxes with your labels ({accept_boxes})"))
        self.reject = make_button(tr("Reject"), tr("Remove the suggested boxes ({reject_boxes})"))
        buttons = self.suggest, self.accept, self.reject
        for button in buttons:
            button.setStyleSheet("QPushButton { padding: 5px 5px; }")
        in_column(self.text, in_row(*((button, 1) for button in buttons), spacing=2), of=self, margins=0)

    def show_boxes(self, suggested: int, kept: int, can_suggest: bool) -> None:
        """Say how many boxes the frame on screen has."""
        self.suggest.setEnabled(can_suggest)
        self.accept.setEnabled(suggested > 0)
        self.reject.setEnabled(suggested > 0)
        words = tr_count("{count} box on this frame", "{count} boxes on this frame", kept)
        if suggested:
            words = tr("Boxes: {count} suggested, drawn dashed", count=suggested)
        self.text.setText(words if suggested or kept else tr("Boxes: none on this frame"))


LINE_RANGE = (10, 95)  # per cent of the frame's strongest evidence


class ExplainPanel(QScrollArea):
    """Scores of the frame on screen; the class, the method and the look of the overlay; what is being computed."""

    def __init__(self, session: Session, score_of: Callable[[int, str], float]) -> None:
        """`score_of` gives the score of a class on a frame, NaN if there is none."""
        super().__init__()
        self._session = session
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows = ClassRows(session.vocabulary)
        self.waiting, self.boxes, self.note = WaitingLine(), BoxLine(), basic.make_note()
        self._score_of = score_of
        self.shows_overlay = QCheckBox()
        key_texts.set_words(self.shows_overlay, tr("Show the overlay on the frame ({toggle_overlay})"))
        self.method = inputs.ComboBox(tr("Method"))
        key_texts.set_tip(self.method, tr("Method of explanation ({next_method})"))
        self.opacity = basic.make_slider(tr("Opacity of the overlay"), 5, 100)
        self.level = basic.make_slider(tr("Level of the contour"), *LINE_RANGE)
        self.level.setToolTip(
            plain_text.plain(tr("Share of the frame's strongest evidence that the contour surrounds"))
        )
        level_words = plain_text.PlainLabel()
        self.level.valueChanged.connect(lambda value: level_words.setText(f"{value} %"))
        self.level.setValue(round(DEFAULT_LEVEL * 100))
        self.beside = QCheckBox()
        key_texts.set_words(self.beside, tr("Plain frame beside it ({side_by_side})"))
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.addWidget(plain_text.PlainLabel(tr("Method")), 0, 0)
        grid.addWidget(self.method, 0, 1, 1, 2)
        grid.addWidget(plain_text.PlainLabel(tr("Opacity")), 1, 0)
        grid.addWidget(self.opacity, 1, 1)
        grid.addWidget(plain_text.PlainLabel(tr("Contour")), 2, 0)
        grid.addWidget(self.level, 2, 1)
        grid.addWidget(level_words, 2, 2)
        above = self.shows_overlay, grid, self.beside
        below = self.rows, self.waiting, self.boxes, self.note, 1
        self.setWidget(basic.as_widget(in_column(*above, *below, margins=10)))

    # How the overlay is drawn

    def set_overlay(self, is_on: bool, opacity: float) -> None:
        """Show whether the overlay is drawn and how strongly."""
        with QSignalBlocker(self.shows_overlay), QSignalBlocker(self.opacity):
            self.shows_overlay.setChecked(is_on)
            self.opacity.setValue(round(opacity * 100))

    def set_methods(self, methods: Sequence[ExplainMethod]) -> None:
        """Offer these methods."""
        basic.fill_box(self.method, ((tr(method.title), method.name) for method in methods))
        for row, method in enumerate(methods):
            self.method.setItemData(row, plain_text.plain(tr(method.tip)), Qt.ItemDataRole.ToolTipRole)

    # Scores of the frame

    def rebuild(self, chosen: str | None) -> None:
        """Make one row for each class that can be explained."""
        self.rows.rebuild(explained_classes(self._session))
        # Tab leads through the new rows where they stand, not after everything else.
        steps: list[QWidget] = [self.beside, *self.rows.buttons.values(), self.waiting.begin, self.waiting.stop]
        for before, after in pairwise(steps):
            QWidget.setTabOrder(before, after)
        self.rows.choose(chosen)
        self.refresh()

    def refresh(self) -> None:
        """Show the scores of the frame on screen."""
        reading = self._session.reading
        for name, bar in self.rows.bars.items():
            score = math.nan if reading is None else self._score_of(reading.place.frame_index, name)
            bar.set_score(score, reading.flags.threshold if reading else 0.5)
