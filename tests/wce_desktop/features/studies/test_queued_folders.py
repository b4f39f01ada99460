"""Folders that are dropped or opened: what is queued, and what the window says of the rest."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.training.video.test_folders import everything, mask, photo, series, write
from tests.videos import number_of, write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.video import NUMBERING, open_source
from training.video.formats import fingerprint
from training.video.indexing import OLD_NUMBERING_NOTE
from wce_desktop.library.exchange import export_library
from wce_desktop.shell.main_window import MainWindow


def drop(qtbot: QtBot, window: MainWindow, paths: Sequence[Path]) -> None:
    """Drop files as a file manager does, and wait until all are taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    pressed = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    for event in (QDragEnterEvent(QPoint(9, 9), *pressed), QDropEvent(QPointF(9, 9), *pressed)):
        QApplication.sendEvent(window, event)
        assert event.isAccepted()
    wait(qtbot, lambda: window.is_idle)


def test_a_dropped_folder_of_videos_is_queued_whatever_their_suffix(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "capsules"
    folder.mkdir()
    for count, name in enumerate(("a.wmv", "b.vob", "c.mts", "d.m2t")):
        write_video(folder / f"{count}.mp4", 20 + count).rename(folder / name)
    for name in ("notes.txt", ".DS_Store", "._a.wmv"):
        (folder / name).write_bytes(b"no video")
    (folder / "empty.wmv").touch()
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        drop(qtbot, window, [folder])
        names = {study.path.name for study in window.session.library.studies.all()}
        assert names == {"a.wmv", "b.vob", "c.mts", "d.m2t"}
        assert window.session.reading is not None
        assert window.session.reading.study.path.name == "a.wmv"
        assert "Empty files, left out (1): empty.wmv." in window.banner.text
        assert "Files of other kinds, left out (1): notes.txt." in window.banner.text
        assert "Hidden files and files of the system, left out (2): ._a.wmv, .DS_Store." in window.banner.text
        assert "left out" not in window.banner.error


def test_an_opened_folder_queues_the_folders_of_images_in_it_but_those_of_masks(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("exams/P1/frames", "exams/P2/frames", "exams/P2/masks"):
        for number in range(3):
            write(tmp_path / place / f"{number}.png", mask(number) if "masks" in place else photo(number + len(place)))
    (tmp_path / "exams" / "P2" / "frames" / "0.png").unlink()
    (tmp_path / "exams" / "dicom").mkdir()
    series(tmp_path / "exams" / "dicom", [1, 0], InstanceNumber=["2", "1"])
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        monkeypatch.setattr(window.workspace.files, "ask_folder", lambda *_: tmp_path / "exams")
        press(window, "open_folder")
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        paths = {
            study.path.relative_to(tmp_path / "exams").as_posix() for study in window.session.library.studies.all()
        }
        assert paths == {"P1/frames", "P2/frames", "dicom"}
        assert "Masks of other images, left out (1): P2/masks/." in window.banner.text


def test_a_folder_of_images_says_what_it_leaves_out_when_it_opens(qtbot: QtBot, tmp_path: Path) -> None:
    everything(tmp_path / "frames")
    write(tmp_path / "frames" / "0_mask.png", mask(1))
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        drop(qtbot, window, [tmp_path / "frames"])
        assert window.session.reading is not None
        assert window.session.reading.index.files == ("0.jpg", "1.jpg")
        for sentence in (
            "Masks of other images, left out (1): 0_mask.png.",
            "Videos, to be opened by themselves (1): clip.mp4.",
            "Folders, to be opened by themselves (1): more.",
        ):
            assert sentence in window.banner.text


def test_files_that_cannot_be_added_are_named_in_one_message(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "capsules"
    folder.mkdir()
    write_video(folder / "a.mp4", 20)
    for number in range(5):
        (folder / f"bad{number}.mp4").write_bytes(b"no video")
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        errors: list[str] = []
        window.banner.message_shown.connect(lambda text, is_error: errors.append(text) if is_error else None)
        drop(qtbot, window, [folder])
        assert len(errors) == 1
        assert errors[0].startswith("5 files could not be added. ")
        assert [f"bad{number}.mp4" in errors[0] for number in range(5)] == [True, True, True, False, False]


def test_a_folder_without_studies_names_what_it_holds(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "report.pdf").write_bytes(b"pdf")
    with main_window(qtbot, tmp_path, has_study=False) as window:
        drop(qtbot, window, [tmp_path / "papers"])
        assert "“papers” contains neither images nor videos." in window.banner.error
        assert "left out (1): report.pdf." in window.banner.error


def test_an_export_of_labels_says_how_it_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=True) as window:
        export_library(window.session.library, tmp_path / "export")
        drop(qtbot, window, [tmp_path / "export"])
        assert "“export” holds labels of studies, but no recordings." in window.banner.error
        assert "Study > Import labels… (Ctrl+I)" in window.banner.error


def test_dropped_files_that_are_no_studies_are_named(qtbot: QtBot, tmp_path: Path) -> None:
    videos = [write_video(tmp_path / f"{count}.mp4", count) for count in (20, 30)]
    (tmp_path / "notes.txt").write_text("no video")
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        drop(qtbot, window, [*videos, tmp_path / "notes.txt"])
        assert len(window.session.library.studies.all()) == 2
        assert "Files of other kinds, left out (1): notes.txt." in window.banner.text
        assert not window.banner.error


def test_a_series_of_dicom_pictures_opens_as_a_study(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "series").mkdir()
    series(tmp_path / "series", [2, 0, 1], InstanceNumber=["30", "9", "10"])
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        drop(qtbot, window, [tmp_path / "series"])
        reading = window.session.reading
        assert reading is not None
        with open_source(reading.study.path, index=reading.index) as source:
            assert [number_of(source.read(frame)) for frame in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("numbering", [1, 2])
@pytest.mark.parametrize("is_queued", [False, True])
def test_an_older_study_of_a_folder_keeps_frames_and_labels(
    qtbot: QtBot, tmp_path: Path, numbering: int, is_queued: bool
) -> None:
    folder = tmp_path / "frames"
    for number in range(4):
        write(folder / f"f{number}{('.jpg', '.webp')[number % 2]}", photo(number))
        write(folder / f"f{number}_mask.png", mask(number))
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        library = window.session.library
        study = library.studies.add(
            folder, fingerprint=fingerprint(folder, numbering), frame_count=6, numbering=numbering
        )
        if is_queued:
            write_video(tmp_path / "other.mp4", 20)
            drop(qtbot, window, [tmp_path / "other.mp4", folder])
            assert len(library.studies.all()) == 2
        window.features.studies.open_path(folder)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.path == folder)
        reading = window.session.reading
        assert reading is not None
        assert reading.study.study_id == study.study_id
        assert reading.index.files == ("f0.jpg", "f0_mask.png", "f1_mask.png", "f2.jpg", "f2_mask.png", "f3_mask.png")
        assert OLD_NUMBERING_NOTE in window.banner.text
        assert library.studies.get(study.study_id).numbering == numbering


def test_the_same_folder_in_a_new_library_is_read_anew(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    for number in range(4):
        write(folder / f"f{number}{('.jpg', '.webp')[number % 2]}", photo(number))
        write(folder / f"f{number}_mask.png", np.asarray(mask(number)))
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        drop(qtbot, window, [folder])
        reading = window.session.reading
        assert reading is not None
        assert reading.index.files == ("f0.jpg", "f1.webp", "f2.jpg", "f3.webp")
        assert reading.study.numbering == NUMBERING
        study_id = reading.study.study_id
        window.features.studies.leave()
        moved = folder.rename(tmp_path / "moved")
        drop(qtbot, window, [moved])
        assert [study.study_id for study in window.session.library.studies.all()] == [study_id]
