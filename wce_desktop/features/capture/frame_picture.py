"""The frame on screen as a picture: masked outside the field of view, with what is drawn on it, method and model."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from training.video import FieldOfView
from wce_desktop.core import number_text, to_translate, tr
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.annotation_painter import FrameNotes
from wce_desktop.widgets.player.overlay_layer import Layer, OverlayLayer, paint_layer
from wce_desktop.widgets.player.pictures import layer_picture
from wce_desktop.widgets.player.shape_painter import draw_shapes
from wce_desktop.widgets.theme import ON_PICTURE

LEAST_SIDE_PX = 640
MARGIN_PX = 16
LINE_PX = 22
NOTICE = to_translate("Research use only, not for diagnosis.")


@dataclass(frozen=True)
class ShownPicture:
    """What a picture of the frame on screen holds; it names neither patient nor file.

    Attributes:
        frame: as recorded.
        overlay, layer: the explanation; no layer where none is on screen.
        notes: boxes, shapes and the score of the explained class.
        title: frame and time.
        is_beside: whether the frame without overlay is shown on its left.
        training_note: what must be known of the model's training data, or "".
    """

    frame: QImage
    view: FieldOfView
    overlay: OverlayLayer
    layer: Layer | None
    notes: FrameNotes
    title: str
    is_beside: bool = False
    training_note: str = ""


def frame_picture(seen: ShownPicture) -> QImage:
    """The whole picture, RGB: the frame, the frame alone beside an explained one where it was seen so, and text."""
    size = QSizeF(seen.frame.size())
    scale = max(1, math.ceil(LEAST_SIDE_PX / min(size.width(), size.height())))
    width, height = round(size.width() * scale), round(size.height() * scale)
    count = 2 if seen.is_beside else 1
    lines = _lines(seen)
    whole = (count * (width + MARGIN_PX) + MARGIN_PX, height + 3 * MARGIN_PX + len(lines) * LINE_PX)
    picture = QImage(*whole, QImage.Format.Format_RGB32)
    picture.fill(QColor(ON_PICTURE.background))
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    for at in range(count):
        rect = QRectF(MARGIN_PX + at * (width + MARGIN_PX), MARGIN_PX, width, height)
        _paint_frame(painter, rect, seen, is_alone=at < count - 1)
    _write(painter, QRectF(MARGIN_PX, height + 2 * MARGIN_PX, whole[0] - 2 * MARGIN_PX, LINE_PX), lines)
    painter.end()
    return picture


def _paint_frame(painter: QPainter, rect: QRectF, seen: ShownPicture, *, is_alone: bool) -> None:
    frame = masked(seen.frame, seen.view)
    painter.drawImage(rect, frame, QRectF(frame.rect()))
    if is_alone:
        return
    painter.save()
    painter.setClipRect(rect)
    if seen.layer is not None:
        paint_layer(painter, seen.overlay, seen.layer, rect, QSizeF(frame.size()))
    annotate.draw_outlines(painter, seen.notes.outlines, rect, QSizeF(frame.size()))
    draw_shapes(painter, seen.notes.shapes, rect, QSizeF(frame.size()))
    painter.restore()


def _lines(seen: ShownPicture) -> list[tuple[str, str, int]]:
    """Text, colour and size in px of each line below the frame."""
    layer, level = seen.layer, number_text(seen.overlay.contour_level, ".0%")
    if layer is None:
        return [(seen.title, ON_PICTURE.text, 15), (tr(NOTICE), ON_PICTURE.muted, 13)]
    drawn = tr("Contour at {level} of the frame's strongest evidence.", level=level)
    first = " · ".join(part for part in (seen.title, seen.notes.score_text) if part)
    second = f"{layer.source}. {drawn if layer.strength else tr('No part stands out.')}"
    rows = [(first, ON_PICTURE.text, 15), (second, ON_PICTURE.muted, 13)]
    if seen.training_note:
        rows.append((f"{seen.training_note}.", ON_PICTURE.warning, 13))
    return [*rows, (tr(NOTICE), ON_PICTURE.muted, 13)]


def _write(painter: QPainter, line: QRectF, rows: list[tuple[str, str, int]]) -> None:
    for at, (text, color, size) in enumerate(rows):
        painter.setFont(annotate.text_font(size))
        painter.setPen(QColor(color))
        room = line.translated(0, at * LINE_PX)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


def masked(frame: QImage, view: FieldOfView) -> QImage:
    """A copy of a frame that is black outside the field of view, where clock and patient's name stand."""
    inside = view.mask(frame.height(), frame.width())
    cover = np.zeros((*inside.shape, 4), np.uint8)
    cover[~inside] = (0, 0, 0, 255)
    copy = frame.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(copy)
    painter.drawImage(0, 0, layer_picture(cover))
    painter.end()
    return copy
