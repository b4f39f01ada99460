"""Draws an explanation over a frame: a contour, filled while a key is held, and what it shows in words."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from training.inference.explanation import cells_inside
from training.video import FieldOfView
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.overlay import (
    DEFAULT_LEVEL,
    OVERLAY_SIDE_PX,
    FrameCam,
    evidence_contour,
    overlay_rgba,
    strength,
)
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.pictures import layer_picture

CamProvider = Callable[[int], FrameCam | None]
KEPT_LAYERS = 32
DEFAULT_OPACITY = 0.6
PIXEL_CENTRE = QPointF(0.5, 0.5)  # a field of view counts from the middle of the first pixel


@dataclass(frozen=True, slots=True)
class Layer:
    """What is laid over one frame; `contour` is in [0, 1] x [0, 1] of the layer."""

    contour: QPainterPath
    strength: float
    """Of the strongest evidence, in [0, 1]; 0: no part of the frame stands out, and nothing is drawn."""
    method: str
    model: str
    picture: QImage | None = None
    """The filled overlay; None: only the contour is drawn."""

    @property
    def source(self) -> str:
        """Method and model in one line, as they stand in exported pictures."""
        return ", ".join(part for part in (self.method, self.model) if part)


class OverlayLayer:
    """Renders the CAM of a frame. It covers what the model saw: the field of view's square, masked outside."""

    def __init__(self) -> None:
        self.is_visible = False
        self.is_beside = False
        """Whether the frame without overlay is shown beside it."""
        self.opacity = DEFAULT_OPACITY
        self.missing_words = tr("No explanation for this frame")
        """The text in the corner of a frame that has no CAM."""
        self.busy_words = ""
        """What is being computed for the frame on screen, how long still, and how to end it; "" for nothing."""
        self._provider: CamProvider | None = None
        self.contour_level = DEFAULT_LEVEL
        """Share of the map's own maximum that the contour surrounds, in (0, 1]."""
        self.is_filled = False
        """Whether all evidence is coloured, as strongly as it is, instead of a contour."""
        self.field_of_view: FieldOfView | None = None
        """What CAMs cover; None: the whole frame."""
        self._mask: NDArray[np.bool_] | None = None
        self._kept: OrderedDict[int, Layer | None] = OrderedDict()

    def set_provider(self, provider: CamProvider | None) -> None:
        """Set the provider of CAMs (None without one); the overlay is redrawn."""
        self._provider = provider
        self._kept.clear()

    def set_look(self, level: float, *, is_filled: bool) -> None:
        """Draw a contour around all that reaches this share of the frame's strongest evidence, or fill it."""
        if (level, is_filled) != (self.contour_level, self.is_filled):
            self.contour_level, self.is_filled = level, is_filled
            self._kept.clear()

    def set_field_of_view(self, field_of_view: FieldOfView | None) -> None:
        """Set the field of view that CAMs cover; None: the whole frame."""
        self.field_of_view = field_of_view
        self._mask = inside_of(field_of_view)
        self._kept.clear()

    def forget(self, frame_index: int) -> None:
        """Draw a frame's layer again: a new CAM has arrived."""
        self._kept.pop(frame_index, None)

    def layer(self, frame_index: int) -> Layer | None:
        """The layer of one frame, opaque where the evidence is; None when the frame has no map."""
        if frame_index not in self._kept:
            explained = self._provider(frame_index) if self._provider is not None else None
            self._kept[frame_index] = None if explained is None else self._draw(explained)
            if len(self._kept) > KEPT_LAYERS:
                self._kept.popitem(last=False)
        return self._kept[frame_index]

    def rect(self, frame: QSizeF) -> QRectF:
        """Where the layer lies, in pixels of the frame."""
        if self.field_of_view is None:
            return QRectF(0, 0, frame.width(), frame.height())
        x_min, y_min, side = self.field_of_view.box
        scale = frame.width() / self.field_of_view.width_px
        return QRectF(x_min * scale, y_min * scale, side * scale, side * scale)

    def shape(self, frame: QSizeF) -> QPainterPath:
        """The outline of the field of view, in pixels of the frame: nothing is drawn outside."""
        view, path = self.field_of_view, QPainterPath()
        if view is None or view.kind == "full":
            path.addRect(QRectF(0, 0, frame.width(), frame.height()))
        elif view.kind == "circle":
            path.addEllipse(QPointF(*view.centre) + PIXEL_CENTRE, view.radius, view.radius)
        else:
            path.addPolygon(QPolygonF([QPointF(*corner) + PIXEL_CENTRE for corner in view.polygon]))
            path.closeSubpath()
        if view is None or view.kind == "full":
            return path
        return QTransform.fromScale(frame.width() / view.width_px, frame.height() / view.height_px).map(path)

    def _draw(self, explained: FrameCam) -> Layer:
        picture, shown = None, QPainterPath()
        if self.is_filled:
            scale, floor = explained.full_scale, explained.floor
            picture = layer_picture(overlay_rgba(explained.values, full_scale=scale, floor=floor, mask=self._mask))
        else:
            for line in evidence_contour(explained, self.contour_level, self._mask):
                shown.addPolygon(QPolygonF([QPointF(x, y) for x, y in line.tolist()]))
        return Layer(shown, strength(explained), explained.method, explained.model, picture)


def inside_of(view: FieldOfView | None) -> NDArray[np.bool_] | None:
    """(side, side) bool, False outside the field of view, whose square may reach beyond the frame; None: everywhere."""
    return None if view is None else cells_inside(view, OVERLAY_SIDE_PX, OVERLAY_SIDE_PX)


