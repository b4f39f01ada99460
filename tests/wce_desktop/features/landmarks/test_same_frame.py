"""A landmark set on the frame of another one says so, and is taken back by the message's button."""

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window
from wce_desktop.core.annotation.landmark import Region


def test_a_landmark_on_the_frame_of_another_one_says_so_and_is_undone(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.features.landmarks.set_here(Region.COLON)
        assert "now lies on the frame" not in window.banner.text
        window.features.landmarks.set_here(Region.SMALL_BOWEL)
        assert "now lies on the frame of the" in window.banner.text
        qtbot.mouseClick(window.banner.undo, Qt.MouseButton.LeftButton)
        assert [mark.region for mark in window.workspace.reading.entries.landmarks] == [Region.COLON]
