"""The lines of the score lane: dashed ones have gaps, and only tracks that flag frames are filled."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from wce_desktop.core.decimation import MinMaxPyramid
from wce_desktop.widgets.timeline.axis import FrameWindow
from wce_desktop.widgets.timeline.content import Content, Track
from wce_desktop.widgets.timeline.scores_paint import DASH_PX, GAP_PX, dashed_color, paint_lines, score_y

WIDTH, HEIGHT, SCORE = 90, 60, 0.8


def painted(track: Track, ratio: float) -> NDArray[np.uint8]:
    """(height, width) alpha of the lane of one track."""
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    content = Content(len(track.values), tracks=(track,), pyramid=MinMaxPyramid(track.values[:, None]))
    with QPainter(image) as painter:
        paint_lines(painter, QRect(0, 0, WIDTH, HEIGHT), FrameWindow(0, len(track.values)), content)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return pixels[:, : image.width(), 3].copy()


def flat(*, flags: bool = True, is_dashed: bool = False) -> Track:
    return Track("blood", "Blood", "#d55e00", np.full(WIDTH, SCORE, np.float32), flags, is_dashed)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.usefixtures("qtbot")
def test_a_dashed_line_has_gaps_of_equal_length_at_every_scale(ratio: float) -> None:
    row = round(score_y(QRect(0, 0, WIDTH, HEIGHT), SCORE) * ratio)
    assert (painted(flat(), ratio)[row - 1 : row + 2].max(axis=0) > 0).all()
    there = painted(flat(flags=False, is_dashed=True), ratio)[row - 1 : row + 2].max(axis=0) > 0
    assert there.mean() == pytest.approx(DASH_PX / (DASH_PX + GAP_PX))
    assert there[: round(DASH_PX * ratio)].all()
    assert not there[round(DASH_PX * ratio) : round((DASH_PX + GAP_PX) * ratio)].any()


def test_a_track_that_flags_nothing_is_not_filled_above_the_threshold(qtbot: QtBot) -> None:
    between = round((score_y(QRect(0, 0, WIDTH, HEIGHT), SCORE) + score_y(QRect(0, 0, WIDTH, HEIGHT), 0.5)) / 2)
    assert (painted(flat(), 1.0)[between] > 0).all()
    assert (painted(flat(is_dashed=True), 1.0)[between] > 0).all(), "the fill has no gaps"
    assert not painted(flat(flags=False), 1.0)[between].any()


def test_a_dashed_line_is_lighter_than_its_class() -> None:
    color = QColor("#d55e00")
    assert dashed_color(color).lightness() > color.lightness()
