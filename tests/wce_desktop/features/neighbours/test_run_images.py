"""Errors of a run on images: shown from their folder, and relabelled once the images were imported under new names."""

import shutil
from pathlib import Path

import cv2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.videos import numbered_frame
from tests.wce_desktop.alike_samples import alike_session, label
from tests.wce_desktop.features.neighbours.test_errors_grid import errors_window
from tests.wce_desktop.windows import wait, window_on
from training.datasets.image_set import write_image_folders
from training.datasets.manifest import Manifest, save_manifest
from training.datasets.score_table import COLUMNS
from training.files.csv_text import write_csv
from training.runs.folder import write_json
from training.runs.reporter import SilentReporter
from wce_desktop.features.neighbours.run_images import place_errors
from wce_desktop.library.exchange.labelled_folder import meanings, read_labelled_folder, reader_for
from wce_desktop.library.exchange.labelled_images import add_labelled_images
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session

NAMES = ("b/x.png", "a/y.png", "a/z.png")
GROUPS = ("one", "two", "two")
LABELS = ("Polyp", "normal", "normal")
SCORES = ((0.9, 0.1), (0.02, 0.98), (0.99, 0.01))
"""The first is a false negative, the second a false positive, the third right."""


def folder_of_images(folder: Path) -> Path:
    """The images, and labels.csv beside them; a group is called as a study of the library."""
    for number, name in enumerate(NAMES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / name), numbered_frame(number))
    rows = zip(NAMES, LABELS, GROUPS, strict=True)
    write_csv(folder / "labels.csv", ["filename", "label", "group"], rows)
    return folder


def right_rows() -> list[list[object]]:
    """Of normal images that are right, so that a share of the normal ones may be flagged."""
    return [[0, 1, "r", "r", 9 + at, f"{at}.png", "", "normal", 0.8, 0.2] for at in range(40)]


def run_on_images(session: Session, images: Path) -> Run:
    """An evaluation of a model on the images."""
    run = session.library.runs.add("other", kind="evaluate", run_id="r-out")
    rows = [
        [0, 1, group, group, at, name, "", name_of, *scores]
        for at, (name, group, name_of, scores) in enumerate(zip(NAMES, GROUPS, LABELS, SCORES, strict=True))
    ]
    write_csv(run.folder / "scores.csv", [*COLUMNS, "normal", "Polyp"], [*rows, *right_rows()])
    write_json(run.folder / "config.json", {"command": "evaluate", "config": {"images": str(images)}})
    session.library.runs.finish("r-out", "done", {})
    return run


def import_images(session: Session, images: Path) -> None:
    """Import the folder with its labels."""
    names = session.vocabulary.names
    data_set = reader_for(images, names)
    assert data_set is not None
    folder = read_labelled_folder(images, data_set, SilentReporter())
    add_labelled_images(session.library, folder, meanings(folder.labels, names), SilentReporter())


def test_images_are_found_in_the_library_by_their_content(tmp_path: Path) -> None:
    session, images = alike_session(tmp_path), folder_of_images(tmp_path / "images")
    run, classes = run_on_images(session, images), session.vocabulary.names
    placed = place_errors(session, run, classes, SilentReporter())
    assert [error.file for error in placed.errors] == [images / "b/x.png", images / "a/y.png"]
    assert [error.labels for error in placed.errors] == [("polyp",), ("normal",)], "as the library calls them"
    import_images(session, images)
    placed = place_errors(session, run, classes, SilentReporter())
    assert all(error.file is None for error in placed.errors)
    for error, label_name in zip(placed.errors, ("polyp", "normal"), strict=True):
        assert error.study_id not in GROUPS, "a group that is called as a study is none"
        track = session.library.annotations.label_track(error.study_id)
        assert [label.name for label in track.at(error.frame_index)] == [label_name]
    shutil.rmtree(images)
    assert place_errors(session, run, classes, SilentReporter()).missing == 2
    session.library.close()


def test_images_of_a_fine_tuning_are_found_in_its_folder(tmp_path: Path) -> None:
    session, images = alike_session(tmp_path), folder_of_images(tmp_path / "images")
    run = session.library.runs.add("ft", run_id="r-ft")
    inputs = run.folder / "inputs"
    inputs.mkdir()
    groups = {"one": [images / NAMES[0]], "two": [images / name for name in NAMES[1:]]}
    save_manifest(inputs / "manifest.json", Manifest(studies=write_image_folders(groups, inputs / "images")))
    rows = [
        [0, 1, f"images of {group}", group, at, "", "", name, *scores]
        for group, at, name, scores in zip(GROUPS, (0, 0, 1), LABELS, SCORES, strict=True)
    ]
    write_csv(run.folder / "scores.csv", [*COLUMNS, "normal", "Polyp"], [*rows, *right_rows()])
    placed = place_errors(session, run, session.vocabulary.names, SilentReporter())
    files = [error.file for error in placed.errors if error.file is not None]
    assert [file.read_bytes() for file in files] == [(images / name).read_bytes() for name in NAMES[:2]]
    import_images(session, images)
    assert not any(e.file for e in place_errors(session, run, session.vocabulary.names, SilentReporter()).errors)
    session.library.close()


def test_images_are_looked_at_and_relabelled_once_they_are_imported(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, images = alike_session(tmp_path), folder_of_images(tmp_path / "images")
    label(session, "one", "blood", 0, 8)
    run_on_images(session, images)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        errors = errors_window(qtbot, window)
        assert errors._said.text().startswith("2 images are not in this library and can only be looked at. Import")
        errors.kind.setCurrentIndex(errors.kind.findData("false negative"))
        tile = errors.tiles.tiles.tile(0)
        assert tile is not None
        assert tile.caption.startswith("Polyp → Normal")
        assert "b/x.png, not in the library" in tile.sentence
        grid = window.features.neighbours.errors
        wait(qtbot, lambda: (grid._picture(*errors.frames[0]) or tile) is not tile)
        QTest.keyClick(errors, Qt.Key.Key_2)
        assert errors._said.text().startswith("This image is not in the library. Import its folder")
        errors.tiles.setFocus()
        QTest.keyClick(errors.tiles, Qt.Key.Key_Return)
        assert window.session.reading is not None
        assert window.session.reading.study.study_id == "one"
        import_images(session, images)
        session.studies_changed.emit()
        wait(qtbot, lambda: window.is_idle and not errors.outside and len(errors.frames) == 1)
        assert not errors._said.text()
        study_id, frame_index = errors.frames[0]
        errors.tiles.setCurrentIndex(errors.tiles.tiles.index(0))
        QTest.keyClick(errors, Qt.Key.Key_0)
        track = session.library.annotations.label_track(study_id)
        assert [label.name for label in track.at(frame_index)] == ["normal"]
        wait(qtbot, lambda: window.features.neighbours.pictures.get(study_id, frame_index) is not None)
