"""Annotation files in the window: asked what they do not say, imported, exported with pictures, stopped."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.exchange.dialogs import click, export_as, shown_dialog
from tests.wce_desktop.windows import main_window, press, wait
from training.datasets import local_paths
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box
from wce_desktop.features.exchange.export_dialogs import ExportDialog
from wce_desktop.features.exchange.import_dialogs import AnswersDialog, ImportDialog
from wce_desktop.library import exchange
from wce_desktop.library.exchange import EXPORT_FORMATS
from wce_desktop.shell.main_window import MainWindow


def study_of(window: MainWindow) -> str:
    assert window.session.reading is not None
    return window.session.reading.study.study_id


def boxes_of(window: MainWindow) -> list[tuple[int, str]]:
    return [(box.frame_index, box.name) for box in window.session.library.annotations.boxes(study_of(window))]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A COCO file that names no study and has a class of its own; the reader chooses it."""
    path = tmp_path / "colleague.json"
    document = {
        "images": [{"id": at, "file_name": f"frame_{at:06d}.png"} for at in range(4)],
        "categories": [{"id": 1, "name": "Polyp"}, {"id": 2, "name": "Foam <b>"}, {"id": 3, "name": "Rest"}],
        "annotations": [
            {"id": at, "image_id": at, "category_id": 1 + at % 3, "bbox": [1, 2, 10, 10]} for at in range(4)
        ],
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the reader chooses."""
    chosen = tmp_path / "out"
    chosen.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(chosen))
    return chosen


def add_boxes(window: MainWindow) -> None:
    study_id = study_of(window)
    boxes = [Box(f"b{at}", study_id, 10 + at, 5, 6, 20, 30, "polyp") for at in range(3)]
    window.session.library.annotations.edit(study_id, "boxes", [Add(box) for box in boxes])
    window.session.edits.reload()


def test_study_and_classes_are_asked_with_the_mouse_and_imported(
    qtbot: QtBot, tmp_path: Path, file: Path, asked: list[str]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).file)
        wait(qtbot, lambda: any(one.isVisible() for one in window.findChildren(AnswersDialog)))
        dialog = shown_dialog(window, AnswersDialog)
        (study,) = dialog.recordings.values()
        assert study.currentData() == ""  # never the open one by itself
        assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()
        study.setFocus()
        qtbot.keyClick(study, Qt.Key.Key_Down)
        assert study.currentData() == study_of(window)
        assert {name: box.currentData() for name, box in dialog.classes.items()} == {"Foam <b>": "", "Rest": ""}
        rest = dialog.classes["Rest"]
        rest.setFocus()
        qtbot.keyClick(rest, Qt.Key.Key_End)
        rest.setCurrentIndex(rest.findData("blood"))
        click(qtbot, dialog.go_on)
        wait(qtbot, lambda: not window.features.exchange.is_busy and bool(asked) and bool(boxes_of(window)))
        assert boxes_of(window) == [(0, "polyp"), (2, "blood"), (3, "polyp")]
        assert "The class “Foam <b>” is left out: 1 box or label." in asked[0]
        assert "3 boxes" in asked[0]
        assert window.session.reading is not None
        assert sorted(label.name for label in window.session.reading.entries.labels) == ["blood", "polyp", "polyp"]
        press(window, "undo")
        assert boxes_of(window) == []


def test_numbers_that_may_count_from_0_or_1_are_asked(
    qtbot: QtBot, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        images = [{"id": 1, "file_name": f"{study_of(window)}_0005.png"}]
        boxes = [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 10, 10]}]
        path = tmp_path / "theirs.json"
        path.write_text(
            json.dumps({"images": images, "categories": [{"id": 1, "name": "polyp"}], "annotations": boxes}),
            encoding="utf-8",
        )
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).file)
        wait(qtbot, lambda: any(one.isVisible() for one in window.findChildren(AnswersDialog)))
        dialog = shown_dialog(window, AnswersDialog)
        assert [dialog.first_frame.itemData(at) for at in range(dialog.first_frame.count())] == [0, 1]
        dialog.first_frame.setFocus()
        qtbot.keyClick(dialog.first_frame, Qt.Key.Key_Down)
        click(qtbot, dialog.go_on)
        wait(qtbot, lambda: bool(boxes_of(window)))
        assert boxes_of(window) == [(4, "polyp")]
        assert "count from 1, as was chosen: " in asked[0]


def test_an_answer_that_is_cancelled_imports_nothing(qtbot: QtBot, tmp_path: Path, file: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).file)
        wait(qtbot, lambda: any(one.isVisible() for one in window.findChildren(AnswersDialog)))
        qtbot.keyClick(shown_dialog(window, AnswersDialog), Qt.Key.Key_Escape)
        assert not window.features.exchange.is_busy
        assert boxes_of(window) == []


def test_annotations_without_any_study_are_a_sentence(qtbot: QtBot, tmp_path: Path, file: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).file)
        wait(qtbot, lambda: "The library has no study yet" in window.banner.text)


def test_every_format_is_explained_and_pictures_only_where_there_are_any(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "export_labels")
        dialog = shown_dialog(window, ExportDialog)
        for at, each in enumerate(EXPORT_FORMATS):
            dialog.formats.setCurrentIndex(at)
            assert dialog.format is each
            assert dialog.about.text() == each.about
            assert dialog.with_normal.isVisible() == bool(each.suffix)
            assert dialog.for_training.isVisible() == (each.name == "csv")
            assert not dialog.has_paths
        dialog.formats.setCurrentIndex(dialog.formats.findData("csv"))
        dialog.for_training.click()
        assert dialog.has_paths
        assert "Do not share it" in dialog.pictures.text()
        assert dialog.study_id == ""
        click(qtbot, dialog.this_study)
        assert dialog.study_id == study_of(window)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.parametrize("is_for_training", [False, True])
def test_the_places_of_videos_are_written_where_that_is_ticked(
    qtbot: QtBot, tmp_path: Path, folder: Path, is_for_training: bool
) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "export_labels")
        dialog = shown_dialog(window, ExportDialog)
        if is_for_training:
            dialog.for_training.click()
        click(qtbot, dialog.export)
        assert (folder / "labels.csv").exists()
        assert (folder / local_paths.FILE_NAME).exists() == is_for_training


def test_an_export_with_pictures_is_written_beside_the_window(qtbot: QtBot, tmp_path: Path, folder: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_boxes(window)
        for name in ("coco", "yolo", "yolo"):
            export_as(qtbot, window, name, this_study=True)
            wait(qtbot, lambda: not window.features.exchange.is_busy)
            assert window.banner.text.startswith("3 boxes, 3 frames of 1 study, 3 pictures written to")
        document = json.loads((folder / "annotations" / "instances_default.json").read_text(encoding="utf-8"))
        assert [image["frame_index"] for image in document["images"]] == [10, 11, 12]
        for image in document["images"]:
            assert cv2.imread(str(folder / "images" / "default" / image["file_name"])) is not None
        # What is there stays: later exports get folders of their own.
        assert sorted(path.name for path in folder.iterdir()) == ["annotations", "images", "yolo", "yolo-2"]


def test_an_export_can_be_stopped(qtbot: QtBot, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: Any, reporter: Reporter, **__: Any) -> None:
        reporter.progress(2, 900, "frames", "writing P03a")
        while True:
            reporter.check()

    monkeypatch.setattr(exchange, "export_annotations", endless)
    with main_window(qtbot, tmp_path) as window:
        export_as(qtbot, window, "coco")
        (dialog,) = window.findChildren(QProgressDialog)
        wait(qtbot, lambda: dialog.isVisible() and dialog.value() == 2)
        assert dialog.labelText().endswith("2 of 900 frames")
        stop = dialog.findChild(QPushButton)
        assert stop is not None
        click(qtbot, stop)
        assert not window.features.exchange.is_busy
        assert window.banner.text == "Nothing was exported."


def test_an_export_of_nothing_and_into_a_study_are_sentences(
    qtbot: QtBot, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        export_as(qtbot, window, "coco")
        wait(qtbot, lambda: "There is nothing to export" in window.banner.text)
        assert list(folder.iterdir()) == []
        add_boxes(window)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(window.session.library.folder))
        export_as(qtbot, window, "coco")
        wait(qtbot, lambda: "lies inside the library or a study" in window.banner.text)


def test_recordings_that_are_not_clear_are_asked_one_by_one_and_left_out_by_default(
    qtbot: QtBot, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        study = study_of(window)
        names = [f"{study}/frame_0000.png", "elsewhere/frame_0001.png", "nowhere.mp4#t=0.2.png"]
        document = {
            "images": [{"id": at, "file_name": name} for at, name in enumerate(names)],
            "categories": [{"id": 1, "name": "polyp"}],
            "annotations": [{"id": at, "image_id": at, "category_id": 1, "bbox": [1, 2, 10, 10]} for at in range(3)],
        }
        path = tmp_path / "theirs.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).file)
        wait(qtbot, lambda: any(dialog.isVisible() for dialog in window.findChildren(AnswersDialog)))
        dialog = shown_dialog(window, AnswersDialog)
        answers = {name: box.currentData() for name, box in dialog.recordings.items()}
        assert answers == {study: study, "elsewhere": "", "nowhere.mp4": ""}
        said = "\n".join(label.text() for label in dialog.findChildren(QLabel))
        assert "First image: frame_0001.png." in said
        assert "First image: nowhere.mp4#t=0.2.png." in said
        click(qtbot, dialog.go_on)
        wait(qtbot, lambda: bool(boxes_of(window)))
        assert boxes_of(window) == [(0, "polyp")]
        assert "frame_0000.png is frame 1, 0.00 s" in asked[0]
        assert "2 images with 2 boxes left out: their recording was left out (elsewhere, nowhere.mp4)." in asked[0]
