"""The popup of the frame under the pointer: number, time, scores and picture.

The names of the tracks beside their lane, each with its shape and its score at the cursor.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from wce_desktop.core import format_frame, format_time, score_text, tr
from wce_desktop.core.annotation import Finding, Landmark, regions
from wce_desktop.widgets import glyphs, theme
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.timeline import style
from wce_desktop.widgets.timeline.axis import FrameAxis
from wce_desktop.widgets.timeline.content import Content, Track
from wce_desktop.widgets.timeline.scores_paint import dashed_color
from wce_desktop.widgets.timeline.style import EMPTY, INK, LEFT, QUIET_INK, small_font

# Small pictures of landmarks and findings above the overview: as many as have room, the most important first.


Pictures = Callable[[int], QImage | None]
LOW_PX, HIGH_PX = 20, 46
"""Height of the row, in a window that is lower than `HIGH_WINDOW_PX` and in a higher one."""
HIGH_WINDOW_PX = 900
MOST = 200


class Picture(NamedTuple):
    """A frame with its place in the row and the colour of its region or class."""

    frame_index: int
    place: QRect
    color: QColor


def placed(content: Content, axis: FrameAxis, area: QRect) -> list[Picture]:
    """The pictures that fit into a row without overlap: landmarks, then findings by their relevance (P2 first)."""
    side, row = area.height(), list[Picture]()
    last = area.width() - side
    if last < 0:
        return row
    is_taken = np.zeros(last + 1, np.bool_)  # where another picture would overlap
    for frame, entry in _frames(content):
        at = min(max(round(axis.x(frame + 0.5) - area.left() - side / 2), 0), last)
        if not is_taken[at]:
            is_taken[max(at - side, 0) : at + side + 1] = True
            row.append(Picture(frame, QRect(area.left() + at, area.top(), side, side), _color(content, entry)))
            if is_taken.all() or len(row) >= MOST:
                break
    return row


def _frames(content: Content) -> Iterator[tuple[int, Landmark | Finding]]:
    for mark in content.landmarks:
        if 0 <= mark.frame_index < content.frame_count:
            yield mark.frame_index, mark
    for finding in sorted(content.findings, key=lambda finding: finding.relevance, reverse=True):
        yield min(frame_of(finding), content.frame_count - 1), finding


def _color(content: Content, entry: Landmark | Finding) -> QColor:
    if isinstance(entry, Landmark):
        return style.REGION_COLORS.get(entry.region, style.QUIET_INK)
    return content.color(entry.kind)


def frame_of(finding: Finding) -> int:
    """The first key frame, or the middle of the finding."""
    return finding.key_frames[0] if finding.key_frames else (finding.span.start + finding.span.stop - 1) // 2


def paint(painter: QPainter, row: list[Picture], pictures: Pictures, axis: FrameAxis) -> None:
    """Each picture with a border, and a tick below it at its frame; a grey square until the picture has arrived."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for frame, place, color in row:
        inner = place.adjusted(1, 1, -1, -2)
        painter.fillRect(inner, style.EMPTY)
        picture = pictures(frame)
        if picture is not None and not picture.isNull():
            draw_fitting(painter, inner, picture)
        painter.setPen(QPen(color, 1))
        painter.drawRect(place.adjusted(0, 0, -1, -2))
        x = axis.x(frame + 0.5)
        painter.fillRect(QRectF(x - 1, place.bottom() - 1, 2, 2), color)


def at(row: list[Picture], point: QPointF) -> int | None:
    """The frame of the picture at a point."""
    return next((picture.frame_index for picture in row if picture.place.contains(point.toPoint())), None)


LINE_PX, LEAST_LINE_PX = 15.0, 11.0
SPACE_PX = 8
"""Between a name and its score."""


def shown_tracks(content: Content, height_px: int) -> list[Track]:
    """The tracks whose names have room: of too many those that score highest at the cursor."""
    room, at = max(1, int(height_px / LEAST_LINE_PX)), content.cursor
    kept = sorted(content.tracks, key=lambda track: float(np.nan_to_num(track.values[at], nan=-1)), reverse=True)[:room]
    return [track for track in content.tracks if track in kept]


