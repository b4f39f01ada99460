"""The window as a whole: keys, what each panel shows afterwards, and errors as sentences."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.videos import number_of, write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.video import open_source
from wce_desktop.session.actions import ACTIONS


def test_every_action_of_the_table_has_a_menu_entry_and_a_handler(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        assert set(window.menus.actions) == {row.action_id for row in ACTIONS}
        listed = {action.text() for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()}
        assert {"Label “Blood”", "Next flag not answered", "All keys"} <= listed


def test_what_needs_a_study_is_greyed_out_without_one(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        actions = window.menus.actions
        assert not actions["toggle_play"].isEnabled()
        assert not actions["undo"].isEnabled()
        assert actions["open_files"].isEnabled()
        assert window.features.reading.flags._empty.text() == "No study is open."


def test_keys_go_from_event_to_event_and_label_them(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session = window.session
        assert session.reading is not None
        qtbot.keyClick(window, Qt.Key.Key_N)
        wait(qtbot, lambda: window.player.frame_index == 12)
        assert window.session.explained == "polyp"
        qtbot.keyClick(window, Qt.Key.Key_Return)
        assert [label.name for label in session.reading.labels_here()] == ["polyp"]
        assert session.reading.answer(session.reading.flags.events[0]) == "accepted"
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert session.reading.labels_here() == []
        wait(qtbot, lambda: bool(session.reading and session.reading.seen[12]))
        qtbot.keyClick(window, Qt.Key.Key_N)
        wait(qtbot, lambda: window.player.frame_index == 40)
        assert window.features.reading.flags._total.text().startswith(("2 flags, 1 not seen", "2 flags, 0 not seen"))


def test_a_label_is_on_disk_before_the_window_says_saved(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        told: list[int] = []
        count = lambda _: told.append(len(window.session.library.annotations.labels(reading.study.study_id)))  # noqa: E731
        window.session.saved.connect(count, check_nargs=False)
        qtbot.keyClick(window, Qt.Key.Key_4)
        assert told == [1]
        assert window.saved.text().startswith("saved ")


def test_the_frame_on_screen_is_the_one_that_gets_the_label(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        window.features.reading.go_to_text("38")
        wait(qtbot, lambda: reading.place.frame_index == 37)
        qtbot.keyClick(window, Qt.Key.Key_3)
        (label,) = window.session.library.annotations.labels(reading.study.study_id)
        assert (label.name, label.span.start, label.span.stop) == ("ulcer", 37, 38)
        with open_source(reading.study.path) as source:
            assert number_of(source.read(label.span.start)) == 37


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("9999", "The study ends at frame 60."), ("0:59:00", "The study ends at 0:00:02."), ("soon", "neither")],
)
def test_a_wrong_address_is_a_sentence(qtbot: QtBot, tmp_path: Path, text: str, sentence: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.guard(window.features.reading.go_to_text)(text)
        assert sentence in window.banner.text


def test_the_threshold_is_shown_alike_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        window.features.reading.flags._slider.setValue(92)
        assert reading.flags.threshold == pytest.approx(0.92)
        assert window.features.reading.flags.model.rowCount() == 1
        window.workspace.timeline.threshold_changed.emit(0.5)
        assert window.features.reading.flags._slider.value() == 50
        assert window.features.reading.flags.model.rowCount() == 2


def test_an_empty_list_of_flags_offers_the_next_step(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.session.scores.set_threshold(0.99)
        assert window.features.reading.flags._empty.text() == "No flags at this threshold; the highest score is 0.95."
        window.features.reading.flags.next_step.click()
        assert window.features.reading.flags.model.rowCount() == 1


def test_the_overlay_can_be_turned_on_everywhere_and_shows_it_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        qtbot.keyClick(window, Qt.Key.Key_C)
        assert window.menus.actions["toggle_overlay"].isChecked()
        assert window.features.explain.panel.shows_overlay.isChecked()
        window.features.explain.panel.shows_overlay.setChecked(False)
        assert not window.player.frame_view.overlay.is_visible
        assert not window.menus.actions["toggle_overlay"].isChecked()


def test_only_flagged_frames_are_played(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        shown: list[int] = []
        window.player.frame_changed.connect(shown.append)
        qtbot.keyClick(window, Qt.Key.Key_F)
        window.player.set_rate(60)
        qtbot.keyClick(window, Qt.Key.Key_Space)
        wait(qtbot, lambda: bool(shown) and not window.player.is_playing)
        assert [frame for frame in shown if frame != 0] == [10, 11, 12, 13, 40, 41]


def test_a_folded_panel_leaves_its_room_to_the_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        before = window.player.width()
        press(window, "only_frame")
        wait(qtbot, lambda: window.player.width() > before + 300)
        assert window.menus.actions["only_frame"].isChecked()
        press(window, "only_frame")
        wait(qtbot, lambda: window.player.width() == before)


def test_a_file_that_is_no_video_is_a_sentence_and_the_window_lives_on(qtbot: QtBot, tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("not a video", encoding="utf-8")
    with main_window(qtbot, tmp_path) as window:
        window.guard(window.features.studies.open_path)(text)
        wait(qtbot, lambda: "notes.mp4" in window.banner.text)
        assert not window.features.studies.is_opening
        window.guard(window.features.studies.open_path)(tmp_path / "missing.mp4")
        wait(qtbot, lambda: "There is no file or folder" in window.banner.text)
        window.features.studies.open_path(write_video(tmp_path / "other.mp4", 30))
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.frame_count == 30)


def test_a_finding_keeps_its_comment(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.player.frame_index == 12)
        press(window, "new_finding")
        window.features.reading.findings._comment.setPlainText("pale, sessile")
        window.features.reading.findings._comment.left.emit()
        assert window.session.reading is not None
        (finding,) = window.session.library.annotations.findings(window.session.reading.study.study_id)
        assert (finding.kind, finding.comment) == ("polyp", "pale, sessile")


def test_a_study_whose_video_has_gone_says_so_and_is_found_again(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        study = window.session.reading.study
        window.session.close_study()
        moved = study.path.rename(tmp_path / "moved.mp4")
        window.features.studies.open_study(study)
        wait(qtbot, lambda: "was not found" in window.banner.text)
        window.features.studies.open_path(moved)
        wait(qtbot, lambda: window.session.reading is not None)
        assert window.session.reading.study.study_id == study.study_id


@pytest.mark.parametrize("offered", [Qt.DropAction.MoveAction, Qt.DropAction.LinkAction, Qt.DropAction.CopyAction])
def test_a_dropped_file_is_copied_whatever_is_offered(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offered: Qt.DropAction
) -> None:
    """A file manager deletes what it believes to have been moved."""
    with main_window(qtbot, tmp_path, has_study=False) as window:
        dropped: list[Path] = []
        monkeypatch.setattr(window.workspace, "open_files", dropped.extend)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.mp4"))])
        any_action = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction | Qt.DropAction.LinkAction
        pressed = (any_action, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        for event in (
            QDragEnterEvent(QPoint(9, 9), *pressed),
            QDragMoveEvent(QPoint(9, 9), *pressed),
            QDropEvent(QPointF(9, 9), *pressed),
        ):
            event.setDropAction(offered)
            QApplication.sendEvent(window, event)
            assert event.isAccepted()
            assert event.dropAction() == Qt.DropAction.CopyAction
        assert dropped == [tmp_path / "a.mp4"]


def test_a_drop_without_files_of_this_computer_does_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        data = QMimeData()
        data.setUrls([QUrl("https://example.org/a.mp4")])
        pressed = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), *pressed))
        assert not window.features.studies.is_opening
        assert window.banner.text == ""


def test_a_suggestion_leaves_the_frame_when_the_threshold_rises_above_it(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.player.frame_index == 12)
        painted: list[int] = []
        window.player.set_notes_provider(lambda frame: painted.append(frame) or window.features.explain.notes_of(frame))  # type: ignore[func-returns-value]
        wait(qtbot, lambda: bool(painted))
        painted.clear()
        window.session.scores.set_threshold(0.99)
        wait(qtbot, lambda: bool(painted))
        assert window.features.explain.notes_of(12).chips == ()
