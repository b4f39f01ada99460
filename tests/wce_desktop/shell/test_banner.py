"""Messages leave by themselves, stay in the list, cover nothing and belong to the study they were told of."""

import logging
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, qInstallMessageHandler
from pytestqt.qtbot import QtBot

from tests.corpus.container_edits import insert_null_chunks
from tests.videos import write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.runs.events import Outcome
from training.video import build_index
from wce_desktop.shell.logging_setup import start_logging
from wce_desktop.widgets.banner import LINES, Banner


@pytest.fixture
def banner(qtbot: QtBot) -> Banner:
    """A line on screen."""
    made = Banner()
    qtbot.addWidget(made)
    made.resize(500, 32)
    return made


def test_a_remark_does_not_take_an_error_away(banner: Banner) -> None:
    banner.show_error("The disk is full.", "Free some disk space.")
    banner.show_remark("Undone: Label 1 frame polyp")
    assert banner.text == "The disk is full. Free some disk space.\nUndone: Label 1 frame polyp"
    banner._remark_timer.timeout.emit()
    assert banner.text == "The disk is full. Free some disk space."
    banner.dismiss()
    assert banner.text == ""


def test_a_remark_fades_an_error_stays_and_neither_comes_back(qtbot: QtBot, banner: Banner) -> None:
    banner.show_error("The disk is full.")
    assert not banner._remark_timer.isActive(), "an error stays until it is closed"
    qtbot.mouseClick(banner._close, Qt.MouseButton.LeftButton)
    assert banner.text == ""
    assert banner.isHidden()
    banner.show_remark("Done.")
    assert banner._remark_timer.isActive()
    assert banner.text == "Done."
    banner._remark_timer.timeout.emit()
    assert banner.text == ""
    assert not banner.isHidden(), "it fades"
    banner.show_remark("Another one.")
    assert not banner._opacity.isEnabled(), "a new message is not faint"
    banner._remark_timer.timeout.emit()
    banner._fading.finished.emit()
    assert banner.isHidden()
    banner.show_remark("Undone.")
    assert banner.text == "Undone."


@pytest.mark.parametrize("text", ["short", "word " * 200, "x" * 900, f"{'error ' * 90}\n{'remark ' * 90}"])
def test_a_message_takes_two_lines_however_long_it_is(banner: Banner, text: str) -> None:
    banner.show_remark(text)
    banner.show()
    assert len(banner._text.lines()) <= LINES
    metrics = banner._text.fontMetrics()
    assert all(metrics.horizontalAdvance(line) <= banner._text.width() for line in banner._text.lines())


