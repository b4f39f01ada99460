"""The names of the tracks beside their lane, each with its shape and its score at the cursor."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtCore import QRect as Rect
from PySide6.QtGui import QFont, QPainter

from wce_desktop.core.score_text import score_text
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.theme import legible
from wce_desktop.widgets.timeline.content import Content, Track
from wce_desktop.widgets.timeline.scores_paint import dashed_color
from wce_desktop.widgets.timeline.style import INK, QUIET_INK, small_font

LINE_PX, LEAST_LINE_PX = 15.0, 11.0
SPACE_PX = 8
"""Between a name and its score."""


def score_at(track: Track, frame: int) -> str:
    """The score, or a dash where the frame has none."""
    if not 0 <= frame < len(track.values) or math.isnan(track.values[frame]):
        return "–"
    return score_text(float(track.values[frame]))


def is_flagged(track: Track, frame: int, threshold: float) -> bool:
    """Whether the frame's score reaches the threshold."""
    return track.flags and 0 <= frame < len(track.values) and bool(track.values[frame] >= threshold)


def shown_tracks(content: Content, height_px: int) -> list[Track]:
    """The tracks whose names have room: of too many those that score highest at the cursor."""
    room = max(1, int(height_px / LEAST_LINE_PX))

    def score(track: Track) -> float:
        known = 0 <= content.cursor < len(track.values) and not math.isnan(track.values[content.cursor])
        return float(track.values[content.cursor]) if known else -1.0

    kept = sorted(content.tracks, key=score, reverse=True)[:room]
    return [track for track in content.tracks if track in kept]


def paint_legend(painter: QPainter, area: Rect, content: Content) -> None:
    """One line a track; a score at or above the threshold stands out."""
    tracks = shown_tracks(content, area.height())
    height = min(LINE_PX, area.height() / max(1, len(tracks)))
    font = small_font(painter.font(), min(11, max(7, int(height - 1))))
    strong = QFont(font)
    strong.setBold(True)
    painter.save()
    for at, track in enumerate(tracks):
        line = QRectF(area.left(), area.top() + at * height, area.width(), height)
        flagged = is_flagged(track, content.cursor, content.threshold)
        paint_sign(painter, QPointF(line.left() + 4, line.center().y()), track, content)
        painter.setFont(strong if flagged else font)
        painter.setPen(INK if flagged else QUIET_INK)
        score = score_at(track, content.cursor)
        name = line.adjusted(13, 0, -painter.fontMetrics().horizontalAdvance(score) - SPACE_PX, 0)
        fitting = painter.fontMetrics().elidedText(track.title, Qt.TextElideMode.ElideRight, int(name.width()))
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitting)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, score)
    painter.restore()


def paint_sign(painter: QPainter, at: QPointF, track: Track, content: Content) -> None:
    """The shape of the class, or two dashes."""
    if not track.is_dashed:
        draw_glyph(painter, at, 3.8, content.style(track.name).shape, legible(track.color))
        return
    for left in (-4, 1):
        painter.fillRect(QRectF(at.x() + left, at.y() - 1, 4, 2), dashed_color(legible(track.color)))