def paint_legend(painter: QtGui.QPainter, area: QtCore.QRect, content: Content) -> None:
    """One line a track; a score at or above the threshold stands out."""
    tracks = shown_tracks(content, area.height())
    height = min(LINE_PX, area.height() / max(1, len(tracks)))
    painter.save()
    painter.setFont(small_font(painter.font(), min(11, max(7, int(height - 1)))))
    for at, track in enumerate(tracks):
        line = QtCore.QRectF(area.left(), area.top() + at * height, area.width(), height)
        paint_track(painter, line, track, content, content.cursor, has_bold=True)
    painter.restore()


def paint_track(
    painter: QtGui.QPainter, line: QtCore.QRectF, track: Track, content: Content, frame: int, *, has_bold: bool = False
) -> None:
    """The shape, the name and the score of a class at a frame, which stands out where it reaches the threshold."""
    score = float(track.values[frame])
    is_flagged = track.flags and score >= content.threshold
    paint_sign(painter, QtCore.QPointF(line.left() + 4, line.center().y()), track, content)
    font = painter.font()
    font.setBold(is_flagged and has_bold)
    painter.setFont(font)
    painter.setPen(INK if is_flagged else QUIET_INK)
    words, metrics = "–" if math.isnan(score) else score_text(score), painter.fontMetrics()
    name = line.adjusted(13, 0, -metrics.horizontalAdvance(words) - SPACE_PX, 0)
    painter.drawText(name, LEFT, metrics.elidedText(track.title, QtCore.Qt.TextElideMode.ElideRight, int(name.width())))
    painter.drawText(line, QtCore.Qt.AlignmentFlag.AlignVCenter | QtCore.Qt.AlignmentFlag.AlignRight, words)


def paint_sign(painter: QtGui.QPainter, at: QtCore.QPointF, track: Track, content: Content) -> None:
    """The shape of the class, or two dashes."""
    if not track.is_dashed:
        glyphs.draw_glyph(painter, at, 3.8, content.style(track.name).shape, theme.legible(track.color))
        return
    for left in (-4, 1):
        painter.fillRect(QtCore.QRectF(at.x() + left, at.y() - 1, 4, 2), dashed_color(theme.legible(track.color)))


ThumbnailProvider = Callable[[int], QtGui.QImage | None]

PICTURE_PX, WIDEST_PX = 152, 320
PADDING_PX = 9
TITLE_PX = 17
SCORE_PX = 15
ABOVE_PX = 14
MOST_LINKS = 3


