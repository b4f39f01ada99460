"""One class's score of the frame on screen as a bar."""

import math

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.theme import BACKGROUND, MUTED


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
        self.setAccessibleDescription("no score" if math.isnan(score) else f"{score:.2f}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shape, the bar and the threshold."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_glyph(painter, QPointF(8, 9), 5, self._shape, self._color)
        track = QRect(22, 6, self.width() - 58, 6)
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