def test_a_message_covers_neither_the_picture_nor_the_timeline(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        before = window.player.frame_view.geometry(), window.workspace.timeline.geometry()
        window.show_error("word " * 80, "hint " * 80)
        wait(qtbot, lambda: window.banner.width() > 200)
        assert (window.player.frame_view.geometry(), window.workspace.timeline.geometry()) == before, "nothing jumps"
        place = QRect(window.banner.mapTo(window, QPoint(0, 0)), window.banner.size())
        for other in (
            window.player,
            window.workspace.timeline,
            window.features.reading.label_bar,
            window.features.reading.flags,
        ):
            assert not place.intersects(QRect(other.mapTo(window, QPoint(0, 0)), other.size()))


def test_an_error_of_one_study_is_not_shown_on_the_next(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        path = write_video(tmp_path / "other.mp4", 30)
        other = window.session.add_study(path, build_index(path))
        window.show_error("The boxes of this study cannot be written.")
        window.features.studies.open_study(other)
        wait(qtbot, lambda: window.is_idle)
        assert "boxes" not in window.banner.text
        window.show_message("Done.")
        window.banner._remark_timer.timeout.emit()
        assert window.banner.text == ""


def test_notes_on_a_file_stay_until_they_are_closed_or_another_study_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    odd = write_video(tmp_path / "odd.avi", 30, codec="mpeg4")
    insert_null_chunks(odd, (5,))
    with main_window(qtbot, tmp_path) as window:
        first = window.session.reading
        assert first is not None
        window.features.studies.open_path(odd)
        wait(qtbot, lambda: "recorder dropped: 1." in window.banner.text and window.is_idle)
        window.show_message("Done: scoring odd.")
        assert window.banner.text == "Done: scoring odd.", "what is newer has all the room"
        window.banner._remark_timer.timeout.emit()
        assert window.banner.text.startswith("Frames that the recorder dropped: 1.")
        window.features.studies.open_study(first.study)
        wait(qtbot, lambda: window.is_idle)
        assert "dropped" not in window.banner.text
        window.features.studies.open_path(odd)
        wait(qtbot, lambda: window.session.reading is not first and window.is_idle)
        assert "dropped" not in window.banner.text, "they are shown once"


def test_what_was_told_stays_in_the_list_of_messages(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.show_message("Done: scoring P03.")
        window.show_error("The disk is full.", "Free some disk space.")
        window.show_error("The disk is full.", "Free some disk space.")
        window.banner.dismiss()
        assert window._unread.text() == "1 error"
        qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert window.messages.isVisible()
        rows = [window.messages._list.item(row).text() for row in range(window.messages._list.count())]
        assert [row.partition("   ")[2] for row in rows] == [
            "The disk is full. Free some disk space. (2 times)",
            "Done: scoring P03.",
        ]
        assert window._unread.text() == "Messages"
        assert window._unread.isVisible(), "the list can be opened by the mouse again"


def test_the_list_has_times_and_no_message_goes_to_the_log_file(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.txt"
    handlers = list(logging.getLogger().handlers)
    start_logging(log)
    try:
        with main_window(qtbot, tmp_path) as window:
            assert window._unread.isHidden()
            window.show_message("Done: scoring MEIER_Anna.")
            window.guard(window.features.studies.open_path)(tmp_path / "MEIER_Anna.mp4")
            wait(qtbot, lambda: "There is no file" in window.banner.text)
            qtbot.mouseClick(window._unread, Qt.MouseButton.LeftButton)
            texts = [message.text for message in window.messages.messages]
            assert len(texts) == 2
            assert all("MEIER_Anna" in text for text in texts)
            assert all(re.fullmatch(r"\d\d:\d\d:\d\d", message.time) for message in window.messages.messages)
        assert "MEIER" not in log.read_text(encoding="utf-8")
    finally:
        qInstallMessageHandler(None)
        for handler in set(logging.getLogger().handlers) - set(handlers):
            logging.getLogger().removeHandler(handler)
            handler.close()


def test_a_click_on_a_message_opens_the_list(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.show_message("Done.")
        wait(qtbot, lambda: window.banner.width() > 100)
        qtbot.mouseClick(window.banner, Qt.MouseButton.LeftButton)
        assert window.messages.isVisible()


def test_a_study_that_is_being_scored_is_not_called_unscored(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        path = write_video(tmp_path / "other.mp4", 30)
        window.features.studies.open_study(window.session.add_study(path, build_index(path)))
        wait(qtbot, lambda: window.is_idle)
        assert window.features.reading.flags._empty.text() == "This study has not been scored yet."
        monkeypatch.setattr(window.jobs, "_start", lambda _: None)
        press(window, "score_study")
        assert window.features.reading.flags._empty.text().startswith("Scoring of this study runs")
        assert window.workspace.timeline.content.no_scores == "being scored"
        assert window.features.reading.flags.next_step.isHidden()
        (job,) = window.jobs.running
        job.report_outcome(Outcome("failed", "The disk is full."))
        window.jobs._go_on()
        assert window.features.reading.flags._empty.text() == "This study has not been scored yet."
        assert not window.workspace.timeline.content.no_scores


def test_a_hint_is_no_error(qtbot: QtBot, tmp_path: Path) -> None:
    """A key that does not apply yet says what to do first; the count of errors stays as it is."""
    with main_window(qtbot, tmp_path) as window:
        window.guard(window.features.reading.toggle_key_frame)()
        assert window.banner.text.startswith("No finding is highlighted.")
        window.guard(window.features.boxes._box)("none")
        assert window.banner.text.startswith("No box is chosen.")
        assert not window.banner.error
        assert window._unread.text() == "Messages"


def test_the_popup_of_the_timeline_goes_when_a_key_shows_another_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        popup = window.workspace.timeline.popup
        popup.describe(5, QPoint(300, 300), 300)
        assert popup.isVisible()
        press(window, "step_forward")
        wait(qtbot, lambda: not popup.isVisible())
