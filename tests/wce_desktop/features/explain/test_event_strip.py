"""The strip over an event: its frames, what it asks for, moving in it, folding it away."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.explain.windows import explaining_window
from tests.wce_desktop.windows import press, wait


def test_the_strip_shows_the_event_and_explains_one_frame_after_the_other(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("score-cam")
        qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
        assert [tile.frame_index for tile in window.features.explain.events.strip.tiles.tiles] == [10, 11, 12, 13]
        for done, frame in enumerate((10, 11, 12, 13)):
            assert (client.asked[-1].frame_index, client.asked[-1].method) == (frame, "quick")
            assert f"Score-CAM, quick   explaining, {done} of 4" in window.features.explain.events.strip.title.text()
            client.answer()
        assert window.features.explain.events.strip.title.text() == "Polyp, 4 frames, at 0:00:00   Score-CAM, quick"
        assert len(client.asked) == 4
        assert not window.features.explain.events.strip.grab().isNull()


def test_the_frame_on_screen_goes_before_the_strip_which_then_goes_on(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_event")
        assert client.asked[-1].frame_index == 10
        press(window, "explain_frame")
        assert client.asked[-1].frame_index == 12
        client.answer()
        assert client.asked[-1].frame_index == 10, "what gave way is taken up again"


def test_the_strip_is_moved_through_by_keys_and_folds_away(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        press(window, "explain_event")
        assert client.asked == [], "CAMs come from scoring"
        tiles = window.features.explain.events.strip.tiles
        tiles.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(tiles, Qt.Key.Key_Left)
        wait(qtbot, lambda: window.player.frame_index == 11)
        assert tiles.current == 11, "keys go on from the frame on screen"
        qtbot.keyClick(tiles, Qt.Key.Key_End)
        wait(qtbot, lambda: window.player.frame_index == 13)
        qtbot.mouseClick(tiles, Qt.MouseButton.LeftButton, pos=tiles.rect_of(0).center().toPoint())
        wait(qtbot, lambda: window.player.frame_index == 10)
        press(window, "explain_event")
        assert window.features.explain.events.strip.isHidden()


def test_folding_the_strip_ends_what_it_asked_for(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_event")
        press(window, "explain_event")
        assert client.cancelled == 1
        assert not window.features.explain.explaining.queue.is_busy


def test_in_a_low_window_one_strip_gives_way_to_the_other(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        window.resize(1024, 700)
        press(window, "toggle_neighbours")
        wait(qtbot, lambda: window.features.neighbours.neighbours.is_shown)
        press(window, "explain_event")
        assert not window.features.neighbours.neighbours.is_shown
        assert not window.features.explain.events.strip.isHidden()
        press(window, "toggle_neighbours")
        wait(qtbot, window.features.explain.events.strip.isHidden)
        assert window.features.neighbours.neighbours.is_shown


def test_two_failures_end_the_strip_s_requests(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_event")
        client.fail("This frame cannot be read.")
        assert client.asked[-1].frame_index == 11
        client.fail("The model is damaged.", "Take another one.")
        assert len(client.asked) == 2
        assert window.features.explain.panel.waiting.text.text() == "The model is damaged. Take another one."


def test_without_an_event_a_marked_span_is_explained_and_without_both_the_next_step_is_said(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        window.features.reading.go_to_frame(25)
        wait(qtbot, lambda: window.player.frame_index == 25)
        press(window, "explain_event")
        assert "No event is flagged on this frame." in window.banner.text
        window.session.mark_span(20, 31)
        press(window, "explain_event")
        frames = [tile.frame_index for tile in window.features.explain.events.strip.tiles.tiles]
        assert (frames[0], frames[-1]) == (20, 30)
        window.session.close_study()
        assert window.features.explain.events.strip.isHidden()