class FramePopup(QtWidgets.QWidget):
    """A small window beside the pointer that never takes the focus or a click."""

    def __init__(self, content: Content, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent, QtCore.Qt.WindowType.ToolTip | QtCore.Qt.WindowType.FramelessWindowHint)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(small_font(self.font()))
        self._content = content
        self.frame = -1
        """The frame described, -1 for none."""
        self._reach = 0.0
        self._picture: QtGui.QImage | None = None
        self.provider: ThumbnailProvider | None = None
        """Where pictures come from; it answers at once, with None while it has none yet."""

    def describe(self, frame: int, at: QtCore.QPoint, above: int, reach: float = 0.0) -> None:
        """Show a frame beside the global position `at`, with the lower edge above the global height `above`.

        Links within `reach` frames are named.
        """
        self._reach = reach
        if frame != self.frame or self._picture is None:
            self.frame = frame
            self._picture = self.provider(frame) if self.provider is not None else None
        self.resize(self.sizeHint())
        self.move(self._place(at, above))
        self.update()
        self.show()

    def dismiss(self) -> None:
        """Hide the popup."""
        self.frame, self._picture = -1, None
        self.hide()

    def picture_ready(self, frame: int) -> None:
        """The provider has the picture of this frame now."""
        if frame == self.frame and self.provider is not None:
            self._picture = self.provider(frame)
            self.update()

    def lines(self) -> list[str]:
        """The text: frame number and time, its region and labels, then the links near it."""
        seconds = self._content.seconds(self.frame)
        time = "" if seconds is None else f"   {format_time(seconds)}"
        names, denied = (
            [self._content.style(name).shown_title for name, table in tables.items() if table.holds(self.frame)]
            for tables in (self._content.labels, self._content.negatives)
        )
        labels = [tr("label: {names}", names=", ".join(names))] if names else []
        labels += [tr("hatched: not {names}", names=", ".join(denied))] if denied else []
        links = [mark.text for mark in self._content.links if abs(mark.frame_index - self.frame) <= self._reach]
        fast, skipped = (
            [words] if flags is not None and flags[self.frame] else []
            for flags, words in (
                (self._content.only_fast, tr("played too fast to count as seen")),
                (self._content.only_skipped, tr("skipped as similar, not seen")),
            )
        )
        frame = tr("frame {frame}", frame=format_frame(self.frame + 1))
        marks = [mark for mark in self._content.landmarks if mark.frame_index == self.frame]
        findings = (finding for finding in self._content.findings if frame_of(finding) == self.frame)
        named = [tr(mark.region.landmark) for mark in marks]
        named += [tr("finding: {kind}", kind=self._content.style(each.kind).shown_title) for each in findings]
        looks = self._content.frame_words(self.frame)
        spans = regions(self._content.landmarks, self._content.frame_count)
        here = [tr(region) for region, span in spans if span.start <= self.frame < span.stop]
        return [f"{frame}{time}", *here, *looks, *named, *labels, *fast, *skipped, *links[:MOST_LINKS]]

    def sizeHint(self) -> QtCore.QSize:
        """As high as picture, text and scores need."""
        picture = PICTURE_PX + 6 if self.provider is not None else 0
        text = TITLE_PX * len(self.lines()) + SCORE_PX * len(self._content.tracks)
        width = max(PICTURE_PX, *(self.fontMetrics().horizontalAdvance(line) + 2 for line in self.lines()))
        return QtCore.QSize(min(width, WIDEST_PX) + 2 * PADDING_PX, picture + text + 2 * PADDING_PX)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Picture, text, scores."""
        painter = QtGui.QPainter(self)
        painter.setFont(self.font())
        painter.fillRect(self.rect(), QtGui.QColor(theme.COLORS.raised))
        painter.setPen(QtGui.QPen(QtGui.QColor(theme.COLORS.border), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        y = PADDING_PX
        if self.provider is not None:
            area = QtCore.QRect(PADDING_PX, y, PICTURE_PX, PICTURE_PX)
            painter.fillRect(area, EMPTY.darker(140))
            if self._picture is not None and not self._picture.isNull():
                painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
                draw_fitting(painter, area, self._picture)
            y += PICTURE_PX + 6
        for line in self.lines():
            painter.setPen(INK)
            room = QtCore.QRect(PADDING_PX, y, self.width() - 2 * PADDING_PX, TITLE_PX)
            fitting = painter.fontMetrics().elidedText(line, QtCore.Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, QtCore.Qt.AlignmentFlag.AlignVCenter, fitting)
            y += TITLE_PX
        for at, track in enumerate(self._content.tracks):
            row = QtCore.QRectF(PADDING_PX, y + at * SCORE_PX, PICTURE_PX, SCORE_PX)
            paint_track(painter, row, track, self._content, self.frame)

    def _place(self, at: QtCore.QPoint, above: int) -> QtCore.QPoint:
        screen = QtGui.QGuiApplication.screenAt(at) or self.screen()
        free = screen.availableGeometry()
        x = min(max(at.x() - self.width() // 2, free.left()), max(free.left(), free.right() - self.width()))
        y = above - ABOVE_PX - self.height()
        return QtCore.QPoint(x, y if y >= free.top() else at.y() + ABOVE_PX)
