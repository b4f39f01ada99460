"""A study whose frames carry their numbers, a player to show it, and eyes to read the numbers."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.videos import number_of, numbered_frame, write_video
from training.video import FrameIndex, build_index
from wce_desktop.widgets.player.frame_reader import FrameReader
from wce_desktop.widgets.player.player_view import PlayerView

FRAMES = 60
TIMEOUT_MS = 20_000


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 frames of 96 x 64 px with B-frames and a key frame each 12."""
    path = tmp_path_factory.mktemp("player") / "study.mp4"
    return write_video(path, FRAMES, width=96, height=64, gop=12, b_frames=2)


@pytest.fixture(scope="session")
def index(study: Path) -> FrameIndex:
    """Its index."""
    return build_index(study)


@pytest.fixture(scope="session")
def broken_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of eight images of 96 x 64 px; frame 5 is damaged."""
    folder = tmp_path_factory.mktemp("player") / "images"
    folder.mkdir()
    for number in range(8):
        assert cv2.imwrite(str(folder / f"{number}.png"), numbered_frame(number, 64, 96))
    damaged = folder / "5.png"
    damaged.write_bytes(damaged.read_bytes()[:60])
    return folder


@pytest.fixture
def player(qtbot: QtBot) -> Iterator[PlayerView]:
    """An empty player on screen; afterwards none of its threads may be left."""
    view = PlayerView()
    qtbot.addWidget(view)
    view.resize(640, 480)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    view.shutdown()
    assert living_threads(view) == 0


def living_threads(player: PlayerView) -> int:
    """Threads of this and earlier studies that still run."""
    return sum(reader.isRunning() for reader in player.controller.reader.findChildren(FrameReader))


def to_array(picture: QImage) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB."""
    rgb = picture.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


def numbers_on_screen(player: PlayerView) -> list[int]:
    """The numbers that one reads from the widget's own pixels."""
    view = player.frame_view
    grabbed = view.grab().toImage()
    return [number_of(to_array(grabbed.copy(rect.toRect()))) for rect in view.frame_rects()]


def go_to(qtbot: QtBot, player: PlayerView, frame_index: int) -> None:
    """Show a frame and wait until it is on screen."""
    player.show_frame(frame_index)
    qtbot.waitUntil(lambda: player.frame_index == frame_index, timeout=TIMEOUT_MS)
