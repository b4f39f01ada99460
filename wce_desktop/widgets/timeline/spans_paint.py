"""Bars of labels, findings, regions, and of what was seen."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from wce_desktop.core.annotation import ENTRIES, Landmark, Region, regions
from wce_desktop.core.decimation import column_frames, runs
from wce_desktop.core.language import tr
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.timeline import style
from wce_desktop.widgets.timeline.axis import FrameAxis, FrameWindow
from wce_desktop.widgets.timeline.content import Content, SpanTable
from wce_desktop.widgets.timeline.style import premultiplied, stretch

SHORTEST_BAR_PX, SHORTEST_HOLLOW_PX = 3, 5
ROOM_FOR_GLYPH_PX = 11
BLOOD_PX = 4

Mask = NDArray[np.bool_]


def paint_labels(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """One bar a labelled stretch in its class's colour, with its shape; classes that overlap share out the height.

    Where a class is said not to be there, the bar is hollow and hatched.
    """
    rows = list(_rows(area.width(), window, content))
    height = area.height() / max(2, len(rows))
    for at, row in enumerate(rows):
        for name in row:
            bar = QRectF(area.left(), area.top() + at * height, 0, height - 1)
            color = content.color(name)
            painter.setPen(QPen(color, 1))
            painter.setBrush(QBrush(color, Qt.BrushStyle.BDiagPattern))
            hollow = runs(_mask(content.negatives, name, area.width(), window))
            for left, right in zip(*(each.tolist() for each in hollow), strict=True):
                width = max(right - left, SHORTEST_HOLLOW_PX)
                painter.drawRect(QRectF(bar.left() + left + 0.5, bar.top() + 0.5, width - 1, bar.height() - 1))
            mask = _mask(content.labels, name, area.width(), window)
            lefts, rights = runs(mask)
            stretch(
                painter, QRectF(bar.left(), bar.top(), len(mask), bar.height()), _widened(mask) * premultiplied(color)
            )
            for left in lefts[rights - lefts >= ROOM_FOR_GLYPH_PX].tolist() if bar.height() >= 8 else ():
                place = QPointF(bar.left() + left + 6, bar.center().y())
                draw_glyph(painter, place, 3.0, content.style(name).shape, style.LANE)


def _mask(tables: Mapping[str, SpanTable], name: str, columns: int, window: FrameWindow) -> Mask:
    table = tables.get(name)
    return np.zeros(columns, np.bool_) if table is None else table.columns(window.start, window.stop, columns)


def _rows(columns: int, window: FrameWindow, content: Content) -> Iterator[list[str]]:
    """The classes on screen, put into as few rows as hold them without overlap."""
    rows: list[tuple[Mask, list[str]]] = []
    for name in dict.fromkeys((*content.labels, *content.negatives)):
        mask = _mask(content.labels, name, columns, window) | _mask(content.negatives, name, columns, window)
        if not mask.any():
            continue
        for taken, members in rows:
            if not np.any(taken & mask):
                taken |= mask
                members.append(name)
                break
        else:
            rows.append((mask, [name]))
    return (members for _, members in rows)


def _widened(mask: Mask) -> Mask:
    """The columns (C,) of the runs, each of them at least `SHORTEST_BAR_PX` long unless the lane ends before."""
    widened = mask.copy()
    begins = np.flatnonzero(mask & ~np.concatenate(([False], mask[:-1])))
    for shift in range(1, SHORTEST_BAR_PX):
        widened[np.minimum(begins + shift, len(mask) - 1)] = True
    return widened


def paint_findings(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """One outlined bar a finding, with shape and name."""
    axis = FrameAxis(window, area.left(), area.width())
    painter.setFont(style.small_font(painter.font(), 10))
    painter.setClipRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for finding in content.findings:
        left, right = axis.x(finding.span.start), axis.x(finding.span.stop)
        if right < area.left() or left > area.right():
            continue
        bar = QRectF(left, area.top() + 0.5, max(right - left, area.height() - 1), area.height() - 1)
        kind, color = content.style(finding.kind), content.color(finding.kind)
        painter.setPen(QPen(color, 1))
        painter.setBrush(style.tint(color, 0.25))
        painter.drawRoundedRect(bar, 3, 3)
        visible = bar.intersected(QRectF(area))
        draw_glyph(painter, QPointF(visible.left() + 6.5, bar.center().y()), 3.2, kind.shape, color)
        text = ", ".join(filter(None, (kind.shown_title, ENTRIES["size_mm"].words(finding.size_mm))))
        room = visible.adjusted(13, 0, -3, 0)
        style.text_that_fits(painter, room, text, style.INK)
    painter.setClipping(False)


def paint_regions(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """The anatomical regions with their names, each from its landmark on."""
    axis = FrameAxis(window, area.left(), area.width())
    painter.setFont(style.small_font(painter.font(), 10))
    for region, span in regions(content.landmarks, content.frame_count):
        left, right = axis.x(span.start), axis.x(span.stop)
        bar = QRectF(left, area.top(), right - left, area.height()).intersected(QRectF(area))
        if bar.isEmpty():
            continue
        painter.fillRect(bar, style.REGION_COLORS[region])
        if left >= area.left():
            painter.fillRect(QRectF(left, area.top(), 2, area.height()), style.INK)
        style.text_that_fits(painter, bar.adjusted(6, 0, -3, 0), tr(region), style.INK)
    end = next((mark for mark in content.landmarks if mark.region is Region.END), None)
    if end is None:
        return
    x = landmark_x(axis, end)  # a line, and a hatched bar for what is left out
    left_out = QRectF(x, area.top(), area.right() + 1 - x, area.height()).intersected(QRectF(area))
    painter.fillRect(left_out, QBrush(style.LINE, Qt.BrushStyle.BDiagPattern))
    if area.left() <= x <= area.right() + 1:
        painter.fillRect(QRectF(x - 2, area.top(), 2, area.height()), style.INK)
    style.text_that_fits(painter, left_out.adjusted(6, 0, -2, 0), tr("end"), style.QUIET_INK)


def landmark_x(axis: FrameAxis, mark: Landmark) -> float:
    """Where the line of a landmark is drawn: before its frame, that of the end of the examination after its frame."""
    return axis.x(mark.frame_index + (mark.region is Region.END))


def paint_seen(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """A thin bar, light where frames were seen; its lower half coloured where they were played too fast or skipped."""
    if content.seen is None or not len(content.seen) or not window.length:
        return
    whole, half = QRectF(area), area.height() / 2
    _fill_columns(painter, whole, any_in_columns(content.seen, window, area.width()), style.SEEN)
    for flags, color in ((content.only_skipped, style.SKIPPED), (content.only_fast, style.FAST)):
        if flags is not None:
            columns = any_in_columns(flags, window, area.width())
            _fill_columns(painter, whole.adjusted(0, half, 0, 0), columns, color)


def _fill_columns(painter: QPainter, area: QRectF, columns: Mask, color: QColor) -> None:
    for left, right in zip(*runs(columns), strict=True):
        painter.fillRect(QRectF(area.left() + left, area.top(), right - left, area.height()), color)


def paint_passed_over(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """A bar in the warning colour where nobody looked, before the last frame seen; what lies ahead stays dark."""
    if content.seen is None or not content.seen.any() or not window.length:
        return
    is_seen = any_in_columns(content.seen, window, area.width())
    last = len(is_seen) - int(np.argmax(is_seen[::-1]))
    _fill_columns(painter, QRectF(area), ~is_seen[:last], style.NOTE_INK)


def paint_blood(painter: QPainter, area: QRect, window: FrameWindow, content: Content) -> None:
    """Along the upper edge of the tissue colours a red bar, edged in black, where the blood indicator marks frames."""
    if content.blood is None or not content.blood.any() or not window.length:
        return
    marked = any_in_columns(content.blood, window, area.width())
    for left, right in zip(*runs(marked), strict=True):
        bar = QRectF(area.left() + left, area.top(), max(right - left, 2), BLOOD_PX)
        painter.fillRect(bar.adjusted(-1, 0, 1, 1), style.GROUND)
        painter.fillRect(bar, style.BLOOD)


def any_in_columns(flags: Mask, window: FrameWindow, columns: int) -> Mask:
    """(columns,) bool: whether any of a column's frames is flagged; `flags` is (N,) with N >= 1."""
    first, end = column_frames(window.start, window.stop, columns)
    if not columns:
        return np.zeros(0, dtype=np.bool_)
    first = np.clip(first, 0, len(flags) - 1)
    stop = max(min(int(end[-1]), len(flags)), int(first[-1]) + 1)
    return np.asarray(np.maximum.reduceat(flags[:stop], first), dtype=np.bool_)
