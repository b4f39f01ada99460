"""Filled columns against a slow reference that samples each pixel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage, QPainter

from wce_desktop.widgets.timeline.style import Pixels, draw, fill_columns, premultiplied

HEIGHT = 12
ENDS = st.one_of(st.floats(-3, HEIGHT + 3, width=32), st.just(float("nan")))


def alpha_of(canvas: Pixels) -> np.ndarray:
    return (canvas >> np.uint32(24)).astype(float).T


def drawn(canvas: Pixels) -> QImage:
    width, height = canvas.shape
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    with QPainter(image) as painter:
        draw(canvas, painter, QPoint(0, 0), 1.0)
    return image


@given(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=9))
def test_coverage_equals_the_slow_reference(columns: list[tuple[float, float]]) -> None:
    top = np.array([a for a, _ in columns], dtype=np.float32)
    bottom = np.array([b for _, b in columns], dtype=np.float32)
    canvas = np.zeros((len(columns), HEIGHT), dtype=np.uint32)
    fill_columns(canvas, top, bottom, QColor("#ffffff"))
    for column, (above, below) in enumerate(zip(top, bottom, strict=True)):
        for row in range(HEIGHT):
            covered = min(below, row + 1) - max(above, row) if below > above else 0.0
            expected = 255 * max(0.0, min(1.0, covered))
            assert alpha_of(canvas)[row, column] == pytest.approx(expected, abs=1.5)


def test_half_covered_pixels_mix_both_colors() -> None:
    canvas = np.zeros((1, 2), dtype=np.uint32)
    fill_columns(canvas, np.array([0], dtype=np.float32), np.array([2], dtype=np.float32), QColor("#ff0000"))
    fill_columns(canvas, np.array([0.5], dtype=np.float32), np.array([1], dtype=np.float32), QColor("#00ff00"))
    color = drawn(canvas).pixelColor(0, 0)
    assert color.red() == pytest.approx(128, abs=2)
    assert color.green() == pytest.approx(128, abs=2)
    assert color.alpha() == 255
    assert drawn(canvas).pixelColor(0, 1) == QColor("#ff0000")


def test_pixels_are_premultiplied() -> None:
    assert premultiplied(QColor(255, 128, 0, 128)) == 128 << 24 | 128 << 16 | 64 << 8


def test_the_image_is_turned_the_right_way() -> None:
    canvas = np.zeros((3, 2), dtype=np.uint32)
    nothing = np.float32(np.nan)
    fill_columns(canvas, np.array([nothing, 0, nothing]), np.array([1, 1, 1], dtype=np.float32), QColor("#ffffff"))
    image = drawn(canvas)
    assert (image.width(), image.height()) == (3, 2)
    assert image.pixelColor(1, 0).alpha() == 255
    assert image.pixelColor(1, 1).alpha() == image.pixelColor(0, 0).alpha() == 0
