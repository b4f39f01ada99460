"""Choosing a study in the file dialog."""

import re

from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.features.studies.feature import VIDEO_FILTER


def test_the_dialog_offers_every_video_that_can_be_opened() -> None:
    videos, everything = VIDEO_FILTER.split(";;")
    assert set(re.findall(r"\*(\.\w+)", videos)) == VIDEO_SUFFIXES | DICOM_SUFFIXES
    assert everything == "All files (*)"
