"""Arrays as Qt pictures, and drawing one sharply at any size.

Thumbnails of the open study for whoever paints them, and the thread that reads them.
"""

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF, QSize, Qt, QThread, Signal
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap

from training.errors import UserError
from training.video import FrameIndex, FrameMissing, FrameSource, open_source


def frame_picture(frame: NDArray[np.uint8]) -> QImage:
    """A frame (H, W, 3) uint8 RGB as a picture of its own memory, pixel for pixel; may be called in any thread."""
    height, width, channels = frame.shape
    if channels != 3 or frame.dtype != np.uint8:
        raise ValueError(f"a frame is (H, W, 3) uint8, got {frame.shape} {frame.dtype}")
    rows = np.ascontiguousarray(frame)
    borrowed = QImage(rows.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return borrowed.convertToFormat(QImage.Format.Format_RGB32)


def layer_picture(rgba: NDArray[np.uint8]) -> QImage:
    """A layer (H, W, 4) uint8 RGBA, straight alpha, as a picture that paints fast."""
    height, width, channels = rgba.shape
    if channels != 4 or rgba.dtype != np.uint8:
        raise ValueError(f"a layer is (H, W, 4) uint8, got {rgba.shape} {rgba.dtype}")
    rows = np.ascontiguousarray(rgba)
    borrowed = QImage(rows.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return borrowed.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def thumbnail_picture(frame: NDArray[np.uint8], side_px: int) -> QImage:
    """A frame (H, W, 3) uint8 RGB, shrunk to fit into `side_px` x `side_px`."""
    small = QSize(side_px, side_px)
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return frame_picture(frame).scaled(small, keep, smooth)


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


SIDE_PX = 192
KEPT_THUMBNAILS = 600
WAITING_THUMBNAILS = 96
CACHE_BYTES = 24 * 2**20


class ThumbnailReader(QThread):
    """Small pictures by frame index, from its own source; the newest request is served first, old ones are dropped.

    `thumbnail` answers at once with what it has; what it has not comes later as `thumbnail_ready`. Ask while painting:
    the next paint repeats a dropped request. A frame that does not decode gives a null picture.
    """

    thumbnail_ready = Signal(int, object)
    """Frame index and its QImage, at most `side_px` wide and high, in device pixels."""

    def __init__(self, path: Path, index: FrameIndex, side_px: int = SIDE_PX, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path, self._index, self._side_px = path, index, side_px
        self._kept: OrderedDict[int, QImage] = OrderedDict()
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._changed = threading.Condition()
        self._is_stopping = False

    def thumbnail(self, frame_index: int) -> QImage | None:
        """The thumbnail, if it is there; else None, and it is made."""
        with self._changed:
            if (kept := self._kept.get(frame_index)) is not None:
                self._kept.move_to_end(frame_index)
                return kept
            self._wanted[frame_index] = None
            self._wanted.move_to_end(frame_index)
            if len(self._wanted) > WAITING_THUMBNAILS:
                self._wanted.popitem(last=False)
            self._changed.notify_all()
            return None

    @property
    def has_requests(self) -> bool:
        """True while a thumbnail that was asked for, and not dropped for newer requests, waits."""
        with self._changed:
            return bool(self._wanted)

    def stop(self) -> None:
        """End soon; `finished` follows."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()

    def run(self) -> None:
        """Run the thread; a study that cannot be opened has no thumbnails, the player says why."""
        try:
            source = open_source(self._path, index=self._index, cache_bytes=CACHE_BYTES)
        except UserError:
            return
        with source:
            while (frame_index := self._take()) is not None:
                picture = self._make(source, frame_index)
                with self._changed:
                    self._kept[frame_index] = picture
                    self._wanted.pop(frame_index, None)
                    if len(self._kept) > KEPT_THUMBNAILS:
                        self._kept.popitem(last=False)
                self.thumbnail_ready.emit(frame_index, picture)

    def _take(self) -> int | None:
        with self._changed:
            while not self._wanted and not self._is_stopping:
                self._changed.wait()
            return None if self._is_stopping else self._wanted.popitem(last=True)[0]

    def _make(self, source: FrameSource, frame_index: int) -> QImage:
        try:
            return thumbnail_picture(source.read(frame_index), self._side_px)
        except FrameMissing:
            return QImage()


class Thumbnails(QObject):
    """Holds the reader thread of the open study; ask with `get` while painting, paint again on `arrived`."""

    arrived = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader: ThumbnailReader | None = None

    @property
    def is_busy(self) -> bool:
        """True while something that was asked for has not been made."""
        return self._reader is not None and self._reader.isRunning() and self._reader.has_requests

    def open(self, path: Path, index: FrameIndex) -> None:
        """Serve another study."""
        self.close()
        self._reader = ThumbnailReader(path, index, parent=self)
        self._reader.thumbnail_ready.connect(self._take)
        self._reader.start()

    def close(self) -> None:
        """Stop; returns once the thread has ended."""
        if self._reader is not None:
            self._reader.stop()
            self._reader.wait()
            self._reader.deleteLater()
            self._reader = None

    def get(self, frame_index: int) -> QImage | None:
        """The thumbnail of a frame, or None until it has arrived."""
        return self._reader.thumbnail(frame_index) if self._reader is not None else None

    def _take(self, frame_index: int, _: QImage) -> None:
        self.arrived.emit(frame_index)
