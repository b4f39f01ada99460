"""The shapes of classes (colour alone never distinguishes two classes) as paths, icons and stamps."""

import math
from collections.abc import Callable
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtSvg import QSvgRenderer

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.session.places import resource
from wce_desktop.widgets.theme import COLORS, legible


def _polygon(corners: int, inner: float = 1.0) -> QtGui.QPainterPath:
    """A regular polygon in the unit circle; with `inner` < 1 a star with as many points."""
    count = corners if inner == 1.0 else 2 * corners
    points = []
    for at in range(count):
        radius = inner if inner != 1.0 and at % 2 else 1.0
        angle = -math.pi / 2 + 2 * math.pi * at / count
        points.append(QPointF(radius * math.cos(angle), radius * math.sin(angle)))
    path = QtGui.QPainterPath()
    path.addPolygon(QtGui.QPolygonF(points))
    path.closeSubpath()
    return path


@cache
def shape_path(shape: str) -> QtGui.QPainterPath:
    """The outline of a shape of the vocabulary, about as large as the circle of radius 1 around the origin."""
    path = QtGui.QPainterPath()
    match shape:
        case "circle":
            path.addEllipse(QPointF(0, 0), 0.95, 0.95)
        case "square":
            path.addRect(QRectF(-0.85, -0.85, 1.7, 1.7))
        case "bar":
            path.addRect(QRectF(-1, -0.35, 2, 0.7))
        case "plus" | "cross":
            across = QtGui.QPainterPath()
            path.addRect(QRectF(-0.32, -1, 0.64, 2))
            across.addRect(QRectF(-1, -0.32, 2, 0.64))
            return QtGui.QTransform().rotate(0 if shape == "plus" else 45).map(path.united(across))
        case "star":
            return _polygon(5, inner=0.45)
        case _:
            return _polygon({"triangle": 3, "diamond": 4, "pentagon": 5, "hexagon": 6}[shape])
    return path


def draw_glyph(
    painter: QtGui.QPainter, centre: QPointF, radius: float, shape: str, color: QtGui.QColor, *, hollow: bool = False
) -> None:
    """Draw a shape around `centre`; hollow, only its outline."""
    painter.save()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    painter.scale(radius, radius)
    painter.setPen(QtGui.QPen(color, 1.3 / radius) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if hollow else color)
    painter.drawPath(shape_path(shape))
    painter.restore()


STAMP_MARGIN_PX = 1.6


def stamp_drawer(
    painter: QtGui.QPainter, radius: float, shape: str, color: QtGui.QColor, ground: QtGui.QColor, *, hollow: bool
) -> Callable[[float, float], None]:
    """What draws a glyph around the pixel of the device that is nearest to a place (x, y), many times.

    It is painted once for each colour and screen, then copied, with a disc in `ground` below the shape.
    """
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    picture = _stamped(radius, shape, color.rgba(), ground.rgba(), ratio, hollow=hollow)
    half = picture.width() // 2

    def draw(x: float, y: float) -> None:
        painter.drawImage(QPointF((round(x * ratio) - half) / ratio, (round(y * ratio) - half) / ratio), picture)

    return draw


@lru_cache(maxsize=256)
def _stamped(radius: float, shape: str, color: int, ground: int, ratio: float, *, hollow: bool) -> QtGui.QImage:
    half = math.ceil((radius + STAMP_MARGIN_PX + 1) * ratio)
    picture = QtGui.QImage(2 * half, 2 * half, QtGui.QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(0)
    centre = QPointF(half, half) / ratio
    with QtGui.QPainter(picture) as painter:
        draw_glyph(painter, centre, radius + STAMP_MARGIN_PX, "circle", QtGui.QColor.fromRgba(ground))
        draw_glyph(painter, centre, radius, shape, QtGui.QColor.fromRgba(color), hollow=hollow)
    return picture


SCALES = (1.0, 1.5, 2.0, 3.0)


def class_icon(known: ClassName, side_px: int, *, is_on_picture: bool = False) -> QtGui.QIcon:
    """The same for rows of a list; of a selected row too, which Qt would tint."""
    icon = QtGui.QIcon()
    for scale in SCALES:
        for mode in (QtGui.QIcon.Mode.Normal, QtGui.QIcon.Mode.Selected):
            icon.addPixmap(class_pixmap(known, side_px, scale, is_on_picture=is_on_picture), mode)
    return icon


def class_pixmap(known: ClassName, side_px: int, scale: float = 1.0, *, is_on_picture: bool = False) -> QtGui.QPixmap:
    """A square of `side_px` logical pixels, drawn for a screen of this `scale` (device pixels for a logical one).

    The colour is made legible on the window's background, unless it is for the ground of a picture or map.
    """
    color = QtGui.QColor(known.color) if is_on_picture else legible(known.color)
    key = f"class {known.shape} {color.name()} {side_px} {scale}"
    return drawn_once(key, lambda: _draw_class(known.shape, color, side_px, scale))


def drawn_once(key: str, draw: Callable[[], QtGui.QPixmap]) -> QtGui.QPixmap:
    """A pixmap from Qt's cache, or a new one; windows share their icons.

    Args:
        key: names everything that the picture depends on.
    """
    pixmap = QtGui.QPixmap()
    if not QtGui.QPixmapCache.find(key, pixmap):
        pixmap = draw()
        QtGui.QPixmapCache.insert(key, pixmap)
    return pixmap


def _draw_class(shape: str, color: QtGui.QColor, side_px: int, scale: float) -> QtGui.QPixmap:
    pixmap = QtGui.QPixmap(round(side_px * scale), round(side_px * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QtGui.QPainter(pixmap) as painter:
        draw_glyph(painter, QPointF(side_px / 2, side_px / 2), side_px * 0.36, shape, color)
    return pixmap


PLAYER_ICON_PX = 18


def player_icon(name: str) -> QtGui.QIcon:
    """One of `resources/icons/player` in the colours of buttons that can and cannot be pressed, at several scales."""
    icon = QtGui.QIcon()
    for scale in SCALES:
        for mode, color in ((QtGui.QIcon.Mode.Normal, COLORS.text), (QtGui.QIcon.Mode.Disabled, COLORS.disabled)):
            key = f"player {name} {color} {scale}"
            icon.addPixmap(drawn_once(key, partial(_draw_player_icon, name, color, scale)), mode)
    return icon


def _draw_player_icon(name: str, color: str, scale: float) -> QtGui.QPixmap:
    drawing = resource("icons", "player", f"{name}.svg").read_bytes().replace(b"currentColor", color.encode())
    pixmap = QtGui.QPixmap(QSize(PLAYER_ICON_PX, PLAYER_ICON_PX) * scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QtGui.QPainter(pixmap) as painter:
        QSvgRenderer(drawing).render(painter)
    pixmap.setDevicePixelRatio(scale)
    return pixmap


@lru_cache(maxsize=256)
def make_stamp(shape: str, radius: float) -> NDArray[np.float32]:
    """(k, k) float32 in [0, 1], k odd: a shape of the vocabulary of this radius in pixels."""
    middle = int(np.ceil(radius)) + 1
    side = 2 * middle + 1
    image = QtGui.QImage(side, side, QtGui.QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QtGui.QPainter(image) as painter:
        draw_glyph(painter, QPointF(side / 2, side / 2), radius, shape, QtGui.QColor("white"))
    bits = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(side, image.bytesPerLine() // 4, 4)
    return (bits[:, :side, 3] / 255.0).astype(np.float32)
