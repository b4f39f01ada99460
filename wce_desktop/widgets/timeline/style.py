"""Measures, colours and small painting helpers that every lane of the timeline shares; the theme sets the colours."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from wce_desktop.core.annotation.landmark import Region
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets.theme import shared_color

LEFT_GUTTER_PX = 164
RIGHT_GUTTER_PX = 46
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft

RULER_PX = 15
LABELS_PX = 18
FINDINGS_PX = 13
SEEN_PX = 4
GAP_PX = 3

CURSOR = shared_color("cursor")
LANE = shared_color("background")
GROUND = shared_color("panel")
GRID = shared_color("grid")
EMPTY = shared_color("empty_lane")
LINE = shared_color("border")
INK = shared_color("text")
QUIET_INK = shared_color("muted")
NOTE_INK = shared_color("warning")
SEEN = shared_color("seen")
NOT_SEEN = shared_color("not_seen")
THRESHOLD = shared_color("threshold")
SCALE_INK = shared_color("scale")
FAST = shared_color("fast")
"""Of frames that were played too fast to count as seen."""
SKIPPED = shared_color("skipped")
"""Of frames that were left out as similar while playing."""

REGION_COLORS = {
    Region.OESOPHAGUS: shared_color("oesophagus"),
    Region.STOMACH: shared_color("stomach"),
    Region.SMALL_BOWEL: shared_color("small_bowel"),
    Region.COLON: shared_color("colon"),
}


def tint(color: QColor, opacity: float) -> QColor:
    """The colour with an opacity in [0, 1]."""
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded


def small_font(base: QFont, pixels: int = 11) -> QFont:
    """The widget's font at a size that suits a lane."""
    font = QFont(base)
    font.setPixelSize(pixels)
    return font


def caption(painter: QPainter, area: QRect, text: str) -> None:
    """Write a lane's name into the gutter left of it, cut with an ellipsis where it is too long."""
    fitting = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.setPen(QUIET_INK)
    painter.drawText(area, LEFT, fitting)


def text_that_fits(painter: QPainter, room: QRectF, text: str, color: QColor) -> None:
    """Write a text at the left, or nothing where there is too little room."""
    if painter.fontMetrics().horizontalAdvance(text) <= room.width():
        painter.setPen(color)
        painter.drawText(room, LEFT, text)


def sentence(painter: QPainter, area: QRectF, text: str) -> None:
    """Say in the middle of an empty lane why it is empty; `{undo}` is the key of that action."""
    painter.setPen(QUIET_INK)
    fitting = painter.fontMetrics().elidedText(with_keys(text), Qt.TextElideMode.ElideRight, int(area.width()))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, fitting)
