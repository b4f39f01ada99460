"""Score tracks over each other in one lane: quiet below the threshold, bright and filled above it.

Events as shaded columns, ticks and shapes: quick also for the thousands that a low threshold gives.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from wce_desktop.core import decimation, event
from wce_desktop.core.language import to_translate
from wce_desktop.widgets import glyphs, theme
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content
from wce_desktop.widgets.timeline.style import GRID, LANE, draw, fill_columns, premultiplied, stretch, tint

Rows = NDArray[np.intp]

GLYPH_PX = 4.4
APART_PX = 10
TICK_PX = 3
BAR_PX = 2
ARC_PX, ARC_DEPTH_PX, LEAST_ARC_PX = 1.6, 16.0, 3.0
"""Of the arcs between the parts of a suggested finding: width, depth, and shortest length that is drawn."""


def shade_events(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Every event as a faint column over the whole height, with a bright bar on top."""
    bars = np.zeros(area.width(), dtype=np.uint32)
    shades = bars.copy()
    for table in content.events.tables:
        covered = decimation.covered_columns(table.starts, table.stops, window.start, window.stop, area.width())
        color = content.color(table.name)
        shades[covered] = premultiplied(tint(color, 0.13))
        # Two pixels wide at least, so that an event of a single frame is not missed.
        bars[covered | np.concatenate((covered[1:], np.zeros(1, dtype=np.bool_)))] = premultiplied(color)
    stretch(painter, QRectF(area), shades)
    stretch(painter, QRectF(area.left(), area.top(), area.width(), BAR_PX), bars)


def tick_events(painter: QPainter, area: QRect, axis: FrameAxis, content: Content, order: Rows) -> None:
    """A short tick at the peaks of these events along the lower edge; where two share a pixel, the first one's."""
    pixels = np.zeros(area.width(), dtype=np.uint32)
    events = content.events
    colors = [(content.color(name), tint(content.color(name), 0.6)) for name in events.class_names]
    packed = np.array([(premultiplied(whole), premultiplied(faint)) for whole, faint in colors], dtype=np.uint32)
    last_first = order[::-1]
    columns = np.rint((events.peak_frames[last_first] + 0.5) * axis.px_per_frame).astype(np.int64)
    if last_first.size:
        shown = packed[events.classes[last_first], content.seen_events[last_first].astype(np.intp)]
        for shift in (-1, 0):
            pixels[np.clip(columns + shift, 0, area.width() - 1)] = shown
    stretch(painter, QRectF(area.left(), area.bottom() + 1 - TICK_PX, area.width(), TICK_PX), pixels)


def mark_events(painter: QPainter, centre_y: float, axis: FrameAxis, content: Content, order: Rows) -> None:
    """A shape at each peak, hollow once it was seen; of those too close to each other the first in `order`."""
    events = content.events
    drawers = [
        [
            glyphs.stamp_drawer(painter, GLYPH_PX, content.style(name).shape, content.color(name), LANE, hollow=hollow)
            for hollow in (False, True)
        ]
        for name in events.class_names
    ]
    offsets = (events.peak_frames[order] + 0.5 - axis.window.start) * axis.px_per_frame
    kinds = events.classes[order].tolist(), content.seen_events[order].tolist()
    taken = bytearray(int(axis.width) + 2 * APART_PX + 1)
    around = bytes([1]) * (2 * APART_PX + 1)
    for offset, kind, is_seen in zip(offsets.tolist(), *kinds, strict=True):
        column = int(offset)
        if not taken[column + APART_PX]:
            taken[column : column + len(around)] = around
            drawers[kind][is_seen](axis.left + offset, centre_y)


