"""Draws a picture into a rectangle: sharp on any screen, smooth when enlarged, without moiré when shrunk."""

from collections import OrderedDict

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

SHRUNK_KEPT = 6


class PictureScaler:
    """Enlarges while painting (bilinear: no value outside those of its neighbours); shrinks once and keeps it."""

    def __init__(self) -> None:
        self._shrunk: OrderedDict[tuple[int, int, int], QImage] = OrderedDict()

    def draw(self, painter: QPainter, target: QRectF, picture: QImage, device_pixel_ratio: float) -> None:
        """Draw the whole of `picture` into `target`, whose edges are whole device pixels (see `on_device_pixels`)."""
        width, height = round(target.width() * device_pixel_ratio), round(target.height() * device_pixel_ratio)
        if width * 4 < picture.width() * 3 and width > 0 and height > 0:
            picture = self._shrink(picture, QSize(width, height))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, picture, QRectF(picture.rect()))

    def _shrink(self, picture: QImage, size: QSize) -> QImage:
        key = (picture.cacheKey(), size.width(), size.height())
        if key not in self._shrunk:
            ignore, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._shrunk[key] = picture.scaled(size, ignore, smooth)
            if len(self._shrunk) > SHRUNK_KEPT:
                self._shrunk.popitem(last=False)
        return self._shrunk[key]


def on_device_pixels(rect: QRectF, device_pixel_ratio: float) -> QRectF:
    """`rect` with its edges moved to whole device pixels, so that nothing is blurred by half a pixel."""
    left, top = round(rect.left() * device_pixel_ratio), round(rect.top() * device_pixel_ratio)
    width, height = round(rect.width() * device_pixel_ratio), round(rect.height() * device_pixel_ratio)
    return QRectF(
        left / device_pixel_ratio,
        top / device_pixel_ratio,
        max(1, width) / device_pixel_ratio,
        max(1, height) / device_pixel_ratio,
    )
