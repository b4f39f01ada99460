"""Paints an explanation: the layer, the line around the strongest evidence, and its method."""

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.overlay_layer import Layer, OverlayLayer

_LOWER_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
LINE_PX = 1.4
NOTHING_STANDS_OUT = to_translate("no part stands out")
LINE_COLOR = "#f0e442"  # Okabe and Ito's yellow, which neither the overlay's colours nor tissue has


def paint_layer(
    painter: QPainter, overlay: OverlayLayer, layer: Layer, rect: QRectF, frame: QSizeF, line_px: float = LINE_PX
) -> None:
    """Lay a layer over the frame of `frame` pixels that is painted into `rect`, clipped to the field of view."""
    scale, part = rect.width() / frame.width(), overlay.rect(frame)
    target = QRectF(rect.topLeft() + part.topLeft() * scale, part.size() * scale)
    painter.save()
    painter.setClipPath(shape_on_screen(overlay, rect, frame), Qt.ClipOperation.IntersectClip)
    painter.setOpacity(overlay.opacity)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(target, layer.picture, QRectF(layer.picture.rect()))
    painter.setOpacity(1)
    _paint_lines(painter, layer, target, line_px)
    painter.restore()


def shape_on_screen(overlay: OverlayLayer, rect: QRectF, frame: QSizeF) -> QPainterPath:
    """The outline of the field of view of a frame of `frame` pixels that is painted into `rect`."""
    scale = rect.width() / frame.width()
    return QTransform.fromTranslate(rect.left(), rect.top()).scale(scale, scale).map(overlay.shape(frame))


def _paint_lines(painter: QPainter, layer: Layer, target: QRectF, line_px: float) -> None:
    if not layer.lines:
        return
    to_view = QTransform.fromTranslate(target.left(), target.top()).scale(target.width(), target.height())
    lines = [to_view.map(line) for line in layer.lines]
    for pen in (QPen(QColor(0, 0, 0, 150), 2 * line_px), QPen(QColor(LINE_COLOR), line_px)):
        painter.setPen(pen)
        painter.drawLines(lines)


def paint_words(
    painter: QPainter,
    overlay: OverlayLayer,
    layer: Layer | None,
    rect: QRectF,
    cell: QRectF,
    frame: QSizeF,
    score: str,
    *,
    is_small: bool = False,
) -> None:
    """Say, in the lower left corner, the score, the method and the model; or that the frame has no explanation.

    Where nothing is marked, words never cover tissue: they stand outside the field of view, or not at all.

    Args:
        painter: paints them.
        overlay: what is shown.
        layer: of this frame.
        rect: where the frame lies.
        cell: the room that it has.
        frame: its size in its own pixels.
        score: of the explained class, in words.
        is_small: whether the frame is one of several, on which there is room for the score at most.
    """
    shape, seen = shape_on_screen(overlay, rect, frame), rect.intersected(cell)
    if overlay.busy_words and layer is None:
        annotate.draw_caption(painter, seen, overlay.busy_words, _LOWER_LEFT)
    elif layer is None:
        annotate.draw_outside(painter, seen, cell, (overlay.missing_words,), shape)
    elif is_small and not overlay.busy_words:
        annotate.draw_outside(painter, seen, cell, (score,), shape)
    elif layer.is_empty and not overlay.busy_words:
        annotate.draw_outside(painter, seen, cell, (score, tr(NOTHING_STANDS_OUT)), shape)
    else:
        said = tr(NOTHING_STANDS_OUT) if layer.is_empty else ""
        words = (score, said, layer.method, layer.model, overlay.busy_words)
        annotate.draw_legend(painter, seen, cell, words, shape)


def paint_original_caption(painter: QPainter, seen: QRectF, cell: QRectF) -> None:
    """Mark the frame without overlay: below it where there is room."""
    area = annotate.area_below(seen) if annotate.has_room_below(seen, cell) else seen
    corner = _LOWER_LEFT if area is seen else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    annotate.draw_caption(painter, area, tr("Frame without overlay"), corner)
