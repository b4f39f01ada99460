"""Landmarks set on the frame on screen: what is refused, and what they change for findings."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press
from wce_desktop.core.annotation.landmark import Region


def test_two_landmarks_on_one_frame_are_refused(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.session.show_frame(10)
        window.features.landmarks.set_here(Region.COLON)
        window.features.landmarks.set_here(Region.SMALL_BOWEL)
        assert "The first duodenal frame was not set." in window.banner.text
        assert [mark.region for mark in window.workspace.reading.entries.landmarks] == [Region.COLON]


def test_a_landmark_that_moves_findings_to_another_segment_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        for frame, action in ((5, "landmark_stomach"), (10, "landmark_small_bowel"), (20, "new_finding")):
            window.session.show_frame(frame)
            press(window, action)
        assert "segment" not in window.banner.text
        window.session.show_frame(30)
        press(window, "landmark_small_bowel")
        assert "1 finding is in another segment now: stomach." in window.banner.text