def join_parts(painter: QPainter, top: float, axis: FrameAxis, content: Content) -> None:
    """Arcs from part to part of each suggested finding, in the colour of its class."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    window = axis.window
    for parts in content.chains:
        main = max(parts, key=lambda part: part.peak_score)
        painter.setPen(QPen(content.color(main.name), ARC_PX))
        for first, second in pairwise(part.peak_frame for part in parts):
            left, right = axis.x(first + 0.5), axis.x(second + 0.5)
            if second >= window.start and first < window.stop and right - left >= LEAST_ARC_PX:
                path = QPainterPath(QPointF(left, top))
                path.quadTo(
                    QPointF((left + right) / 2, top + 2 * min(ARC_DEPTH_PX, (right - left) / 4)), QPointF(right, top)
                )
                painter.drawPath(path)
    painter.restore()


def events_to_draw(axis: FrameAxis, events: event.EventList) -> Rows:
    """The events whose peak is on screen, highest first, the earlier of equals first; one of those that share a pixel.

    All events are looked at and few are sorted, so that a study with 100,000 events costs a millisecond or two.
    """
    offsets = events.peak_frames + 0.5
    inside = np.flatnonzero((offsets >= axis.window.start) & (offsets < axis.window.stop))
    offsets -= axis.window.start
    offsets *= axis.px_per_frame
    pixels, scores = offsets.take(inside).astype(np.intp), events.peak_scores.take(inside)
    highest = np.full(int(axis.width) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(highest, pixels, scores)
    at_peak = np.flatnonzero(scores == highest.take(pixels))
    _, first = np.unique(pixels[at_peak], return_index=True)
    rows = np.sort(inside[at_peak[first]])
    return np.asarray(rows[np.argsort(-events.peak_scores[rows], kind="stable")])


NOT_SCORED = to_translate("not scored yet: press {score_study} to score")
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


def step_extremes(pyramid: decimation.MinMaxPyramid, window: FrameWindow, columns: int) -> tuple[Floats, Floats]:
    """Minima and maxima (columns, C) of tracks drawn as steps: a frame's first column holds the step up to it too."""
    first, end = decimation.column_frames(window.start, window.stop, columns)
    first[1:] -= first[1:] != first[:-1]
    return pyramid.extremes(first, end)


def paint_ground(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Lines at 0, 0.5 and 1, and the events as faint columns, each with its shape at its peak."""
    for score in (0.0, 0.5, 1.0) if content.tracks else ():
        painter.fillRect(QRectF(area.left(), round(score_y(area, score)), area.width(), 1), GRID)
    shade_events(painter, area, window, content)
    axis = FrameAxis(window, area.left(), area.width())
    painter.setClipRect(area)
    join_parts(painter, area.top() + 3 + GLYPH_PX, axis, content)
    mark_events(painter, area.top() + 3 + GLYPH_PX, axis, content, events_to_draw(axis, content.events))


def paint_lines(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """All tracks; `area` is the lane."""
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    canvas = np.zeros((round(area.width() * ratio), round(area.height() * ratio)), dtype=np.uint32)
    if content.pyramid is None or not window.length or not canvas.size:
        return
    scale, offset, half = (np.float32(px * ratio) for px in (area.height() - 2 * MARGIN_PX, MARGIN_PX, HALF_LINE_PX))
    limit = np.float32(offset + (1 - np.float32(content.threshold)) * scale)
    low, high = step_extremes(content.pyramid, window, len(canvas))
    bottom, top = (np.ascontiguousarray((offset + (1 - np.clip(value, 0, 1)) * scale).T) for value in (low, high))
    flags, is_dashed = (np.array([getattr(track, name) for track in content.tracks]) for name in ("flags", "is_dashed"))
    flagged = np.where((top <= limit) & flags[:, None], top, np.float32(np.nan))
    colors = [theme.legible(track.color) for track in content.tracks]
    for track, color in enumerate(colors):
        fill_columns(canvas, np.rint(flagged[track]), np.rint(limit), tint(color, 0.30))
    at = np.arange(top.shape[1]) % round((DASH_PX + GAP_PX) * ratio)  # a dashed line is interrupted
    top[np.ix_(is_dashed, at >= round(DASH_PX * ratio))] = np.nan
    for track, color in enumerate(colors):
        if not is_dashed[track]:
            fill_columns(canvas, top[track] - half, bottom[track] + half, tint(color, 0.55))
            fill_columns(canvas, flagged[track] - half, np.minimum(bottom[track], limit) + half, color)
    for track in np.flatnonzero(is_dashed).tolist():
        wide = np.float32(DASHED_HALF_LINE_PX * ratio)
        fill_columns(canvas, top[track] - wide, bottom[track] + wide, dashed_color(colors[track]))
    draw(canvas, painter, area.topLeft(), ratio)
