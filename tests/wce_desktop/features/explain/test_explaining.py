"""Explaining the frame on screen: methods, what is asked, refined, stopped, told, and found again."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.explain.answers import VIEW
from tests.wce_desktop.features.explain.windows import explaining_window
from tests.wce_desktop.widgets.player.conftest import to_array
from tests.wce_desktop.windows import main_window, press, wait
from training.inference.explanation import Method
from wce_desktop.features.explain import feature
from wce_desktop.session.settings import Settings
from wce_desktop.shell.main_window import MainWindow


def corner(window: MainWindow) -> str:
    """Method and model of the frame on screen, as its corner says them."""
    assert window.player.frame_index is not None
    layer = window.player.frame_view.overlay.layer(window.player.frame_index)
    return "" if layer is None else layer.source


def test_cam_comes_from_scoring_and_asks_nobody(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        qtbot.keyClick(window, Qt.Key.Key_E)
        assert window.player.frame_view.overlay.is_visible
        assert corner(window) == "CAM, Model 1"
        assert client.asked == []
        assert not window.features.explain.panel.waiting.begin.isEnabled()
        assert not window.banner.text
        qtbot.keyClick(window, Qt.Key.Key_E)
        assert "Shift+V" in window.banner.text, "there is nothing left to do: say how to go on"


def test_exact_score_cam_shows_the_quick_one_first_and_says_how_long_the_exact_one_takes(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("score-cam")
        qtbot.keyClick(window, Qt.Key.Key_E)
        request = client.asked[-1]
        assert (request.frame_index, request.method, request.class_name, request.refine) == (
            12, "score-cam", "polyp", True,
        )  # fmt: skip
        assert request.keep_in is not None
        assert request.keep_in.is_relative_to(window.session.library.folder)
        assert "Explaining frame 13" in window.features.explain.panel.waiting.text.text()
        client.answer("quick", is_final=False)
        assert corner(window) == "Score-CAM, quick estimate, Model 1"
        client.progress(40, 6.2)
        assert (
            window.features.explain.panel.waiting.text.text()
            == "Quick estimate, nearly the same as the exact one on test frames. The exact one follows in 6 s."
        )
        assert window.player.frame_view.overlay.busy_words == "Exact in 6 s (Esc stops)"
        client.answer("score-cam")
        assert corner(window) == "Score-CAM, exact, Model 1"
        assert window.features.explain.panel.waiting.text.text() == "Exact."
        assert window.player.frame_view.overlay.busy_words == ""


def test_a_frame_that_rests_is_explained_by_itself_but_not_while_the_overlay_is_off(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        window.features.reading.go_to_frame(13)
        wait(qtbot, lambda: window.player.frame_index == 13)
        assert not window.features.explain.explaining.is_busy
        press(window, "toggle_overlay")
        wait(qtbot, lambda: bool(client.asked))
        assert (client.asked[-1].frame_index, client.asked[-1].method) == (13, "quick")
        client.answer()
        window.features.reading.go_to_frame(11)
        wait(qtbot, lambda: len(client.asked) == 2)
        window.features.reading.go_to_frame(13)
        wait(qtbot, lambda: window.player.frame_index == 13)
        assert not window.features.explain.explaining._resting.isActive(), "what is known is not asked again"


def test_the_next_frame_supersedes_and_what_comes_late_is_passed_over(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_frame")
        window.features.reading.go_to_frame(13)
        wait(qtbot, lambda: len(client.asked) == 2)
        client.answer(number=1)
        assert window.features.explain.explaining.cams.of(12) is None
        client.answer(number=2)
        assert window.features.explain.explaining.cams.of(13) is not None


def test_a_frame_that_is_not_flagged_has_no_contour_until_the_reader_asks(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explaining = window.features.explain.explaining
        press(window, "toggle_overlay")
        assert corner(window)
        window.session.scores.set_threshold(1.0)
        assert not corner(window), "the threshold was raised above its score"
        window.session.scores.set_threshold(0.5)
        assert corner(window)
        window.features.reading.go_to_frame(30)
        wait(qtbot, lambda: window.player.frame_index == 30)
        assert not corner(window)
        assert "(press E to explain)" in window.player.frame_view.overlay.missing_words
        explaining.hold(True)
        assert corner(window), "all evidence is coloured while C is held"
        explaining.hold(False)
        assert not corner(window)
        qtbot.keyClick(window.player, Qt.Key.Key_E)
        assert corner(window)
        assert client.asked == []


def test_the_overlay_is_remembered_but_not_that_its_key_is_held(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        explaining = window.features.explain.explaining
        for is_on in (True, False):
            press(window, "toggle_overlay")
            explaining.hold(True)
            assert Settings(tmp_path / "settings.json")["is_overlay_on"] is is_on
            explaining.hold(False)
            assert Settings(tmp_path / "settings.json")["is_overlay_on"] is is_on


def test_escape_stops_and_nothing_begins_again_by_itself(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("score-cam")
        press(window, "explain_frame")
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert client.cancelled == 1
        assert not window.features.explain.explaining.is_busy
        assert window.features.explain.panel.waiting.text.text() == "This frame is not explained yet."
        assert window.player.frame_view.overlay.busy_words == ""


def test_another_class_and_another_study_want_no_more_of_what_is_being_computed(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_frame")
        press(window, "next_class")
        assert client.cancelled == 1
        wait(qtbot, lambda: len(client.asked) == 2)
        assert client.asked[-1].class_name == "blood"
        window.session.close_study()
        assert client.cancelled == 2
        assert not window.features.explain.explaining.is_busy
        assert window.features.explain.panel.waiting.text.text() == ""


def test_a_failure_is_a_sentence_and_the_frame_is_not_asked_for_again_until_it_is_wished(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.features.explain.explaining.choose_method("quick")
        press(window, "explain_frame")
        client.fail("m1 has no linear classifier, so there is no CAM.", "Take Score-CAM.")
        assert (
            window.features.explain.panel.waiting.text.text()
            == "m1 has no linear classifier, so there is no CAM. Take Score-CAM."
        )
        window.player.set_overlay_visible(False)
        window.player.set_overlay_visible(True)
        assert not window.features.explain.explaining.is_busy
        press(window, "explain_frame")
        assert len(client.asked) == 2


def test_a_study_without_scores_is_explained_too_laid_where_the_model_saw_it(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch, is_scored=False) as (window, client):
        assert list(window.features.explain.panel.rows.bars) == ["polyp", "blood"]
        press(window, "explain_frame")
        assert client.asked[-1].method == "cam"
        assert client.asked[-1].field_of_view is None
        client.answer()
        assert corner(window) == "CAM, Model 1"
        assert window.player.frame_view.overlay.field_of_view is not None
        assert window.features.explain.explaining.cams.score(12, "polyp") == 0.75
        assert window.features.explain.notes_of(12).score_text == "Polyp 0.75"


def test_methods_and_looks_by_key_show_everywhere(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ShiftModifier)
        assert window.features.explain.panel.method.currentText() == "Score-CAM, quick"
        window.features.explain.panel.method.setCurrentIndex(0)
        window.features.explain.panel.method.activated.emit(0)
        assert window.features.explain.explaining.cams.method == "cam"
        window.features.explain.panel.level.setValue(80)
        assert window.player.frame_view.overlay.contour_level == pytest.approx(0.8)
        qtbot.keyClick(window, Qt.Key.Key_B)
        assert window.player.frame_view.is_beside
        assert window.features.explain.panel.beside.isChecked()
        window.features.explain.panel.beside.setChecked(False)
        assert not window.player.frame_view.is_beside
        assert not window.menus.actions["side_by_side"].isChecked()


def test_tab_leads_through_the_panel_from_top_to_bottom(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        press(window, "show_explain")
        window.features.explain.panel.beside.setFocus(Qt.FocusReason.TabFocusReason)
        order: list[QWidget | None] = [window.features.explain.panel.beside]
        while (
            order[-1] is not None and order[-1] is not window.features.explain.panel.boxes.suggest and len(order) < 200
        ):
            order.append(order[-1].nextInFocusChain())
        rows, waiting = (
            window.features.explain.panel.rows.buttons,
            window.features.explain.panel.waiting,
        )
        wanted = [rows["polyp"], rows["blood"], waiting.begin, waiting.stop]
        assert [one for one in order if one in wanted] == wanted


def test_without_model_or_study_the_panel_says_the_next_step(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch, has_study=False) as (window, _):
        window.features.explain.explaining.show(None)
        assert window.features.explain.panel.note.text() == "Open a study to see how the model scores its frames."
        assert not window.menus.actions["explain_frame"].isEnabled()
        window.guard(window.features.explain.explaining.explain_frame)()
        assert "No study is open." in window.banner.text


def test_what_was_computed_is_found_again_in_the_study_s_folder(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.wce_desktop.features.explain.answers import make_explanation
    from training.service.answer_files import ExplanationAnswer, write_answer
    from training.service.requests import kept_path

    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explaining = window.features.explain.explaining
        request, model = explaining.cams.request(12, "score-cam"), window.session.current_model
        assert request is not None
        assert request.keep_in is not None
        assert model is not None
        place = kept_path(request.keep_in, model.weights_sha256, request)
        write_answer(place, ExplanationAnswer(12, make_explanation(request), model.weights_sha256))
        explaining.choose_method("score-cam")
        wait(qtbot, lambda: corner(window) == "Score-CAM, exact, Model 1")
        press(window, "explain_frame")
        assert client.asked == []


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_study_that_opens_has_the_model_ready_where_the_user_wants_it(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_wanted: bool
) -> None:
    monkeypatch.setattr(feature, "PREPARE_AFTER_MS", 10)
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        (study,) = window.session.library.studies.all()
        window.features.studies.leave()
        assert not client.is_warm
        window.session.settings.set("keep_model_ready", is_wanted)
        with qtbot.waitSignal(window.features.explain._prepare_soon.timeout):
            window.features.studies.open_study(study)
        assert client.is_warm == is_wanted
        assert client.asked == []


def frame_pixels(window: MainWindow) -> NDArray[np.int64]:
    """The upper half of the frame as painted, (H, W, 3): what the legend never covers."""
    rect = window.player.frame_view.frame_rects()[0].toRect()
    painted = to_array(window.player.frame_view.grab(rect).toImage())
    return painted[: painted.shape[0] // 2].astype(np.int64)


@pytest.mark.parametrize("method", ["quick", "score-cam"])
def test_a_score_cam_leaves_what_is_no_evidence_and_what_lies_outside_the_field_of_view_as_it_is(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: Method
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch, is_scored=False) as (window, client):
        plain = frame_pixels(window)
        window.features.explain.explaining.choose_method(method)
        qtbot.keyClick(window, Qt.Key.Key_E)
        client.answer(method)
        outlined = np.abs(frame_pixels(window) - plain).max(axis=2) > 2
        window.features.explain.explaining.hold(is_held=True)
        changed = np.abs(frame_pixels(window) - plain).max(axis=2) > 2
        height, width = changed.shape[0] * 2, changed.shape[1]
        inside = replace(VIEW, radius=VIEW.radius + 0.3).mask(height, width)[: height // 2]  # the edge is smoothed
        assert not changed[~inside].any(), "nothing is drawn outside the field of view"
        right = np.zeros_like(changed)
        right[:, 5 * width // 8 :] = True
        assert not (changed & right).any(), "the background of the map, 0.1 everywhere, is no evidence"
        left = inside & ~right
        left[:, 3 * width // 8 :] = False
        assert changed[left].mean() > 0.6, "the evidence in the upper left is filled while the key is held"
        assert not (outlined & (right | ~inside)).any()
        assert 0 < outlined[inside & ~right].mean() < 0.4, "a contour leaves tissue as it is"
        window.features.explain.explaining.hold(is_held=False)
        assert (np.abs(frame_pixels(window) - plain).max(axis=2) > 2).sum() == outlined.sum()


def test_overlay_legend_and_chip_speak_of_the_same_class(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        window.session.explain("blood")
        frames = {event.name: event.span for event in reading.flags.events}

        def is_at(frame_index: int) -> bool:
            return reading is not None and reading.place.frame_index == frame_index

        for name in ("polyp", "blood", "polyp"):
            window.player.show_frame(frames[name].start)
            wait(qtbot, partial(is_at, frames[name].start))
            notes = window.features.explain.notes_of(frames[name].start)
            assert [chip.name for chip in notes.chips] == [name]
            assert notes.score_text.startswith(window.session.vocabulary.of(name).shown_title)
        window.session.explain("blood")  # what the reader chooses stays within the event
        window.player.show_frame(frames["polyp"].start + 1)
        wait(qtbot, partial(is_at, frames["polyp"].start + 1))
        assert window.session.explained == "blood"
