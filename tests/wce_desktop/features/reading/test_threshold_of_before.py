"""The threshold through the real window: T shows the top frames and takes that back; a second reader begins anew."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press


def test_the_key_of_the_top_frames_toggles(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, reading = window.session, window.workspace.reading
        session.scores.set_threshold(0.42)
        press(window, "show_top_frames")
        assert reading.flags.threshold != 0.42
        press(window, "show_top_frames")
        assert reading.flags.threshold == 0.42
        press(window, "show_top_frames")
        session.scores.set_threshold(0.3)
        top = reading.flags.threshold
        press(window, "show_top_frames")
        press(window, "show_top_frames")
        assert reading.flags.threshold == top


def test_a_second_reader_starts_with_the_threshold_of_the_settings(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.session.scores.set_threshold(0.11)
        window.session.save_place()
        study_id = window.workspace.reading.study.study_id
        second = window.session.library.studies.add_second(study_id, "second")
        assert second.threshold is None
