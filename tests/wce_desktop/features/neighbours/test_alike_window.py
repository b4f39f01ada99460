"""Neighbours, grid and queue in the real window, by keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import alike_session, label
from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.windows import press, wait, window_on
from training.runs.events import Outcome
from training.service.answer_files import EmbeddingAnswer
from training.service.requests import EmbedRequest
from training.texts import Text
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session.removing import hide_studies
from wce_desktop.shell.main_window import MainWindow


@contextmanager
def alike_window(qtbot: QtBot, folder: Path, names: tuple[str, ...] = ("one", "two", "three")) -> Iterator[MainWindow]:
    """The main window on the three little studies, with study “one” open."""
    session = alike_session(folder, names)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        yield window


def go(qtbot: QtBot, window: MainWindow, frame_index: int) -> None:
    window.features.reading.go_to_frame(frame_index)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == frame_index)


def ask(qtbot: QtBot, window: MainWindow, frame_index: int) -> None:
    go(qtbot, window, frame_index)
    press(window, "find_like_frame")
    wait(qtbot, lambda: window.is_idle)


def opened_study(window: MainWindow) -> str:
    reading = window.session.reading
    return "" if reading is None else reading.study.study_id


def here(window: MainWindow) -> tuple[str, int | None]:
    return opened_study(window), window.player.frame_index


def found(window: MainWindow) -> list[tuple[str, int]]:
    return [
        (one.neighbour.study_id, one.neighbour.frame_index)
        for one in window.features.neighbours.neighbours.tiles.frames
    ]


def test_folded_the_strip_costs_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        go(qtbot, window, 9)
        neighbours = window.features.neighbours.neighbours
        assert not neighbours.is_shown
        assert not neighbours.is_busy
        assert neighbours._search._index is None
        assert not neighbours._thread.isRunning()


def test_the_strip_follows_the_frame_when_playing_stops_and_folds_away(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        neighbours = window.features.neighbours.neighbours
        press(window, "toggle_neighbours")
        assert window.menus.actions["toggle_neighbours"].isChecked()
        go(qtbot, window, 5)
        wait(qtbot, lambda: neighbours.tiles.found is not None and neighbours.tiles.found.query.frame_index == 5)
        assert "like frame 6 of Mrs one" in neighbours.strip.title.toolTip()
        assert "exact" in neighbours.strip.title.toolTip()
        window.player.play()
        assert window.player.is_playing
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index > 6)
        assert neighbours.tiles.found is not None
        assert neighbours.tiles.found.query.frame_index == 5
        window.player.pause()
        wait(qtbot, lambda: window.is_idle)
        here = window.session.reading.place.frame_index  # type: ignore[union-attr]
        wait(qtbot, lambda: neighbours.tiles.found is not None and neighbours.tiles.found.query.frame_index == here)
        press(window, "toggle_neighbours")
        assert not neighbours.is_shown
        assert neighbours.tiles.found is None


def test_a_neighbour_opens_in_its_study_and_the_strip_stays(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        neighbours = window.features.neighbours.neighbours
        ask(qtbot, window, 5)
        neighbours.strip.filters.change(replace(neighbours.settings, scope="other patients", min_seconds_among=0))
        wait(qtbot, lambda: window.is_idle)
        assert {study for study, _ in found(window)} == {"three"}
        row = found(window).index(("three", 6))
        strip = neighbours.strip.tiles
        strip.setFocus(Qt.FocusReason.TabFocusReason)
        strip.setCurrentIndex(strip.tiles.index(row))
        QTest.keyClick(strip, Qt.Key.Key_Return)
        wait(qtbot, lambda: opened_study(window) == "three" and window.player.frame_index == 6 and window.is_idle)
        assert neighbours.tiles.found is not None
        assert neighbours.tiles.found.query.study_id == "one"


def test_one_key_asks_in_other_patients_and_goes_back_to_all(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        go(qtbot, window, 5)
        press(window, "find_like_elsewhere")
        wait(qtbot, lambda: window.is_idle)
        assert {study for study, _ in found(window)} == {"three"}
        assert "other patients" in window.features.neighbours.neighbours.strip.filter.toolTip()
        press(window, "find_like_elsewhere")
        wait(qtbot, lambda: window.is_idle)
        assert {"one", "three"} <= {study for study, _ in found(window)}
        go(qtbot, window, 9)
        press(window, "find_like_elsewhere")
        wait(qtbot, lambda: window.is_idle)
        assert {study for study, _ in found(window)} == {"three"}


def test_the_neighbours_label_is_accepted_for_what_is_on_screen_only(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        label(window.session, "three", "blood", 4, 8)
        ask(qtbot, window, 5)
        strip = window.features.neighbours.neighbours.strip
        assert strip.suggestion.text() == "Blood 1.00   Y"
        go(qtbot, window, 20)
        press(window, "accept_votes")
        assert "not on screen" in window.banner.text
        go(qtbot, window, 5)
        press(window, "accept_votes")
        (made,) = window.session.library.annotations.labels("one")
        assert (made.name, made.span.start, len(made.span), made.source) == ("blood", 5, 1, "accepted_suggestion")
        assert made.model_id == "m1"
        assert not strip.suggestion.isEnabled()
        strip.voters.setChecked(True)
        assert {study for study, _ in found(window)} == {"three"}
        press(window, "undo")
        assert strip.suggestion.isEnabled()


def test_neighbours_that_do_not_agree_suggest_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        label(window.session, "three", "blood", 4, 5)
        label(window.session, "two", "ulcer", 4, 5)
        ask(qtbot, window, 5)
        found = window.features.neighbours.neighbours.tiles.found
        assert found is not None
        assert len(found.voters) == 2
        assert window.features.neighbours.neighbours.strip.suggestion.text() == "Undecided"
        press(window, "accept_votes")
        assert "do not agree" in window.banner.text
        assert not window.session.library.annotations.labels("one")


def test_another_model_is_asked_anew(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path, ("one",)) as window:
        session = window.session
        ask(qtbot, window, 5)
        session.library.models.register(write_model(tmp_path / "models", "m2"), title="Model 2")
        session.scores.use_model("m2")
        wait(qtbot, lambda: window.is_idle)
        assert window.features.neighbours.neighbours.tiles.found is None
        assert (
            "No study has been scored by this model yet." in window.features.neighbours.neighbours.strip.message.text()
        )
        session.scores.use_model("m1")
        wait(qtbot, lambda: window.is_idle)
        assert window.features.neighbours.neighbours.tiles.found is not None


def test_tiles_are_painted_until_others_take_their_place(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path, ("one",)) as window:
        ask(qtbot, window, 5)
        neighbours = window.features.neighbours.neighbours
        neighbours.tiles.found = None
        neighbours.strip.tiles.make_again()
        assert neighbours.strip.tiles.tiles.tile(0) is not None
        assert not neighbours.strip.tiles.grab().isNull()


def test_a_study_that_was_not_scored_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path, ("one",)) as window:
        session = window.session
        session.files(session.library.studies.get("one")).scores_path("m1").unlink()
        press(window, "find_like_frame")
        wait(qtbot, lambda: window.is_idle)
        text = window.features.neighbours.neighbours.strip.message.text()
        assert "No study has been scored by this model yet." in text
        assert "Score this study: S." in text
        press(window, "accept_votes")
        assert "There is no suggestion to accept." in window.banner.text


def test_the_key_of_the_strip_and_escape_hide_it(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        neighbours = window.features.neighbours.neighbours
        ask(qtbot, window, 5)
        ask(qtbot, window, 6)
        assert neighbours.is_shown, "another frame is asked for"
        press(window, "find_like_frame")
        assert not neighbours.is_shown
        ask(qtbot, window, 6)
        press(window, "clear_span")
        assert not neighbours.is_shown


def test_a_span_is_asked_for_and_without_one_it_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        go(qtbot, window, 20)
        press(window, "find_like_span")
        assert "No span is marked" in window.banner.text
        window.session.mark_span(4, 8)
        press(window, "find_like_span")
        wait(qtbot, lambda: window.is_idle)
        assert window.features.neighbours.neighbours.tiles.found is not None
        assert window.features.neighbours.neighbours.tiles.found.query.span == (4, 8)
        assert {study for study, _ in found(window)[:2]} <= {"two", "three"}


def test_a_copied_picture_is_searched_for_and_its_file_goes(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with alike_window(qtbot, tmp_path) as window:
        asked: list[EmbedRequest] = []

        def note(request: EmbedRequest) -> int:
            asked.append(request)
            return len(asked)

        monkeypatch.setattr(window.workspace.inference, "ask", note)
        clipboard = QGuiApplication.clipboard()
        clipboard.clear()
        press(window, "find_like_copied")
        assert "The clipboard holds no picture" in window.banner.text
        picture = QImage(40, 30, QImage.Format.Format_RGB32)
        picture.fill(QColor("#a03020"))
        clipboard.setImage(picture)
        press(window, "find_like_copied")
        image = asked[0].image
        assert image is not None
        assert QImage(str(image)).size() == picture.size()
        blood = EmbeddingAnswer(np.array([9, 0, 0], np.float32), "m1", "0" * 64, "backbone", False)
        window.workspace.inference.answered.emit(1, blood)
        wait(qtbot, lambda: window.is_idle)
        assert {frame for _, frame in found(window)[:3]} <= {4, 5, 6, 7}
        assert not image.parent.exists()
        files = QMimeData()
        files.setUrls([QUrl.fromLocalFile(str(tmp_path / "x.png"))])
        clipboard.setMimeData(files)
        press(window, "find_like_copied")
        assert asked[1].image == tmp_path / "x.png"
        clipboard.clear()


def test_a_drawn_region_is_embedded_first_and_an_old_answer_is_passed_over(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with alike_window(qtbot, tmp_path) as window:
        asked: list[EmbedRequest] = []

        def note(request: EmbedRequest) -> int:
            asked.append(request)
            return len(asked)

        monkeypatch.setattr(window.workspace.inference, "ask", note)
        window.show_message("A remark, which stays: it does not lie where the hint stands.")
        press(window, "find_like_region")
        assert window.banner.isVisible()
        embedding = window.features.neighbours.neighbours.embedding
        assert embedding.picker.isVisible()
        QTest.keyClick(embedding.picker, Qt.Key.Key_Return)
        assert asked[0].region == pytest.approx((64 / 3, 64 / 3, 128 / 3, 128 / 3), abs=0.5)
        assert asked[0].field_of_view is not None
        assert window.features.neighbours.neighbours.is_busy
        polyp = EmbeddingAnswer(np.array([0, 9, 0], np.float32), "m1", "0" * 64, "backbone", False)
        window.workspace.inference.answered.emit(99, polyp)
        assert window.features.neighbours.neighbours.tiles.found is None
        window.workspace.inference.answered.emit(1, polyp)
        wait(qtbot, lambda: window.is_idle)
        assert {frame for _, frame in found(window)[:3]} <= {14, 15}
        window.features.neighbours.neighbours.embedding.ask_picture(tmp_path / "x.png")
        window.workspace.inference.failed.emit(2, Outcome("failed", "x.png is no picture.", "Choose another."))
        assert "x.png is no picture." in window.features.neighbours.neighbours.strip.message.text()
        window.features.neighbours.neighbours.embedding.ask_picture(tmp_path / "x.png")
        unlike = Text("No frame of {study_id} resembles one of two others.", "one")
        window.workspace.inference.failed.emit(3, Outcome("failed", unlike))
        said = window.features.neighbours.neighbours.strip.message.text()
        assert said == "No frame of “Mrs one” resembles one of two others."


def test_the_grid_labels_all_frames_of_several_studies_and_one_undo_takes_it_back(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        session = window.session
        session.select_frames(FrameSelection({"one": [4, 5], "three": [6]}))
        press(window, "show_selection")
        grid_window = window.features.neighbours.grid.window
        assert grid_window is not None
        wait(qtbot, lambda: grid_window.isActiveWindow() and window.is_idle)
        QTest.keyClick(grid_window, Qt.Key.Key_4)
        named = {study: [one.name for one in session.library.annotations.labels(study)] for study in ("one", "three")}
        assert named == {"one": ["blood"], "three": ["blood"]}
        QTest.keyClick(grid_window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert not session.library.annotations.labels("one")
        assert not session.library.annotations.labels("three")
        grid_window.tiles.selectionModel().select(
            grid_window.tiles.tiles.index(2), grid_window.tiles.selectionModel().SelectionFlag.Select
        )
        assert list(grid_window.chosen) == [("three", 6)]
        window.features.neighbours.grid.make_finding("ulcer")
        (finding,) = session.library.annotations.findings("three")
        assert (finding.kind, finding.span.start, len(finding.span)) == ("ulcer", 6, 1)
        window.session.settings.set_keys({"find_like_frame": "F13"})  # the grid shares the key and follows
        window.menus.show_keys()
        QTest.keyClick(grid_window, Qt.Key.Key_F13)
        wait(qtbot, lambda: window.is_idle)
        assert window.features.neighbours.neighbours.tiles.found is not None
        assert list(window.features.neighbours.neighbours.tiles.found.query.frames) == [("three", 6)]


def test_an_empty_grid_says_how_to_fill_it_and_a_sheet_is_written_beside(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        press(window, "show_selection")
        grid_window = window.features.neighbours.grid.window
        assert grid_window is not None
        page = grid_window._pages.currentWidget()
        assert isinstance(page, QLabel)
        assert "No frames are selected" in page.text()
        assert not grid_window.labels.isEnabled()
        window.session.select_frames(FrameSelection({"two": range(3)}))
        assert grid_window.labels.isEnabled()
        window.features.neighbours.grid.write_sheet(tmp_path / "sheet.png")
        wait(qtbot, lambda: window.is_idle)
        assert (tmp_path / "sheet.png").is_file()
        assert "3 frames written" in grid_window._said.text()


def test_the_grid_key_shows_what_was_found_or_selected_last(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        session = window.session
        ask(qtbot, window, 9)
        press(window, "show_selection")
        assert set(session.selection) == set(found(window))
        lasso = FrameSelection({"two": range(3)})
        session.select_frames(lasso)
        press(window, "show_selection")
        assert session.selection == lasso
        ask(qtbot, window, 12)
        go(qtbot, window, 13)
        press(window, "find_like_frame")
        assert window.features.neighbours.neighbours.is_busy
        press(window, "show_selection")
        assert "Still searching" in window.banner.text
        assert session.selection == lasso
        wait(qtbot, lambda: window.is_idle)
        press(window, "show_selection")
        assert set(session.selection) == set(found(window))


def test_what_to_label_next_goes_on_with_each_label_and_opens_other_studies(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        session, queue = window.session, window.features.neighbours.queue
        press(window, "what_to_label")
        wait(qtbot, lambda: queue.current is not None and window.is_idle)
        first = queue.current
        assert first is not None
        assert first.study_id == "one"
        assert session.reading is not None
        wait(qtbot, lambda: window.player.frame_index == first.frame_index)
        assert "undecided" in queue.bar.reason.text()
        press(window, "label_1")
        wait(qtbot, lambda: queue.at == 1 and window.is_idle)
        assert [one.name for one in session.library.annotations.labels("one")] == ["polyp"]
        second = queue.current
        assert second is not None
        wait(qtbot, lambda: session.reading is not None and session.reading.study.study_id == second.study_id)
        wait(qtbot, lambda: window.is_idle)
        press(window, "what_to_label")
        wait(qtbot, lambda: queue.at == 2 and window.is_idle)
        press(window, "end_labelling")
        assert queue.bar.isHidden()
        assert "1 frame labelled." in window.banner.text


def test_undo_while_labelling_what_is_next_goes_back_to_the_frame_also_in_another_study(
    qtbot: QtBot, tmp_path: Path
) -> None:
    with alike_window(qtbot, tmp_path) as window:
        session, queue = window.session, window.features.neighbours.queue
        press(window, "what_to_label")
        wait(qtbot, lambda: queue.current is not None and window.is_idle)
        last_of_study = next(at for at, one in enumerate(queue.queue[1:]) if one.study_id != queue.queue[at].study_id)
        for _ in range(last_of_study):
            press(window, "what_to_label")
        wait(qtbot, lambda: queue.at == last_of_study and window.is_idle)
        first = queue.current
        assert first is not None
        wait(qtbot, lambda: window.player.frame_index == first.frame_index)
        press(window, "label_1")
        wait(qtbot, lambda: opened_study(window) != first.study_id and window.is_idle)
        press(window, "undo")
        # A study that opens shows its first picture before the frame that is asked for.
        wait(qtbot, lambda: here(window) == (first.study_id, first.frame_index) and window.is_idle)
        assert queue.current == first
        assert session.reading is not None
        assert session.library.annotations.labels(first.study_id) == ()
        assert session.reading.labels_here() == []
        press(window, "label_2")
        wait(qtbot, lambda: opened_study(window) != first.study_id and window.is_idle)
        press(window, "new_finding")  # something else: undo takes that back, and the queue stays where it is
        second = opened_study(window)
        assert len(session.library.annotations.findings(second)) == 1
        press(window, "undo")
        assert len(session.library.annotations.findings(second)) == 0
        assert queue.at == last_of_study + 1
        assert len(session.library.annotations.labels(first.study_id)) == 1
        press(window, "end_labelling")
        assert "1 frame labelled." in window.banner.text


def test_the_queue_leaves_out_studies_that_were_removed_meanwhile(qtbot: QtBot, tmp_path: Path) -> None:
    with alike_window(qtbot, tmp_path) as window:
        session, queue = window.session, window.features.neighbours.queue
        press(window, "what_to_label")
        wait(qtbot, lambda: queue.current is not None and window.is_idle)
        other = next(one.study_id for one in queue.queue if one.study_id != "one")
        hide_studies(session, [other])
        assert other not in {one.study_id for one in queue.queue}
        assert queue.current is not None
        session.settings.set("protocol", "unaided")
        session.settings_changed.emit()
        assert queue.queue == (), "the protocol hides suggestions in all studies"
        assert queue.bar.isHidden()
