"""Choosing a study in the file dialog, and finishing its reading."""

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests import bad_inputs
from tests.videos import write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.features.studies.feature import video_filter


def test_the_dialog_offers_every_video_that_can_be_opened() -> None:
    videos, everything = video_filter().split(";;")
    assert set(re.findall(r"\*(\.\w+)", videos)) == VIDEO_SUFFIXES | DICOM_SUFFIXES
    assert everything == "All files (*)"


def test_a_study_that_opens_takes_back_why_another_did_not_and_nothing_else(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        window.features.studies.open_path(bad_inputs.sound_only(tmp_path))
        wait(qtbot, lambda: "holds no video stream" in window.banner.error)
        window.features.studies.open_path(write_video(tmp_path / "good.mp4", 20))
        wait(qtbot, lambda: window.session.reading is not None)
        assert window.banner.error == ""
        window.features.studies.leave()
        window.workspace.show_error("A backup could not be made.")
        window.features.studies.open_path(write_video(tmp_path / "other.mp4", 30))
        wait(qtbot, lambda: window.session.reading is not None)
        assert window.banner.error == "A backup could not be made."


def test_finishing_asks_where_something_was_not_seen(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def answer(words: str) -> None:
        def exec_(box: QMessageBox) -> QMessageBox.StandardButton:
            said.append(box.informativeText())
            return box.standardButton(next(button for button in box.buttons() if button.text() == words))

        monkeypatch.setattr(QMessageBox, "exec", exec_)

    with main_window(qtbot, tmp_path) as window:
        reading = window.workspace.reading

        def is_finished() -> bool:
            return reading is not None and reading.study.state == "finished"

        assert reading is not None
        answer("Go on reading")
        press(window, "finish_reading")
        assert not is_finished()
        assert "Not seen: 2 of 2 flags." in said[0]
        assert "of the study (" in said[0]
        answer("Finish")
        press(window, "finish_reading")
        assert is_finished()
        press(window, "finish_reading")
        reading.seen[:] = True
        press(window, "finish_reading")
        assert is_finished()
        assert said[2:] == ["2 flags are not answered."]
        press(window, "finish_reading")
        for event in window.workspace.reading.flags.events:
            window.features.reading.answer(event, is_accepted=False)
        press(window, "finish_reading")
        assert is_finished()
        assert len(said) == 3, "nothing to ask"
