"""Captions on the frame: a text that is longer than the frame is wide stands in several lines."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from wce_desktop.widgets.player.annotation_painter import draw_caption

CORNER = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def painted_height(text: str, width: int) -> int:
    """The rows of a white picture that a caption changes."""
    picture = QImage(width, 200, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    draw_caption(painter, QRectF(picture.rect()), text, CORNER)
    painter.end()
    return sum(picture.pixelColor(30, y) != QColor(Qt.GlobalColor.white) for y in range(picture.height()))


@pytest.mark.usefixtures("qapp")
def test_a_long_caption_is_wrapped(qtbot: QtBot) -> None:
    words = "Draw a box with the mouse, or move it with the arrow keys, and press Enter to search for it"
    one_line = painted_height("Frame 12", 640)
    assert painted_height(words, 1200) == one_line
    assert painted_height(words, 300) > 2 * one_line
