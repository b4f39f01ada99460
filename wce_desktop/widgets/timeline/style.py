"""What every lane of the timeline shares: measures, colours (the theme sets them), helpers for painting.

A score track is painted as steps, straight into pixels: a bounded time, whatever the scores look like.
"""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

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
BLOOD = QColor("#ff4040")
UNLIKE = QColor("#b06fd8")
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
    metrics = painter.fontMetrics()
    if metrics.horizontalAdvance(text) <= room.width() and metrics.ascent() <= room.height():
        painter.setPen(color)
        painter.drawText(room, LEFT, text)


def sentence(painter: QPainter, area: QRectF, text: str) -> None:
    """Say in the middle of an empty lane why it is empty; `{undo}` is the key of that action."""
    painter.setPen(QUIET_INK)
    fitting = painter.fontMetrics().elidedText(with_keys(text), Qt.TextElideMode.ElideRight, int(area.width()))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, fitting)


Floats = NDArray[np.float32]
Pixels = NDArray[np.uint32]

PAIR = np.uint32(0x00FF00FF)


def draw(pixels: Pixels, painter: QPainter, at: QPoint, device_pixel_ratio: float) -> None:
    """Draw premultiplied ARGB pixels (width, height), pixel by pixel of the device, with the upper left corner at `at`.

    A column's pixels lie side by side in memory, because columns are what is filled; the image is turned here.
    """
    width, height = pixels.shape
    rows = np.ascontiguousarray(pixels.T)
    image = QImage(rows.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(device_pixel_ratio)
    painter.drawImage(at, image)


def premultiplied(color: QColor) -> np.uint32:
    """The colour as one premultiplied ARGB pixel."""
    alpha = color.alphaF()
    red, green, blue = (round(part * alpha) for part in (color.red(), color.green(), color.blue()))
    return np.uint32(color.alpha() << 24 | red << 16 | green << 8 | blue)


def stretch(painter: QPainter, area: QRectF, pixels: NDArray[np.uint32]) -> None:
    """Draw one row of premultiplied pixels over the height of an area."""
    if pixels.size:
        row = QImage(pixels.data, len(pixels), 1, 4 * len(pixels), QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(area, row, QRectF(0, 0, len(pixels), 1))


def fill_columns(canvas: Pixels, top: Floats, bottom: Floats | np.float32, color: QColor) -> None:
    """Fill each column from `top` to `bottom`, (width,) in pixels from above; NaN and `bottom <= top` fill nothing.

    The pixel rows at both ends are blended by how much of them is covered, so that slopes look smooth.
    """
    height = canvas.shape[1]
    shown = np.flatnonzero(bottom > top)
    if not shown.size:
        return
    above = np.clip(top[shown], 0, height)
    below = np.clip(np.broadcast_to(bottom, top.shape)[shown], 0, height)
    first, last = np.ceil(above), np.floor(below)
    pixel = premultiplied(color)
    width = canvas.shape[0]
    begin, end = np.full(width, height, dtype=np.int16), np.zeros(width, dtype=np.int16)
    begin[shown], end[shown] = first, last
    lowest, highest = int(begin.min()), int(end.max())
    within = np.arange(lowest, max(lowest, highest), dtype=np.int16)
    where = (within >= begin[:, None]) & (within < end[:, None])
    np.copyto(canvas[:, lowest : lowest + len(within)], pixel, where=where)
    within_one_row = first > last
    upper = np.where(within_one_row, below, first) - above
    lower = np.where(within_one_row, 0, below - last)
    rows, coverage = np.concatenate((first - 1, last)), np.concatenate((upper, lower))
    _blend(canvas, rows, np.concatenate((shown, shown)), coverage, pixel)


def _blend(canvas: Pixels, rows: Floats, columns: NDArray[np.intp], coverage: Floats, pixel: np.uint32) -> None:
    """Blend single pixels, none of them twice, by their `coverage` in [0, 1]."""
    share = np.rint(coverage * np.float32(256)).astype(np.uint32)
    inside = np.flatnonzero(share)
    at = columns[inside] * canvas.shape[1] + rows[inside].astype(np.intp)
    flat, share = canvas.reshape(-1), share[inside]
    under = flat[at]
    # Two of the four channels at a time, eight bits apart, so that none spills over into the next.
    odd, rest = (pixel >> np.uint32(8)) & PAIR, np.uint32(256) - share
    odd = odd * share + ((under >> np.uint32(8)) & PAIR) * rest
    even = (pixel & PAIR) * share + (under & PAIR) * rest
    flat[at] = (odd & ~PAIR) | ((even >> np.uint32(8)) & PAIR)
