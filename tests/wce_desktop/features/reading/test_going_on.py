"""Go on reading in the real window: what was not seen is played, and counted down."""

from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout, share_codes
from training.embeddings.writer import EmbeddingWriter
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.dwell import Looked
from wce_desktop.core.span import Span
from wce_desktop.features.reading import annotating
from wce_desktop.shell.main_window import MainWindow


def look(window: MainWindow, start: int, stop: int) -> None:
    window.session.note_looked(Looked(Span(start, stop), True, 0))


def bar(window: MainWindow) -> str:
    return window.features.reading._going_on.bar.format()


def test_what_was_not_seen_is_played_and_the_rest_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.opened()
        count = reading.frame_count
        look(window, 0, count)
        reading.seen[[20, 21, 30]] = False
        shown: list[int] = []
        window.player.frame_changed.connect(shown.append)
        press(window, "go_on_reading")
        assert "3 frames of the study left" in bar(window)
        wait(qtbot, lambda: bool(reading.seen.all()))
        wait(qtbot, lambda: "Nothing of the study is left to read: 100 % seen." in window.banner.text)
        assert shown == [20, 21, 30]
        assert not window.player.is_playing
        assert "Nothing of the study is left to read: 100 % seen." in bar(window)
        assert window.player.playback.upcoming(1) == [31]  # everything is played again


def test_frames_before_come_last(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.opened()
        look(window, 0, reading.frame_count)
        reading.seen[[4, 30, 31]] = False
        window.workspace.go_to_frame(25)
        wait(qtbot, lambda: window.player.is_settled and reading.place.frame_index == 25)
        shown: list[int] = []
        window.player.frame_changed.connect(shown.append)
        press(window, "go_on_reading")
        wait(qtbot, lambda: bool(reading.seen.all()))
        assert shown == [30, 31, 4]


def test_the_last_frame_left_is_over_once_it_was_seen(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.opened()
        look(window, 0, reading.frame_count)
        reading.seen[20] = False
        window.workspace.go_to_frame(40)
        press(window, "go_on_reading")
        wait(qtbot, lambda: bool(reading.seen.all()))
        wait(qtbot, lambda: "Nothing of the study is left to read: 100 % seen." in window.banner.text)
        assert "not seen" not in window.banner.text
        assert window.features.reading._going_on.bar.isHidden()


def test_only_the_small_bowel_counts_once_its_landmarks_are_set(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        for frame, region in ((10, Region.SMALL_BOWEL), (40, Region.COLON)):
            window.session.show_frame(frame)
            annotating.set_landmark(window.session, region)
        look(window, 10, 40)
        press(window, "go_on_reading")
        assert "Nothing of the small bowel is left to read: 100 % seen." in window.banner.text
        assert not window.player.is_playing


def test_played_too_fast_the_rest_is_named_and_playing_stops(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.opened()
        count = reading.frame_count
        look(window, 0, count)
        reading.seen[count - 4 :] = False
        while window.player.playback.rate_fps < 60:
            press(window, "faster")
        press(window, "go_on_reading")
        assert "more lesions are missed above 15" in bar(window)
        wait(qtbot, lambda: "The end of the study is reached" in window.banner.text)
        assert np.count_nonzero(~reading.seen) > 0
        assert not window.player.is_playing


def test_the_speed_holds_for_this_study_only_and_a_pause_plays_all_frames(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "slower")
        assert window.player.playback.rate_fps < window.session.settings["rate_fps"] == 8
        study = window.workspace.reading.study
        window.session.close_study()
        window.features.studies.open_study(study)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        assert window.player.playback.rate_fps == 8
        reading = window.session.opened()
        look(window, 2, 20)
        press(window, "go_on_reading")
        assert window.player.is_playing
        press(window, "go_on_reading")
        assert not window.player.is_playing
        wait(qtbot, lambda: window.features.reading._going_on._left_at_start is None)
        assert window.player.playback._flagged is None
        assert reading.frame_count > 20


def test_the_blood_indicator_is_gone_through_in_the_small_bowel_only(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, reading = window.session, window.session.opened()
        press(window, "next_blood")
        assert "This study has no blood indicator yet." in window.banner.text
        file = reading.flags.embeddings
        assert file is not None
        count, size = reading.frame_count, file.embeddings.shape[1]
        values = np.zeros((count, 1))
        values[[5, 6, 30]] = 0.9
        header = file.header.model_copy(update={"tracks": ("blood",)})
        layout = EmbeddingLayout(count, size, len(header.classes), tracks=1)
        path = session.files(reading.study).scores_path("m1")
        with EmbeddingWriter.create(path, header, layout, np.arange(count) / 2) as writer:
            scores = np.full((count, layout.classes), 0.1, np.float32)
            colors, tracks = np.zeros((count, 3), np.uint8), share_codes(values)
            writer.append(EmbeddingChunk(np.ones((count, size)), colors, scores, tracks=tracks))
            writer.finish()
        session.scores.reload()
        marked = window.workspace.timeline.content.blood
        assert marked is not None
        assert np.flatnonzero(marked).tolist() == [5, 6, 30]
        press(window, "next_blood")
        wait(qtbot, lambda: reading.place.frame_index == 5)
        press(window, "next_blood")
        wait(qtbot, lambda: reading.place.frame_index == 30)
        window.workspace.go_to_frame(20)
        wait(qtbot, lambda: reading.place.frame_index == 20)
        press(window, "landmark_small_bowel")
        marked = window.workspace.timeline.content.blood
        assert marked is not None
        assert np.flatnonzero(marked).tolist() == [30]
