"""Score tracks over each other in one lane: quiet below the threshold, bright and filled above it."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter

from wce_desktop.core.decimation import MinMaxPyramid, column_frames
from wce_desktop.core.language import to_translate
from wce_desktop.widgets.theme import legible
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.events_paint import GLYPH_PX, events_to_draw, join_parts, mark_events, shade_events
from wce_desktop.widgets.timeline.raster import Canvas, fill_columns
from wce_desktop.widgets.timeline.style import GRID, LANE, tint

NOT_SCORED = to_translate("not scored yet: press {score_study} to score")
BEING_SCORED = to_translate("being scored")
MARGIN_PX = 4
"""Free above the score 1 and below the score 0."""
HALF_LINE_PX = 0.6
DASH_PX, GAP_PX, DASHED_HALF_LINE_PX = 6, 3, 1.0
"""Of a dashed line, which lies over the others."""

Floats = NDArray[np.float32]


def dashed_color(color: QColor) -> QColor:
    """A class's colour on a dashed line: lighter, so that it differs from the class's other line."""
    end = 255 if LANE.lightness() < 128 else 0
    mixed = [round(0.45 * part + 0.55 * end) for part in (color.red(), color.green(), color.blue())]
    return QColor(*mixed)


def score_y(area: QRect, score: float) -> float:
    """Where a score in [0, 1] lies in the lane."""
    return area.top() + MARGIN_PX + (1.0 - score) * (area.height() - 2 * MARGIN_PX)


def score_at(area: QRect, y: float) -> float:
    """The score in [0, 1] at a height of the lane, the nearest one outside it."""
    return min(max(1.0 - (y - area.top() - MARGIN_PX) / max(1, area.height() - 2 * MARGIN_PX), 0.0), 1.0)


def step_extremes(pyramid: MinMaxPyramid, window: FrameWindow, columns: int) -> tuple[Floats, Floats]:
    """Minima and maxima (columns, C) of tracks drawn as steps: a frame's first column holds the step up to it too."""
    first, end = column_frames(window.start, window.stop, columns)
    first[1:] -= first[1:] != first[:-1]
    return pyramid.extremes(first, end)


def paint_ground(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Lines at 0, 0.5 and 1, and the events as faint columns, each with its shape at its peak."""
    for score in (0.0, 0.5, 1.0) if content.tracks else ():
        painter.fillRect(QRectF(area.left(), round(score_y(area, score)), area.width(), 1), GRID)
    shade_events(painter, area, window, content)
    axis = FrameAxis(window, area.left(), area.width())
    painter.setClipRect(area)
    join_parts(painter, area.top() + 3 + GLYPH_PX, axis, content.chains, content)
    mark_events(painter, area.top() + 3 + GLYPH_PX, axis, content, events_to_draw(axis, content.events))


def paint_lines(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """All tracks; `area` is the lane."""
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    canvas = Canvas.empty(round(area.width() * ratio), round(area.height() * ratio))
    if content.pyramid is None or not window.length or not canvas.pixels.size:
        return
    scale, offset, half = (np.float32(px * ratio) for px in (area.height() - 2 * MARGIN_PX, MARGIN_PX, HALF_LINE_PX))
    limit = np.float32(offset + (1 - np.float32(content.threshold)) * scale)
    low, high = step_extremes(content.pyramid, window, len(canvas.pixels))
    bottom, top = (np.ascontiguousarray((offset + (1 - np.clip(value, 0, 1)) * scale).T) for value in (low, high))
    flags, is_dashed = (np.array([getattr(track, name) for track in content.tracks]) for name in ("flags", "is_dashed"))
    flagged = np.where((top <= limit) & flags[:, None], top, np.float32(np.nan))
    colors = [legible(track.color) for track in content.tracks]
    for track, color in enumerate(colors):
        fill_columns(canvas, np.rint(flagged[track]), np.rint(limit), tint(color, 0.30))
    top[np.ix_(is_dashed, _gaps(top.shape[1], ratio))] = np.nan
    for track, color in enumerate(colors):
        if not is_dashed[track]:
            fill_columns(canvas, top[track] - half, bottom[track] + half, tint(color, 0.55))
            fill_columns(canvas, flagged[track] - half, np.minimum(bottom[track], limit) + half, color)
    for track in np.flatnonzero(is_dashed).tolist():
        wide = np.float32(DASHED_HALF_LINE_PX * ratio)
        fill_columns(canvas, top[track] - wide, bottom[track] + wide, dashed_color(colors[track]))
    canvas.draw(painter, area.topLeft(), ratio)


def _gaps(columns: int, ratio: float) -> NDArray[np.bool_]:
    """(columns,) True where a dashed line is interrupted; `ratio`: columns of a pixel of the application."""
    return np.arange(columns) % round((DASH_PX + GAP_PX) * ratio) >= round(DASH_PX * ratio)
