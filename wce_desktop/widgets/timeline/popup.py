"""The popup of the frame under the pointer: number, time, scores and picture.

The names of the tracks beside their lane, each with its shape and its score at the cursor.
"""

import math
from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core import format_frame, format_time, score_text, tr
from wce_desktop.core.annotation import regions
from wce_desktop.widgets import glyphs, theme
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.timeline.content import Content, Track
from wce_desktop.widgets.timeline.pictures_row import frame_of
from wce_desktop.widgets.timeline.scores_paint import dashed_color
from wce_desktop.widgets.timeline.style import EMPTY, INK, LEFT, QUIET_INK, small_font

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
