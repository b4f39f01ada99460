"""A class's shape in its colour as a small picture, sharp at every scale."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from wce_desktop.core.vocabulary import ClassName
from wce_desktop.widgets.glyphs import draw_glyph

SCALES = (1.0, 1.5, 2.0, 3.0)


def class_icon(known: ClassName, side_px: int) -> QIcon:
    """The same for rows of a list; of a selected row too, which Qt would tint."""
    icon = QIcon()
    for scale in SCALES:
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(class_pixmap(known, side_px, scale), mode)
    return icon


def class_pixmap(known: ClassName, side_px: int, scale: float = 1.0) -> QPixmap:
    """A square of `side_px` logical pixels, drawn for a screen of this `scale` (device pixels for a logical one)."""
    pixmap = QPixmap(round(side_px * scale), round(side_px * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_glyph(painter, QPointF(side_px / 2, side_px / 2), side_px * 0.36, known.shape, QColor(known.color))
    painter.end()
    return pixmap
