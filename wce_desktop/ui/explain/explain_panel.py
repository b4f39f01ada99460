"""EXPLAIN: what the model says of the frame on screen, class by class, and how the overlay is drawn."""

import math

from PySide6.QtCore import QPointF, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from wce_desktop.app.session import Session
from wce_desktop.ui.glyphs import draw_glyph
from wce_desktop.ui.theme import BACKGROUND, MUTED
from wce_desktop.ui.widgets import make_note, make_slider


class ScoreBar(QWidget):
    """One class's score of this frame as a bar with the threshold marked."""

    def __init__(self, color: str, shape: str) -> None:
        super().__init__()
        self._color, self._shape = QColor(color), shape
        self._score, self._threshold = math.nan, 0.5
        self.setFixedHeight(18)

    def set_score(self, score: float, threshold: float) -> None:
        """Show a score in [0, 1]; NaN where the frame has none."""
        self._score, self._threshold = score, threshold
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shape, the bar and the threshold."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_glyph(painter, QPointF(8, 9), 5, self._shape, self._color)
        track = QRect(22, 6, self.width() - 64, 6)
        painter.fillRect(track, QColor(BACKGROUND))
        if not math.isnan(self._score):
            painter.fillRect(
                QRect(track.topLeft(), track.size()).adjusted(0, 0, -int(track.width() * (1 - self._score)), 0),
                self._color,
            )
        painter.setPen(QColor(MUTED))
        at = track.left() + int(track.width() * self._threshold)
        painter.drawLine(at, 3, at, 15)
        text = "–" if math.isnan(self._score) else f"{self._score:.2f}"
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class ExplainPanel(QWidget):
    """Scores of the frame on screen; the class that the overlay explains; the overlay's opacity."""

    class_chosen = Signal(str)
    overlay_toggled = Signal(bool)
    opacity_changed = Signal(float)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._group = QButtonGroup(self)
        self._bars: dict[str, ScoreBar] = {}
        self._buttons: dict[str, QRadioButton] = {}
        self._rows = QVBoxLayout()
        self._show = QCheckBox("Show why on the frame (C)")
        self._show.toggled.connect(self.overlay_toggled)
        self._opacity = make_slider("Opacity of the overlay", 5, 100)
        self._opacity.valueChanged.connect(lambda value: self.opacity_changed.emit(value / 100))
        self._method = make_note()
        row = QHBoxLayout()
        row.addWidget(QLabel("Opacity"))
        row.addWidget(self._opacity, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(self._show)
        layout.addLayout(row)
        layout.addSpacing(8)
        layout.addLayout(self._rows)
        layout.addSpacing(8)
        layout.addWidget(self._method)
        layout.addStretch(1)

    def set_overlay(self, is_on: bool, opacity: float) -> None:
        """Show whether the overlay is drawn and how strongly."""
        with QSignalBlocker(self._show), QSignalBlocker(self._opacity):
            self._show.setChecked(is_on)
            self._opacity.setValue(round(opacity * 100))

    def rebuild(self, chosen: str | None) -> None:
        """Make one row for each class of the scores."""
        for name, bar in self._bars.items():
            self._group.removeButton(self._buttons[name])
            self._buttons[name].deleteLater()
            bar.deleteLater()
        self._bars, self._buttons = {}, {}
        reading = self._session.reading
        for name in reading.pathology_names if reading else ():
            self._add_row(name)
        self.choose(chosen)
        self._method.setText(self._describe())
        self.refresh()

    def _add_row(self, name: str) -> None:
        known = self._session.vocabulary.of(name)
        button = QRadioButton(known.title)
        button.toggled.connect(lambda is_on, name=name: self.class_chosen.emit(name) if is_on else None)
        self._group.addButton(button)
        bar = ScoreBar(known.color, known.shape)
        bar.setAccessibleName(f"Score for {known.title}")
        self._rows.addWidget(button)
        self._rows.addWidget(bar)
        self._buttons[name], self._bars[name] = button, bar

    def choose(self, name: str | None) -> None:
        """Show which class the overlay explains."""
        if name in self._buttons:
            with QSignalBlocker(self._buttons[name]):
                self._buttons[name].setChecked(True)

    def refresh(self) -> None:
        """Show the scores of the frame on screen."""
        reading = self._session.reading
        if reading is None or reading.scores is None:
            return
        for name, bar in self._bars.items():
            bar.set_score(float(reading.track(name)[reading.frame_index]), reading.threshold)

    def _describe(self) -> str:
        reading, model = self._session.reading, self._session.current_model
        if reading is None or reading.scores is None or model is None:
            return "Nothing to explain: this study has not been scored yet."
        if reading.embeddings is None or reading.embeddings.cams is None:
            return f"{model.title} has no linear classifier over average pooling, so it has no CAM."
        height, width = reading.embeddings.cams.shape[-2:]
        return (
            f"CAM of {model.title}: where the model's evidence for the class lies. The lighter, the stronger; "
            f"the map is coarse, {height} by {width} cells over the whole field of view."
        )
