"""Arrays as Qt pictures."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage


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