_LOWER_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
LINE_PX = 1.4
NOTHING_STANDS_OUT = to_translate("no part stands out")
LINE_COLOR = "#9ff5e0"  # light mint, a hue that tissue, blood and bile do not have
HALO_COLOR = "#50062b3a"
HALO_PX = 4.0
BRIGHT = 96
"""Grey value of 255 from which something outside the field of view is text."""
SPECKS = 3
"""So many bright pixels are the edge of the field of view, not text."""
FAINTEST = 0.45
"""Opacity of the contour around the weakest evidence."""


def paint_layer(
    painter: QPainter, overlay: OverlayLayer, layer: Layer, rect: QRectF, frame: QSizeF, line_px: float = LINE_PX
) -> None:
    """Lay a layer over the frame of `frame` pixels that is painted into `rect`, clipped to the field of view."""
    scale, part = rect.width() / frame.width(), overlay.rect(frame)
    target = QRectF(rect.topLeft() + part.topLeft() * scale, part.size() * scale)
    painter.save()
    painter.setClipPath(shape_on_screen(overlay, rect, frame), Qt.ClipOperation.IntersectClip)
    if layer.picture is not None:
        painter.setOpacity(overlay.opacity)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, layer.picture, QRectF(layer.picture.rect()))
    else:
        to_view = QTransform.fromTranslate(target.left(), target.top()).scale(target.width(), target.height())
        painter.setOpacity(min(1.0, FAINTEST + layer.strength))
        paint_contour(painter, to_view.map(layer.contour), line_px)
    painter.restore()


def paint_contour(painter: QPainter, contour: QPainterPath, line_px: float) -> None:
    """Draw a contour whose edge fades out within `HALO_PX` lines; tissue farther from it stays as it is."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, color in ((HALO_PX, HALO_COLOR), (HALO_PX / 2, HALO_COLOR), (1.0, LINE_COLOR)):
        painter.setPen(QPen(QColor(color), width * line_px))
        painter.drawPath(contour)


def shape_on_screen(overlay: OverlayLayer, rect: QRectF, frame: QSizeF) -> QPainterPath:
    """The outline of the field of view of a frame of `frame` pixels that is painted into `rect`."""
    scale = rect.width() / frame.width()
    return QTransform.fromTranslate(rect.left(), rect.top()).scale(scale, scale).map(overlay.shape(frame))


def paint_words(
    painter: QPainter,
    overlay: OverlayLayer,
    layer: Layer | None,
    rect: QRectF,
    cell: QRectF,
    picture: QImage,
    score: str,
    *,
    corners: Sequence[Qt.AlignmentFlag] = (_LOWER_LEFT,),
    is_small: bool = False,
) -> None:
    """Say, in the lower left corner, the score, the method and the model; or that the frame has no explanation.

    Words stand where neither tissue nor text of the recording lies; only the score may cover some, where evidence is
    drawn.

    Args:
        painter: paints them.
        overlay: what is shown.
        layer: of this frame.
        rect: where the frame lies.
        cell: the room that it has.
        picture: the frame.
        score: of the explained class, in words.
        corners: of the frame, where nothing else is written; the first one is preferred.
        is_small: whether the frame is one of several, on which there is room for the score at most.
    """
    seen, busy = rect.intersected(cell), overlay.busy_words
    if busy and layer is None:
        annotate.draw_caption(painter, seen, busy, _LOWER_LEFT)
        return
    empty = tr(NOTHING_STANDS_OUT) if layer is not None and not layer.strength else ""
    words: tuple[str, ...] = (overlay.missing_words,)
    if layer is not None and (busy or not (is_small or empty)):
        words = (score, empty, layer.method, layer.model, busy)
    elif layer is not None:
        words = (score, "" if is_small else empty)
    has_scale = overlay.is_filled and len(words) > 2
    covers = words[:1] if layer is not None and layer.strength else ()
    free = _free_of(overlay, rect, picture)
    annotate.draw_legend(painter, rect, cell, words, free, corners, has_scale=has_scale, covers=covers)


def paint_original_caption(
    painter: QPainter,
    overlay: OverlayLayer,
    rect: QRectF,
    cell: QRectF,
    picture: QImage,
    corners: Sequence[Qt.AlignmentFlag],
) -> None:
    """Mark the frame without overlay, where that hides no text of the recording."""
    words = (tr("Frame without overlay"),)
    free = _free_of(overlay, rect, picture)
    annotate.draw_legend(painter, rect, cell, words, free, corners, has_scale=False, covers=words)


def _free_of(overlay: OverlayLayer, rect: QRectF, picture: QImage) -> Callable[[QRectF, bool], bool]:
    """Whether a plate hides neither text of the recording nor, unless it may, tissue."""
    shape = shape_on_screen(overlay, rect, QSizeF(picture.size()))
    return lambda plate, may_cover: (may_cover or not shape.intersects(plate)) and is_blank(picture, rect, plate, shape)


def is_blank(picture: QImage, rect: QRectF, plate: QRectF, shape: QPainterPath) -> bool:
    """Whether a frame painted into `rect` shows no text below a plate: a clock or a name, outside the field of view."""
    below = QImage(plate.size().toSize().expandedTo(QSize(1, 1)), QImage.Format.Format_Grayscale8)
    below.fill(0)
    with QPainter(below) as painter:
        painter.translate(-plate.topLeft())
        painter.drawImage(rect, picture, QRectF(picture.rect()))
        painter.fillPath(shape, QColor("black"))
    values = np.frombuffer(below.constBits(), np.uint8).reshape(below.height(), below.bytesPerLine())
    return int(np.count_nonzero(values[:, : below.width()] >= BRIGHT)) <= SPECKS
