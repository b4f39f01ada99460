"""The frames that were selected on the map or in the grid: a dotted row of white pins over the study."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from wce_desktop.widgets.timeline.axis import FrameAxis
from wce_desktop.widgets.timeline.style import CURSOR

PIN_PX = 5.0
_COLOR = CURSOR


def pin_positions(axis: FrameAxis, selected: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) x of the pins on screen, each pixel once, so that 500,000 frames cost what a screen's width costs.

    Args:
        axis: what is shown.
        selected: (N,) frame indexes in order.
    """
    window = axis.window
    first, last = np.searchsorted(selected, (np.floor(window.start), window.stop))
    shown = selected[first:last] + 0.5
    return np.unique(np.round(axis.left + (shown - window.start) * axis.px_per_frame).astype(np.int64))


def paint_selected(painter: QPainter, axis: FrameAxis, top: float, selected: NDArray[np.int64]) -> None:
    """One pin a pixel that holds selected frames, its point down at `top` + `PIN_PX`."""
    positions = pin_positions(axis, selected)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_COLOR)
    if len(positions) * PIN_PX > axis.width:  # too close for shapes: a line of ticks
        for x in positions.tolist():
            painter.fillRect(QRectF(x, top, 1, PIN_PX), _COLOR)
    else:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x in positions.tolist():
            corners = [QPointF(x - PIN_PX / 2, top), QPointF(x + PIN_PX / 2, top), QPointF(x, top + PIN_PX)]
            painter.drawPolygon(QPolygonF(corners))
    painter.restore()
