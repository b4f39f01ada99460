"""Arrays as Qt pictures, and drawing one sharply at any size."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap

from training.errors import UserError
from training.files.outputs import written_beside
from training.texts import Text
from wce_desktop.widgets.theme import COLORS


def frame_picture(frame: NDArray[np.uint8]) -> QImage:
    """A frame (H, W, 3) uint8 RGB as a picture of its own memory, pixel for pixel; may be called in any thread."""
    return _picture(frame, 3, QImage.Format.Format_RGB888, QImage.Format.Format_RGB32)


def layer_picture(rgba: NDArray[np.uint8]) -> QImage:
    """A layer (H, W, 4) uint8 RGBA, straight alpha, as a picture that paints fast."""
    return _picture(rgba, 4, QImage.Format.Format_RGBA8888, QImage.Format.Format_ARGB32_Premultiplied)


def _picture(pixels: NDArray[np.uint8], channels: int, kind: QImage.Format, wanted: QImage.Format) -> QImage:
    height, width, depth = pixels.shape
    if depth != channels or pixels.dtype != np.uint8:
        raise ValueError(f"expected (H, W, {channels}) uint8, got {pixels.shape} {pixels.dtype}")
    rows = np.ascontiguousarray(pixels)
    return QImage(rows.data, width, height, channels * width, kind).convertToFormat(wanted)


def thumbnail_picture(frame: NDArray[np.uint8], side_px: int) -> QImage:
    """A frame (H, W, 3) uint8 RGB, shrunk to fit into `side_px` x `side_px`."""
    return shrunk(frame_picture(frame), side_px)


def shrunk(picture: QImage, side_px: int) -> QImage:
    """A picture, shrunk to fit into `side_px` x `side_px`."""
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return picture.scaled(QSize(side_px, side_px), keep, smooth)


def save_png(picture: QImage, path: Path) -> None:
    """Write a picture to a temporary file and rename it, so that a full disk leaves no partial image.

    Raises:
        UserError: the file cannot be written.
    """
    try:
        with written_beside(path, clean=True) as beside:
            if not picture.save(str(beside), "PNG"):  # type: ignore[call-overload]  # its stub knows no text
                raise OSError(Text("the disk is full or the folder does not exist"))
    except OSError as error:
        reason = error.strerror or error
        raise UserError(
            "The picture {path} cannot be written ({reason}).",
            "Choose another folder, or free some disk space.",
            path,
            reason,
        ) from error


def draw_fitting(painter: QPainter, room: QRect, picture: QImage) -> None:
    """Draw a picture in the middle of a place, as large as it has room there."""
    place = QRect(QPoint(0, 0), picture.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio))
    place.moveCenter(room.center())
    painter.drawImage(place, _shrunk_once(picture, place.size() * painter.device().devicePixelRatioF()))


_shrunk: OrderedDict[tuple[int, int, int], QImage] = OrderedDict()
KEPT_SHRUNK = 256


def _shrunk_once(picture: QImage, size: QSize) -> QImage:
    """A picture in fewer pixels, kept: shrinking takes ten times as long as painting."""
    if size.width() >= picture.width() or size.isEmpty():
        return picture
    key = picture.cacheKey(), size.width(), size.height()
    small = _shrunk.pop(key, None)
    if small is None:
        small = picture.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    _shrunk[key] = small
    if len(_shrunk) > KEPT_SHRUNK:
        _shrunk.popitem(last=False)
    return small


def fitted(picture: QImage | None, side_px: int, empty: str) -> QImage:
    """A picture scaled to fit into a square; a square of the colour `empty` where there is none (yet)."""
    if picture is not None and not picture.isNull():
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        return picture.scaled(side_px, side_px, keep, smooth)
    square = QImage(side_px, side_px, QImage.Format.Format_RGB32)
    square.fill(QColor(empty))
    return square


def picture_icon(picture: QImage) -> QIcon:
    """A small picture for a row of a list, of a selected row too, which Qt would tint."""
    icon, pixmap = QIcon(), QPixmap.fromImage(picture)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(pixmap, mode)
    return icon


SHRUNK_KEPT = 6


class PictureScaler:
    """Enlarges while painting (bilinear: no value outside those of its neighbours); shrinks once and keeps it."""

    def __init__(self) -> None:
        self._shrunk: OrderedDict[tuple[int, int, int], QImage] = OrderedDict()

    def draw(self, painter: QPainter, target: QRectF, picture: QImage, device_pixel_ratio: float) -> None:
        """Draw the whole of `picture` into `target`, whose edges are whole device pixels (see `on_device_pixels`)."""
        width, height = round(target.width() * device_pixel_ratio), round(target.height() * device_pixel_ratio)
        if width * 4 < picture.width() * 3 and width > 0 and height > 0:
            key = (picture.cacheKey(), width, height)
            if key not in self._shrunk:
                ignore, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
                self._shrunk[key] = picture.scaled(width, height, ignore, smooth)
                if len(self._shrunk) > SHRUNK_KEPT:
                    self._shrunk.popitem(last=False)
            picture = self._shrunk[key]
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, picture, QRectF(picture.rect()))


def on_device_pixels(rect: QRectF, ratio: float) -> QRectF:
    """`rect` with its edges moved to whole device pixels, so that nothing is blurred by half a pixel."""
    left, top = round(rect.left() * ratio), round(rect.top() * ratio)
    width, height = max(1, round(rect.width() * ratio)), max(1, round(rect.height() * ratio))
    return QRectF(left / ratio, top / ratio, width / ratio, height / ratio)


GAP_PX = 4


def side_by_side(frame: QImage, draw_over: Callable[[QPainter, QRectF, int], None]) -> QImage:
    """A frame twice in one picture.

    Args:
        frame: of any size.
        draw_over: draws over each of them; given the painter, the place, and 0 for the left one or 1.
    """
    side = max(frame.width(), frame.height())
    picture = QImage(2 * side + GAP_PX, side, QImage.Format.Format_RGB32)
    picture.fill(QColor(COLORS.background))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for at in range(2):
        left, top = (side - frame.width()) // 2 + at * (side + GAP_PX), (side - frame.height()) // 2
        place = QRectF(left, top, frame.width(), frame.height())
        painter.drawImage(place, frame)
        draw_over(painter, place, at)
    painter.end()
    return picture
