"""The shapes of categories as coverage of pixels, so that a map can lay down thousands of them at once."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from wce_desktop.widgets.glyphs import draw_glyph


@lru_cache(maxsize=256)
def make_stamp(shape: str, radius: float) -> NDArray[np.float32]:
    """(k, k) float32 in [0, 1], k odd: a shape of the vocabulary of this radius in pixels."""
    middle = int(np.ceil(radius)) + 1
    side = 2 * middle + 1
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    centre = QPointF(side / 2, side / 2)
    draw_glyph(painter, centre, radius, shape, QColor("white"))
    painter.end()
    bits = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(side, image.bytesPerLine() // 4, 4)
    return (bits[:, :side, 3] / 255.0).astype(np.float32)
