"""How a row of the list of flags is painted, and what it has in common with other rows."""

from collections.abc import Callable, Sequence

from PySide6 import QtCore
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wce_desktop.core import counted, format_time, score_text, tr
from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.event import Event
from wce_desktop.features.reading.event_model import EVENT_ROLE, Index, answer_words, is_joining
from wce_desktop.session.session import Session
from wce_desktop.widgets import glyphs
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.theme import COLORS, legible

ROW_HEIGHT, THUMBNAIL_SIDE = 58, 48
PARTS_HEIGHT, PART_SIDE, PART_STEP = 54, 38, 46
"""Of the row of small pictures below a suggested finding with several parts."""
ANSWER_PX = 26
"""Width and height of each of the buttons that accept and reject, one above the other at the right of a row."""


def answer_buttons(row: QtCore.QRect) -> tuple[QtCore.QRect, QtCore.QRect]:
    """Where the buttons that accept and reject lie in a row."""
    accept = QtCore.QRect(row.right() - ANSWER_PX - 1, row.top() + 3, ANSWER_PX, ANSWER_PX)
    return accept, accept.translated(0, ANSWER_PX)


def parts_shown(width: int, count: int) -> int:
    """How many parts have a picture in a row of this width in pixels; a number stands for the others."""
    room = max(1, (width - 12) // PART_STEP)
    return count if count <= room else room - 1


def paint_thumbnail(painter: QPainter, rect: QtCore.QRect, image: QImage | None) -> None:
    """A small picture; its place stays dark until the picture has arrived."""
    painter.fillRect(rect, QColor(COLORS.background))
    if image is not None and not image.isNull():
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        draw_fitting(painter, rect, image)


def paint_title(painter: QPainter, rect: QtCore.QRect, name: ClassName, at_right: str) -> None:
    """The first line of a row: the shape and the title of a class, and a short text at the right."""
    glyphs.draw_glyph(painter, QtCore.QPointF(rect.left() + 6, rect.top() + 9), 5, name.shape, legible(name.color))
    painter.save()
    bold = QFont(painter.font())
    bold.setBold(True)
    painter.setFont(bold)
    painter.setPen(QColor(COLORS.text))
    top, left = QtCore.Qt.AlignmentFlag.AlignTop, QtCore.Qt.AlignmentFlag.AlignLeft
    painter.drawText(rect.adjusted(18, 0, -40, 0), top | left, name.shown_title)
    painter.drawText(rect, top | QtCore.Qt.AlignmentFlag.AlignRight, at_right)
    painter.restore()


def _small(painter: QPainter, size_px: int) -> QFont:
    font = QFont(painter.font())
    font.setPixelSize(size_px)
    return font


class EventDelegate(QStyledItemDelegate):
    """Paints one event: thumbnail, class with its shape, highest score, time, length, seen or not, answer; below them
    the parts of a suggested finding that has several.
    """

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session = session
        self._thumbnail = thumbnail

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QtCore.QSize:
        """Every row is equally high."""
        return QtCore.QSize(220, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        event = index.data(EVENT_ROLE)
        reading = self._session.reading
        if event is None or reading is None:
            return
        whole: QtCore.QRect = option.rect
        rect = QtCore.QRect(whole.topLeft(), QtCore.QSize(whole.width(), ROW_HEIGHT))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(whole, QColor(COLORS.selected))
        picture = QtCore.QRect(rect.left() + 6, rect.top() + 5, THUMBNAIL_SIDE, THUMBNAIL_SIDE)
        paint_thumbnail(painter, picture, self._thumbnail(event.peak_frame))
        answer = answer_words(reading, event)
        margin = 3 if answer else 7  # the answer is on a separate line: there is no room beside the others
        text = rect.adjusted(THUMBNAIL_SIDE + 14, margin, -ANSWER_PX - 6, -margin)
        paint_title(painter, text, self._session.vocabulary.of(event.name), score_text(event.peak_score))
        parts = reading.flags.parts_of(event)
        self._paint_second_line(painter, text, parts, event, answer)
        self._paint_buttons(painter, option, index.row(), rect)
        if len(parts) > 1:
            below = QtCore.QRect(whole.left() + 6, rect.bottom(), whole.width() - 12, PARTS_HEIGHT)
            self._paint_parts(painter, below, parts, reading.event_here())
        if is_joining(reading, event):
            self._paint_joining(painter, whole, picture)
        painter.restore()

    def _paint_buttons(self, painter: QPainter, option: QStyleOptionViewItem, row: int, rect: QtCore.QRect) -> None:
        hot = getattr(option.widget, "hot", None)
        is_quiet = not (option.state & QStyle.StateFlag.State_Selected or (hot is not None and hot[0] == row))
        painter.save()
        painter.setOpacity(0.45 if is_quiet else 1.0)  # the row that keys act on stands out
        for is_accept, place in zip((True, False), answer_buttons(rect), strict=True):
            is_hot = hot == (row, is_accept)
            draw_answer(
                painter, QtCore.QRectF(place), is_accept=is_accept, is_hot=is_hot, ink=COLORS.text, hot=COLORS.border
            )
        painter.restore()

    def _paint_joining(self, painter: QPainter, whole: QtCore.QRect, picture: QtCore.QRect) -> None:
        """A frame around the row, and words over its picture."""
        self._paint_frame(painter, whole.adjusted(2, 2, -2, -2), 3)
        below = QtCore.QRect(picture.left(), picture.bottom() - 13, picture.width(), 14)
        painter.fillRect(below, QColor(COLORS.accent))
        painter.setPen(QColor(COLORS.background))
        painter.setFont(_small(painter, 10))
        painter.drawText(below, QtCore.Qt.AlignmentFlag.AlignCenter, tr("to join"))

    def _paint_frame(self, painter: QPainter, rect: QtCore.QRect, width_px: int) -> None:
        painter.setPen(QPen(QColor(COLORS.accent), width_px))
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _paint_second_line(
        self, painter: QPainter, rect: QtCore.QRect, parts: Sequence[Event], event: Event, answer: str
    ) -> None:
        reading = self._session.opened()
        frames = counted(sum(len(part.span) for part in parts), "frame")
        words = f"{format_time(float(reading.index.video_seconds[parts[0].span.start]))}   {frames}"
        if len(parts) > 1 and reading.flags.suggested is not None:
            mean = score_text(reading.flags.suggested.score_of(event))
            words = tr("{count} parts   mean {score}", count=len(parts), score=mean)
        words, answer = (
            painter.fontMetrics().elidedText(text, QtCore.Qt.TextElideMode.ElideRight, rect.width() - 12)
            for text in (words, answer)
        )
        painter.setPen(QColor(COLORS.muted))
        left = QtCore.Qt.AlignmentFlag.AlignLeft
        down = QtCore.Qt.AlignmentFlag.AlignVCenter if answer else QtCore.Qt.AlignmentFlag.AlignBottom
        painter.drawText(rect, left | down, words)
        painter.drawText(rect, left | QtCore.Qt.AlignmentFlag.AlignBottom, answer)
        is_seen = reading.is_event_seen(event)
        painter.setPen(QColor(COLORS.muted if is_seen else COLORS.accent))
        painter.setBrush(QColor(0, 0, 0, 0) if is_seen else QColor(COLORS.accent))
        painter.drawEllipse(QtCore.QPoint(rect.right() - 4, rect.bottom() - 6), 4, 4)

    def _paint_parts(self, painter: QPainter, rect: QtCore.QRect, parts: Sequence[Event], here: Event | None) -> None:
        """Small pictures of the parts with their times; the one on screen has a frame."""
        reading = self._session.opened()
        shown = parts_shown(rect.width() + 12, len(parts))
        painter.setFont(_small(painter, 9))
        for place, part in enumerate(parts[:shown]):
            picture = QtCore.QRect(rect.left() + place * PART_STEP, rect.top(), PART_SIDE, PART_SIDE)
            paint_thumbnail(painter, picture, self._thumbnail(part.peak_frame))
            if answer := reading.answer(part):
                corner = QtCore.QRect(picture.right() - 14, picture.bottom() - 14, 15, 15)
                painter.fillRect(corner, QColor(COLORS.background))
                draw_answer(painter, QtCore.QRectF(corner), is_accept=answer == "accepted", ink=COLORS.text)
            if part == here:
                self._paint_frame(painter, picture, 2)
            painter.setPen(QColor(COLORS.muted))
            time = format_time(float(reading.index.video_seconds[part.span.start]))
            below = QtCore.QRect(picture.left() - 4, picture.bottom() + 1, PART_SIDE + 8, 12)
            painter.drawText(below, QtCore.Qt.AlignmentFlag.AlignCenter, time)
        if shown < len(parts):
            rest = QtCore.QRect(rect.left() + shown * PART_STEP, rect.top(), PART_SIDE, PART_SIDE)
            if here in parts[shown:]:
                self._paint_frame(painter, rest, 2)
            painter.setPen(QColor(COLORS.muted))
            painter.drawText(rest, QtCore.Qt.AlignmentFlag.AlignCenter, f"+{len(parts) - shown}")
