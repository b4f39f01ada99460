"""Suggested boxes and what is exported: dashed until answered, undone as one, masked, signed, nameless."""

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.capture.saving import save_picture
from tests.wce_desktop.features.explain.answers import FakeAsker
from tests.wce_desktop.features.explain.windows import explaining_window
from tests.wce_desktop.windows import press, wait
from wce_desktop.features.capture.feature import MARGIN_PX, masked
from wce_desktop.shell.main_window import MainWindow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def explained(window: MainWindow, client: FakeAsker) -> None:
    """Explain the frame on screen by quick Score-CAM, whose answer knows the field of view."""
    window.features.explain.explaining.choose_method("quick")
    press(window, "explain_frame")
    client.answer()


def test_suggested_boxes_are_dashed_and_become_boxes_of_the_finding_when_accepted(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explained(window, client)
        press(window, "new_finding")
        qtbot.keyClick(window, Qt.Key.Key_W)
        (outline,) = window.features.explain.notes_of(12).outlines
        assert (outline.title, outline.is_suggested) == ("Polyp?", True)
        assert outline.x_max < 40, "the evidence lies in the left half"
        assert window.features.explain.panel.boxes.text.text() == "Boxes: 1 suggested, drawn dashed"
        assert window.session.reading is not None
        assert window.session.reading.entries.boxes == []
        qtbot.keyClick(window, Qt.Key.Key_W, SHIFT)
        (box,) = window.session.library.annotations.boxes(window.session.reading.study.study_id)
        assert (box.frame_index, box.name) == (12, "polyp")
        assert box.finding_id == window.session.reading.entries.findings[0].finding_id
        (outline,) = window.features.explain.notes_of(12).outlines
        assert not outline.is_suggested
        assert window.session.edits.undo_title == "Accept 1 box around polyp"
        press(window, "undo")
        assert window.session.reading.entries.boxes == []


def test_suggested_boxes_stay_where_they_cannot_be_kept(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explained(window, client)
        press(window, "suggest_boxes")
        reading = window.session.reading
        assert reading is not None
        with sqlite3.connect(window.session.library.folder / "library.sqlite") as other:
            other.execute("CREATE TRIGGER full BEFORE INSERT ON boxes BEGIN SELECT RAISE(ABORT, 'no room'); END")
        with pytest.raises(Exception, match="no room"):
            window.features.explain.boxes.suggestions.accept(reading)
        assert len(window.features.explain.notes_of(12).outlines) == 1
        assert reading.entries.boxes == []


def test_boxes_for_what_the_model_does_not_see_are_suggested_with_a_warning(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explained(window, client)
        reading = window.session.reading
        assert reading is not None
        score = window.features.explain.explaining.cams.score(12, "polyp")
        window.session.scores.set_threshold(score - 0.01)
        press(window, "suggest_boxes")
        assert not window.banner.text
        window.session.scores.set_threshold(score + 0.01)
        press(window, "suggest_boxes")
        assert f"only {score:.2f} here" in window.banner.text


def test_rejected_boxes_go_and_an_answer_without_suggestion_is_a_sentence(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explained(window, client)
        press(window, "suggest_boxes")
        qtbot.keyClick(window, Qt.Key.Key_W, CONTROL)
        assert window.features.explain.notes_of(12).outlines == ()
        press(window, "accept_boxes")
        assert "No box is suggested on this frame." in window.banner.text
        assert not window.features.explain.panel.boxes.accept.isEnabled()


def test_a_frame_without_explanation_has_nothing_to_suggest(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        window.features.explain.explaining.choose_method("quick")
        press(window, "suggest_boxes")
        assert "This frame has no explanation yet." in window.banner.text


def test_coco_holds_accepted_and_suggested_boxes_with_method_and_model(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        window.guard(window.features.explain.boxes.export_to)(tmp_path / "none.json")
        assert "This study has no boxes." in window.banner.text
        explained(window, client)
        press(window, "suggest_boxes")
        press(window, "accept_boxes")
        window.features.explain.boxes.export_to(tmp_path / "accepted.json")
        told = json.loads((tmp_path / "accepted.json").read_text())
        assert told["info"]["method"] == "Score-CAM, quick form", "also once nothing is suggested any more"
        press(window, "suggest_boxes")
        window.features.explain.boxes.export_to(tmp_path / "boxes.json")
        told = json.loads((tmp_path / "boxes.json").read_text())
        assert [one["source"] for one in told["annotations"]] == ["accepted", "suggestion"]
        assert told["annotations"][0]["bbox"] == told["annotations"][1]["bbox"]
        assert [one["name"] for one in told["categories"]] == ["polyp"]
        assert (told["images"][0]["frame_index"], told["images"][0]["width"]) == (12, 64)
        assert told["info"]["model"] == "m1"
        assert "Score-CAM, quick" in told["info"]["method"]


def picture_of(window: MainWindow, path: Path) -> QImage:
    save_picture(window, path)
    return QImage(str(path))


def test_the_picture_is_masked_outside_the_field_of_view_and_shows_the_frame_alone_beside(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        explained(window, client)
        one = picture_of(window, tmp_path / "one.png")
        assert one.pixelColor(MARGIN_PX + 2, MARGIN_PX + 2) == QColor("black"), "where a name could stand"
        assert one.height() > 640
        press(window, "side_by_side")
        two = picture_of(window, tmp_path / "two.png")
        assert two.width() == 2 * one.width() - MARGIN_PX
        assert [path.name for path in tmp_path.glob(".*partial*")] == []
        save_picture(window, tmp_path / "no" / "such" / "one.png")
        assert "cannot be written" in window.banner.text


def test_a_field_of_view_that_is_not_known_is_searched_for(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):  # the little study's scores know none
        press(window, "explain_frame")
        save_picture(window, tmp_path / "one.png")
        wait(qtbot, lambda: (tmp_path / "one.png").exists())
        assert "Exported: one.png" in window.banner.text


def test_masking_leaves_the_tissue_as_it_is() -> None:
    from tests.wce_desktop.features.explain.answers import VIEW
    from tests.wce_desktop.widgets.player.conftest import to_array
    from wce_desktop.widgets.player.pictures import frame_picture

    frame = np.random.default_rng(0).integers(1, 256, (48, 64, 3), np.uint8)
    shown = to_array(masked(frame_picture(frame), VIEW))
    inside = VIEW.mask(48, 64)
    np.testing.assert_array_equal(shown[inside], frame[inside])
    assert not shown[~inside].any()
