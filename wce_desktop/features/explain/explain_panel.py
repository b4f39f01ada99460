"""The EXPLAIN panel: scores of the frame on screen by class, and settings of the overlay."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QScrollArea, QWidget

from wce_desktop.core.language import tr
from wce_desktop.features.explain.frame_cams import ExplainMethod, explained_classes
from wce_desktop.features.explain.panel_parts import BoxLine, ClassRows, WaitingLine
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import fill_box, in_column, make_note, make_slider, make_text, show_text
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.key_texts import set_tip, set_words
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS

LINE_RANGE = (10, 95)  # per cent of the frame's strongest evidence


class ExplainPanel(QScrollArea):
    """Scores of the frame on screen; the class, the method and the look of the overlay; what is being computed."""

    contour_changed = Signal(bool, float)

    def __init__(self, session: Session, score_of: Callable[[int, str], float]) -> None:
        """`score_of` gives the score of a class on a frame, NaN if there is none."""
        super().__init__()
        self._session = session
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows = ClassRows(session.vocabulary)
        self.waiting = WaitingLine()
        self.boxes = BoxLine()
        self.note = make_note()
        self.training_note = make_text(COLORS.warning)
        self._score_of = score_of
        self._make_controls()
        self._arrange()

    def _make_controls(self) -> None:
        self.shows_overlay = QCheckBox()
        set_words(self.shows_overlay, tr("Show the overlay on the frame ({toggle_overlay})"))
        self.method = ComboBox(tr("Method"))
        set_tip(self.method, tr("Method of explanation ({next_method})"))
        self.opacity = make_slider(tr("Opacity of the overlay"), 5, 100)
        self._line = QCheckBox(tr("Line"))
        set_tip(self._line, tr("Draw a line around the strongest evidence on the frame ({toggle_contour})"))
        self._level = make_slider(tr("Level of the line"), *LINE_RANGE)
        self._level_words = PlainLabel()
        self._line.toggled.connect(self._contour_changed)
        self._level.valueChanged.connect(self._contour_changed)
        self.beside = QCheckBox()
        set_words(self.beside, tr("Plain frame beside it ({side_by_side})"))

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.addWidget(PlainLabel(tr("Method")), 0, 0)
        grid.addWidget(self.method, 0, 1, 1, 2)
        grid.addWidget(PlainLabel(tr("Opacity")), 1, 0)
        grid.addWidget(self.opacity, 1, 1, 1, 2)
        grid.addWidget(self._line, 2, 0)
        grid.addWidget(self._level, 2, 1)
        grid.addWidget(self._level_words, 2, 2)
        page = QWidget()
        column = in_column(self.shows_overlay, grid, self.beside, of=page, margins=10)
        column.addSpacing(4)
        column.addWidget(self.training_note)
        column.addWidget(self.rows)
        column.addSpacing(4)
        column.addWidget(self.waiting)
        column.addWidget(self.boxes)
        column.addWidget(self.note)
        column.addStretch(1)
        self.setWidget(page)

    def _contour_changed(self) -> None:
        self._show_level()
        self.contour_changed.emit(self._line.isChecked(), self._level.value() / 100)

    def _show_level(self) -> None:
        self._level_words.setText(f"{self._level.value()} %")
        self._level.setEnabled(self._line.isChecked())

    # How the overlay is drawn

    def set_overlay(self, is_on: bool, opacity: float) -> None:
        """Show whether the overlay is drawn and how strongly."""
        with QSignalBlocker(self.shows_overlay), QSignalBlocker(self.opacity):
            self.shows_overlay.setChecked(is_on)
            self.opacity.setValue(round(opacity * 100))

    def set_methods(self, methods: Sequence[ExplainMethod]) -> None:
        """Offer these methods."""
        fill_box(self.method, ((tr(method.title), method.name) for method in methods))
        for row, method in enumerate(methods):
            self.method.setItemData(row, plain(tr(method.tip)), Qt.ItemDataRole.ToolTipRole)

    def set_contour(self, is_on: bool, level: float) -> None:
        """Show whether a line is drawn, and around which share of the strongest evidence."""
        with QSignalBlocker(self._line), QSignalBlocker(self._level):
            self._line.setChecked(is_on)
            self._level.setValue(round(level * 100))
        self._show_level()

    # Scores of the frame

    def rebuild(self, chosen: str | None) -> None:
        """Make one row for each class that can be explained."""
        self.rows.rebuild(explained_classes(self._session))
        self._order_tabs()
        show_text(self.training_note, score_note(self._session) if self.rows.bars else "")
        self.rows.choose(chosen)
        self.refresh()

    def _order_tabs(self) -> None:
        """Tab leads through the new rows where they stand, not after everything else."""
        steps: list[QWidget] = [self.beside, *self.rows.buttons.values(), self.waiting.begin, self.waiting.stop]
        for before, after in pairwise(steps):
            QWidget.setTabOrder(before, after)

    def refresh(self) -> None:
        """Show the scores of the frame on screen."""
        reading = self._session.reading
        for name, bar in self.rows.bars.items():
            score = math.nan if reading is None else self._score_of(reading.place.frame_index, name)
            bar.set_score(score, reading.flags.threshold if reading else 0.5)
