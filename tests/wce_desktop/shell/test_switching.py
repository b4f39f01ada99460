"""Going from one study to another loses nothing, and nothing of one study is taken for another's."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.video import build_index
from wce_desktop.core.dwell import Looked
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player.frame_reader import RequestQueue


def open_again(qtbot: QtBot, window: MainWindow, study: Study) -> None:
    window.session.close_study()
    # Read again: the frame where reading stopped is stored with the closing.
    window.features.studies.open_study(window.session.library.studies.get(study.study_id))
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle)


def other_study(window: MainWindow, folder: Path) -> Study:
    path = write_video(folder / "other.mp4", 30)
    return window.session.add_study(path, build_index(path))


def test_a_study_reopens_on_the_frame_where_reading_stopped(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.features.reading.go_to_frame(20)
        reading = window.session.reading
        assert reading is not None
        wait(qtbot, lambda: window.player.frame_index == reading.place.frame_index == 20)
        open_again(qtbot, window, reading.study)
        assert window.session.reading is not None
        assert window.player.frame_index == window.session.reading.place.frame_index == 20


def test_a_study_that_opens_asks_for_no_other_frame_first(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.features.reading.go_to_frame(20)
        wait(qtbot, lambda: window.player.frame_index == 20)
        assert window.session.reading is not None
        study_id = window.session.reading.study.study_id
        window.session.save_place()
        window.session.close_study()
        asked: list[int] = []
        seek = RequestQueue.seek

        def asking(queue: RequestQueue, first: int, views: int, direction: int) -> int:
            asked.append(first)
            return seek(queue, first, views, direction)

        monkeypatch.setattr(RequestQueue, "seek", asking)
        window.features.studies.open_study(window.session.library.studies.get(study_id))
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        assert set(asked) == {20}


def test_what_was_on_screen_last_counts_as_seen_when_another_study_is_opened(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        study_id = window.session.reading.study.study_id
        other = other_study(window, tmp_path)
        last = [Looked(Span(30, 38), True, 8)]
        monkeypatch.setattr(
            window.player.controller._watcher._dwell, "flush", lambda _: tuple(last.pop() for _ in range(len(last)))
        )
        window.features.studies.open_study(other)
        wait(qtbot, lambda: window.is_idle)
        assert all(frame in window.session.library.annotations.seen(study_id) for frame in range(30, 38))


def test_a_comment_being_written_is_kept_whatever_happens_next(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "new_finding")
        assert window.session.reading is not None
        study_id = window.session.reading.study.study_id
        window.features.reading.findings._comment.setPlainText("pale")
        window.features.reading.label("polyp")
        assert window.features.reading.findings._comment.toPlainText() == "pale"
        window.features.studies.open_study(other_study(window, tmp_path))
        wait(qtbot, lambda: window.is_idle)
        (finding,) = window.session.library.annotations.findings(study_id)
        assert finding.comment == "pale"


def test_a_comment_being_written_is_kept_when_the_window_closes(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "new_finding")
        assert window.session.reading is not None
        library, study_id = window.session.library, window.session.reading.study.study_id
        window.features.reading.findings._comment.setPlainText("ulcerated")
        kept: list[str] = []
        monkeypatch.setattr(
            window.jobs, "shut_down", lambda: kept.append(library.annotations.findings(study_id)[0].comment)
        )
        window.close()
        assert kept == ["ulcerated"]


def test_a_click_on_the_open_study_leaves_it_as_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        window.features.studies.open_study(reading.study)
        assert window.session.reading is reading


def test_enter_in_the_list_of_studies_opens_one_and_labels_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        first = window.session.reading.study.study_id
        press(window, "next_event")
        wait(qtbot, lambda: window.player.frame_index == 12)
        other = other_study(window, tmp_path)
        window.features.studies.panel._list.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(window.features.studies.panel._list, Qt.Key.Key_Down)
        qtbot.keyClick(window.features.studies.panel._list, Qt.Key.Key_Return)
        wait(qtbot, lambda: window.is_idle)
        assert window.session.reading is not None
        assert window.session.reading.study.study_id == other.study_id
        assert window.session.library.annotations.labels(first) == ()


def test_the_row_chosen_in_the_list_stays_while_reading_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        other_study(window, tmp_path)
        window.features.studies.panel._list.setCurrentRow(1)
        window.session.mark_seen(Span(0, 5))
        window.session.save_seen()
        assert window.features.studies.panel._list.currentRow() == 1
        assert "in reading" in window.features.studies.panel._list.item(0).toolTip()


def test_dropped_folders_are_all_taken_and_a_bad_file_among_them_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            write_video(tmp_path / name / f"{name}.mp4", 20 if name == "a" else 30)
        (tmp_path / "b" / "empty.mp4").touch()
        window.features.studies.drop([tmp_path / "a", tmp_path / "b"])
        wait(qtbot, lambda: window.is_idle)
        assert {study.name for study in window.session.library.studies.all()} == {"a", "b"}
        assert "empty.mp4" in window.banner.text


def broken_files(folder: Path) -> list[Path]:
    """Files that are no videos, or no longer."""
    whole = write_video(folder / "whole.mp4", 30).read_bytes()
    contents = {"text.mp4": b"not a video", "empty.mp4": b"", "cut.mp4": whole[: len(whole) // 3]}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents] + [folder / "missing.mp4"]


def test_a_file_that_fails_to_open_changes_nothing_of_the_study_that_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.features.reading.go_to_frame(20)
        wait(qtbot, lambda: window.player.frame_index == 20)
        reading, closed = window.session.reading, []
        window.session.study_closed.connect(lambda: closed.append(True))
        for path in broken_files(tmp_path):
            window.guard(window.features.studies.open_path)(path)
            wait(qtbot, lambda name=path.name: name in window.banner.text and window.is_idle)  # type: ignore[misc]
            window.banner.dismiss()
        assert window.session.reading is reading
        assert (window.player.frame_index, closed) == (20, [])
        assert window.player.transport.note_label.text() == ""
        qtbot.keyClick(window, Qt.Key.Key_Right)
        wait(qtbot, lambda: window.player.frame_index == 21)


def test_a_known_study_whose_video_became_another_leaves_the_open_one_open(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading, other = window.session.reading, other_study(window, tmp_path)
        other.path.write_bytes(b"overwritten")
        window.guard(window.features.studies.open_study)(other)
        wait(qtbot, lambda: "other.mp4" in window.banner.text)
        assert window.session.reading is reading


def test_a_failure_without_an_open_study_is_said_once(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        (tmp_path / "text.mp4").write_bytes(b"not a video")
        window.guard(window.features.studies.open_path)(tmp_path / "text.mp4")
        wait(qtbot, lambda: "text.mp4" in window.banner.text)
        assert window.player.empty_state.isVisible(), "the picture's place offers the next step and repeats nothing"


def test_the_last_of_several_wishes_to_open_wins(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        first, other = window.session.reading.study, other_study(window, tmp_path)
        window.features.studies.open_study(other)
        window.features.studies.open_study(first)
        assert not window.features.studies.is_opening
        window.features.studies.open_path(write_video(tmp_path / "third.mp4", 12))
        window.features.studies.open_study(other)
        wait(qtbot, lambda: window.is_idle)
        assert window.session.reading.study.study_id == other.study_id
