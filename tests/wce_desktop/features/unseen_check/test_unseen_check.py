"""Random frames that nobody saw are looked at as a grid, and the report says what that bounds."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation import Landmark, Region
from wce_desktop.core.unseen_sample import UnseenSample
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.unseen_check import feature
from wce_desktop.session.reading import Reading
from wce_desktop.session.unseen import check_of, unseen_frames
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets import dialogs


def reading_of(window: MainWindow) -> Reading:
    assert window.session.reading is not None
    return window.session.reading


def sample_of(window: MainWindow) -> UnseenSample:
    sample = check_of(reading_of(window))
    assert sample is not None
    return sample


def report_text(window: MainWindow) -> str:
    rows = gather(window.session).reading
    return next((row.text for row in rows if row.name == "Check of unseen frames"), "")


@pytest.fixture(autouse=True)
def ten_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature, "FRAMES", 10)


def test_frames_that_were_not_seen_are_checked_and_the_report_says_what_follows(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = reading_of(window)
        reading.seen[:6] = True
        press(window, "check_unseen")
        sample = sample_of(window)
        grid = window.features.neighbours.grid.window
        assert grid is not None
        assert grid.isVisible()
        assert [frame for _, frame in grid.frames] == list(sample.frames)
        assert len(sample.frames) == 10
        assert min(sample.frames) >= 6
        assert not sample.is_small_bowel
        assert report_text(window) == ""  # not finished
        assert grid.tiles.chosen_rows == [0]
        grid.tiles.setCurrentIndex(grid.tiles.tiles.index(3))
        grid.label_by_key("1")
        assert [label.name for label in reading.entries.labels.at(sample.frames[3])] != []
        press(window, "finish_check")
        count = f"{sample.total} frames of the study"
        assert report_text(window).startswith("1 of 10 random frames show a finding. With 95 % confidence fewer than")
        assert count in report_text(window)
        press(window, "undo")
        assert not sample_of(window).is_finished
        assert report_text(window) == ""


def test_the_same_frames_come_again_until_the_check_is_finished(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "check_unseen")
        first = sample_of(window)
        press(window, "check_unseen")
        assert sample_of(window) == first
        press(window, "finish_check")
        for answer in (False, True):
            monkeypatch.setattr(dialogs, "agrees", lambda *_, answer=answer: answer)
            press(window, "check_unseen")
            assert sample_of(window).is_finished is not answer


def test_what_was_seen_flagged_labelled_or_found_is_not_checked(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = reading_of(window)
        count = reading.frame_count
        wait(qtbot, lambda: window.player.is_settled)
        reading.seen[2] = True
        window.workspace.go_to_frame(5)
        wait(qtbot, lambda: window.player.frame_index == 5)
        press(window, "label_0")
        before, is_small_bowel = unseen_frames(reading)
        flagged = {frame for event in reading.flags.events for frame in range(event.span.start, event.span.stop)}
        seen = set(np.flatnonzero(reading.seen).tolist())
        assert set(before.tolist()) == set(range(count)) - flagged - seen - {5}
        assert not is_small_bowel
        study_id = reading.study.study_id
        reading.entries.landmarks += [
            Landmark("l-4", study_id, Region.SMALL_BOWEL, 4, ""),
            Landmark("l-10", study_id, Region.COLON, 10, ""),
        ]
        after, is_small_bowel = unseen_frames(reading)
        assert is_small_bowel
        assert after.tolist() == [frame for frame in before.tolist() if 4 <= frame < 10]


def test_without_a_check_or_frames_left_a_sentence_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "finish_check")
        assert "No frames are being checked" in window.workspace.messages.text
        reading_of(window).seen[:] = True
        press(window, "check_unseen")
        assert "Every frame was seen or flagged" in window.workspace.messages.text
        assert check_of(reading_of(window)) is None
