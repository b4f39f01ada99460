"""Small pictures of landmarks and findings above the overview: as many as have room, the most important first."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from wce_desktop.core.annotation import Finding, Landmark
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.timeline import style
from wce_desktop.widgets.timeline.axis import FrameAxis
from wce_desktop.widgets.timeline.content import Content

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
