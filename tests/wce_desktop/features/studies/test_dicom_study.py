"""A DICOM file is opened, read and kept like any study."""

from pathlib import Path

from pydicom.uid import JPEG2000MC
from pytestqt.qtbot import QtBot

from tests.dicom_files import dataset, encoded_file, numbered_frames, raw_file, save, video_file
from tests.wce_desktop.windows import main_window, press, wait
from training.video.dicom.header import BURNED_IN_NOTE
from wce_desktop.features.studies.feature import video_filter


def test_a_video_opens_and_is_stepped_through(qtbot: QtBot, tmp_path: Path) -> None:
    path = video_file(tmp_path / "exam.dcm", frames=30, b_frames=2, header={"FrameTime": "500"})
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.features.studies.open_path(path)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        reading = window.session.reading
        assert reading is not None
        assert len(reading.index) == 30
        assert reading.index.video_seconds[2] == 1.0
        press(window, "step_forward")
        wait(qtbot, lambda: window.player.frame_index == 1)
        assert BURNED_IN_NOTE not in window.banner.text
        assert window.session.known_study(path) == window.session.library.studies.get(reading.study.study_id)


def test_burned_in_text_is_said_on_opening(qtbot: QtBot, tmp_path: Path) -> None:
    path = raw_file(tmp_path / "exam.dcm", numbered_frames(8), BurnedInAnnotation="YES")
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.features.studies.open_path(path)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        assert BURNED_IN_NOTE in window.banner.text


def test_one_that_cannot_be_read_says_why_and_nothing_is_lost(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        before, studies = window.session.reading, window.session.library.studies.all()
        bad = {
            "without pixel data": save(tmp_path / "report.dcm", dataset(9)),
            "holds a single picture, not a study": raw_file(tmp_path / "still.dcm", numbered_frames(1)),
            "cannot be read: JPEG 2000 Part 2": encoded_file(tmp_path / "part2.dcm", [b"x"] * 3, JPEG2000MC),
        }
        for said, path in bad.items():
            window.features.studies.open_path(path)
            wait(qtbot, lambda said=said: said in window.banner.text)  # type: ignore[misc]
            assert window.session.reading is before
        assert window.session.library.studies.all() == studies


def test_the_dialog_offers_dicom_files() -> None:
    assert "*.dcm" in video_filter()
