"""What is odd about a file is said once when it opens; older studies keep the frames that their labels hang on."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from tests.dicom_files import numbered_frames, raw_file
from tests.wce_desktop.windows import main_window, press, wait
from training.video import FIRST_NUMBERING, NUMBERING, build_index
from training.video.indexing import OLD_NUMBERING_NOTE
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.plain_text import MessageBox


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    if window.session.reading is not None:
        window.features.studies.leave()
    window.features.studies.open_path(path)
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle)


def test_a_note_is_shown_once_and_can_be_read_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = raw_file(tmp_path / "exam.dcm", numbered_frames(8), NumberOfFrames=6)
    with main_window(qtbot, tmp_path, has_study=False) as window:
        opened(qtbot, window, path)
        assert "announces 6 frames; the file holds 8" in window.banner.text
        opened(qtbot, window, path)
        assert "announces 6 frames" not in window.banner.text
        shown: list[str] = []
        monkeypatch.setattr(MessageBox, "exec", lambda box: shown.append(box.text()))
        press(window, "study_notes")
        assert "announces 6 frames; the file holds 8" in shown[0]


def test_an_older_study_keeps_its_frames(qtbot: QtBot, tmp_path: Path) -> None:
    path = raw_file(tmp_path / "exam.dcm", numbered_frames(8), NumberOfFrames=6, PixelAspectRatio=["4", "3"])
    with main_window(qtbot, tmp_path, has_study=False) as window:
        library = window.session.library
        fingerprint = build_index(path).fingerprint
        study = library.studies.add(path, fingerprint=fingerprint, frame_count=6, numbering=FIRST_NUMBERING)
        opened(qtbot, window, path)
        reading = window.session.reading
        assert reading is not None
        assert (len(reading.index), reading.index.numbering) == (6, FIRST_NUMBERING)
        assert OLD_NUMBERING_NOTE in window.banner.text
        assert library.studies.get(study.study_id).numbering == FIRST_NUMBERING
        window.features.studies.scoring.add_studies([path])  # again, among others
        wait(qtbot, lambda: window.is_idle)
        assert (library.studies.get(study.study_id).frame_count, library.studies.get(study.study_id).numbering) == (
            6,
            1,
        )


def test_an_older_study_that_reads_as_before_takes_the_newest_numbering(qtbot: QtBot, tmp_path: Path) -> None:
    path = raw_file(tmp_path / "exam.dcm", numbered_frames(6))
    with main_window(qtbot, tmp_path, has_study=False) as window:
        library = window.session.library
        fingerprint = build_index(path).fingerprint
        study = library.studies.add(path, fingerprint=fingerprint, frame_count=6, numbering=FIRST_NUMBERING)
        opened(qtbot, window, path)
        assert OLD_NUMBERING_NOTE not in window.banner.text
        assert library.studies.get(study.study_id).numbering == NUMBERING


def turned_images(folder: Path) -> Path:
    """Three JPEG files, bright at the top as stored, that ask to be shown upside down."""
    folder.mkdir()
    exif = Image.Exif()
    exif[274] = 3
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:16] = 200
    for number in range(3):
        Image.fromarray(picture).save(folder / f"{number}.jpg", "JPEG", exif=exif)
    return folder


def brightness(window: MainWindow, row: int) -> float:
    """Of a row of the frame on screen."""
    picture = window.player.frame_view.frames[0].picture
    assert picture is not None
    return float(picture.pixelColor(picture.width() // 2, row).lightness())


def test_turned_images_are_shown_upright_and_the_note_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        opened(qtbot, window, turned_images(tmp_path / "images"))
        assert "shown upright: 3" in window.banner.text
        assert brightness(window, 40) > 150 > 50 > brightness(window, 4)


def test_turned_images_of_an_older_study_stay_as_they_were(qtbot: QtBot, tmp_path: Path) -> None:
    path = turned_images(tmp_path / "images")
    with main_window(qtbot, tmp_path, has_study=False) as window:
        library = window.session.library
        fingerprint = build_index(path).fingerprint
        study = library.studies.add(path, fingerprint=fingerprint, frame_count=3, numbering=FIRST_NUMBERING)
        opened(qtbot, window, path)
        assert OLD_NUMBERING_NOTE in window.banner.text
        assert "shown upright" not in window.banner.text
        assert library.studies.get(study.study_id).numbering == FIRST_NUMBERING
        assert brightness(window, 4) > 150 > 50 > brightness(window, 40)
