"""Views of the frame, similar frames as one and adaptive speed, by keys and buttons of the real window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.capture.saving import save_picture
from tests.wce_desktop.sessions import FRAMES, add_study, make_session
from tests.wce_desktop.widgets.player.conftest import to_array
from tests.wce_desktop.windows import main_window, press, wait, window_on
from training.video import FieldOfView
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player.enhancement import NAMES

KEPT = [0, 10, 11, 12, 13, 30, 40, 41]
"""Of the little study, whose embeddings and colours are all the same: the first of 30 frames, and what is flagged."""


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as made:
        yield made


def shown(window: MainWindow) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The frame as painted, with what is written on it."""
    return to_array(window.player.frame_view.grab().toImage())


def test_one_key_goes_through_the_views_and_the_study_remembers(qtbot: QtBot, window: MainWindow) -> None:
    plain, frames = shown(window), window.player.frame_view.frames
    held = frames[0].picture
    assert held is not None
    before = to_array(held)
    chosen = []
    for _ in NAMES:
        qtbot.keyClick(window, Qt.Key.Key_Q)
        chosen.append(window.player.frame_view.enhancer.chosen.name)
        assert np.array_equal(shown(window), plain) == (chosen[-1] == "raw")
    assert chosen == [*NAMES[1:], "raw"]
    qtbot.keyClick(window, Qt.Key.Key_Q)
    qtbot.keyClick(window, Qt.Key.Key_Q)
    np.testing.assert_array_equal(to_array(held), before)
    reading = window.session.reading
    assert reading is not None
    window.features.studies.leave()
    window.features.studies.open_study(reading.study)
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
    assert window.player.frame_view.enhancer.chosen.name == "blue"
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ShiftModifier)
    assert window.player.frame_view.enhancer.chosen.name == "raw"
    wait(qtbot, lambda: window.session.files(reading.study).shown_view == "raw")


def test_the_button_lists_the_views_and_a_damaged_note_of_the_view_is_forgotten(
    qtbot: QtBot, window: MainWindow
) -> None:
    button = window.player.transport.buttons["next_enhancement"]
    titles = [action.text() for action in button.menu().actions()]
    assert titles[0] == "As recorded"
    assert len(titles) == len(NAMES)
    button.menu().actions()[2].trigger()
    assert window.player.frame_view.enhancer.chosen.name == "blue"
    assert button.isChecked()
    assert [action.isChecked() for action in button.menu().actions()].index(True) == 2
    reading = window.session.reading
    assert reading is not None
    files = window.session.files(reading.study)
    (files.folder / "view.json").write_text("[")
    assert files.shown_view == ""
    (files.folder / "view.json").write_text('{"enhancement": 3}')
    window.player.set_enhancement(files.shown_view)
    assert window.player.frame_view.enhancer.chosen.name == "raw"


def test_exports_requests_and_thumbnails_have_the_frame_as_recorded(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    view = FieldOfView.full(48, 64)
    reading = window.session.reading
    assert reading is not None
    reading.flags.field_of_view = view
    window.features.reading.go_to_frame(12)
    wait(qtbot, lambda: window.player.frame_index == 12)
    press(window, "toggle_overlay")
    pictures, thumbnails = [], []
    for name in ("raw", "blue"):
        window.features.viewing.choose_enhancement(name)
        save_picture(window, tmp_path / f"{name}.png")
        pictures.append(to_array(QImage(str(tmp_path / f"{name}.png")).convertToFormat(QImage.Format.Format_RGB32)))
        wait(qtbot, lambda: window.workspace.thumbnails.get(12) is not None)
        small = window.workspace.thumbnails.get(12)
        assert small is not None
        thumbnails.append(to_array(small.convertToFormat(QImage.Format.Format_RGB32)))
    np.testing.assert_array_equal(pictures[0], pictures[1])
    np.testing.assert_array_equal(thumbnails[0], thumbnails[1])


def test_playing_shows_similar_frames_as_one_and_what_is_left_out_stays_not_seen(
    qtbot: QtBot, window: MainWindow
) -> None:
    reading, played = window.session.reading, list[int]()
    assert reading is not None
    qtbot.keyClick(window, Qt.Key.Key_H)
    wait(qtbot, lambda: not window.features.viewing.is_busy)
    assert window.menus.actions["collapse_similar"].isChecked()
    assert window.player.transport.buttons["collapse_similar"].isChecked()
    window.player.frame_changed.connect(played.append)
    assert window.player.frame_view._corner_words(window.player.frame_view.frames[0]) == ["10 similar frames"]
    window.player.set_rate(15)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    wait(qtbot, lambda: not window.player.is_playing)
    assert played == KEPT[1:]
    window.player.flush_seen()
    wait(qtbot, lambda: int(reading.seen.sum()) == len(KEPT))
    assert np.flatnonzero(reading.seen).tolist() == KEPT
    assert window.player.frame_view._corner_words(window.player.frame_view.frames[0]) == ["19 similar frames"]
    qtbot.keyClick(window, Qt.Key.Key_Left)
    wait(qtbot, lambda: window.player.frame_index == 40)
    assert window.player.frame_view._corner_words(window.player.frame_view.frames[0]) == []
    press(window, "collapse_similar")
    played.clear()
    window.features.reading.go_to_frame(1)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    wait(qtbot, lambda: len(played) >= 4)
    window.player.pause()
    assert played[:4] == [1, 2, 3, 4]


def test_the_speed_follows_scores_and_the_rate_says_that_it_is_a_mean(qtbot: QtBot, window: MainWindow) -> None:
    """Then similar frames are shown as one, and more flags show more of them."""
    playback = window.player.controller.playback
    assert window.player.transport.rate_label.text.text() == "8 fps"
    qtbot.mouseClick(window.player.transport.buttons["adaptive_speed"], Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: not window.features.viewing.is_busy)
    assert playback.is_adaptive
    assert window.player.transport.rate_label.text.text() == "≈ 8 fps"
    assert playback.stay_seconds(12) == pytest.approx(2 / 8)
    qtbot.mouseClick(window.player.transport.buttons["adaptive_speed"], Qt.MouseButton.LeftButton)
    assert not playback.is_adaptive
    assert window.player.transport.rate_label.text.text() == "8 fps"
    assert playback.stay_seconds(12) == pytest.approx(1 / 8)
    press(window, "collapse_similar")
    wait(qtbot, lambda: not window.features.viewing.is_busy)
    assert playback.upcoming(100) == KEPT[1:]
    window.session.scores.set_threshold(0.75)
    assert playback.upcoming(100) == [11, 12, 30, 40, 41]


def test_a_study_without_scores_is_compared_by_its_pictures(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("collapse_similar", True)
    study = add_study(session, tmp_path, is_scored=False)
    with window_on(qtbot, session, study) as window:
        wait(qtbot, lambda: window.features.viewing._similar is not None and window.is_idle)
        similar = window.features.viewing._similar
        assert similar is not None
        assert len(similar.first) == FRAMES
        assert not np.isnan(similar.change[1:50]).any()
        assert window.menus.actions["collapse_similar"].isChecked()
        window.features.studies.leave()
        assert window.features.viewing._similar is None


def test_a_study_that_cannot_be_compared_is_played_whole(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path, is_scored=False)
    with window_on(qtbot, session, study) as window:
        reading = session.reading
        assert reading is not None
        reading.study = replace(reading.study, path=tmp_path / "gone.mp4")
        press(window, "collapse_similar")
        wait(qtbot, lambda: window.is_idle)
        assert "Similar frames could not be found" in window.banner.text
        assert window.player.controller.playback.upcoming(3) == [1, 2, 3]
