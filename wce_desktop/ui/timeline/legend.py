"""The names of the tracks beside their lane, each with its shape and its score at the cursor."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtCore import QRect as Rect
from PySide6.QtGui import QColor, QFont, QPainter

from wce_desktop.ui.glyphs import draw_glyph
from wce_desktop.ui.timeline.content import Content, Track
from wce_desktop.ui.timeline.style import INK, QUIET_INK, small_font

LINE_PX = 15.0


def score_text(track: Track, frame: int) -> str:
    """The score with two decimals, or a dash where the frame has none."""
    if not 0 <= frame < len(track.values) or math.isnan(track.values[frame]):
        return "–"
    return f"{track.values[frame]:.2f}"


def is_flagged(track: Track, frame: int, threshold: float) -> bool:
    """Whether the frame's score reaches the threshold."""
    return 0 <= frame < len(track.values) and bool(track.values[frame] >= threshold)


def paint_legend(painter: QPainter, area: Rect, content: Content) -> None:
    """One line a track; a score at or above the threshold stands out."""
    height = min(LINE_PX, area.height() / max(1, len(content.tracks)))
    font = small_font(painter.font(), min(11, max(7, int(height - 1))))
    strong = QFont(font)
    strong.setBold(True)
    painter.save()
    for at, track in enumerate(content.tracks):
        line = QRectF(area.left(), area.top() + at * height, area.width(), height)
        flagged = is_flagged(track, content.cursor, content.threshold)
        draw_glyph(
            painter,
            QPointF(line.left() + 4, line.center().y()),
            3.8,
            content.style(track.name).shape,
            QColor(track.color),
        )
        painter.setFont(strong if flagged else font)
        painter.setPen(INK if flagged else QUIET_INK)
        name = line.adjusted(13, 0, -30, 0)
        fitting = painter.fontMetrics().elidedText(track.title, Qt.TextElideMode.ElideRight, int(name.width()))
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitting)
        painter.drawText(
            line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, score_text(track, content.cursor)
        )
    painter.restore()
