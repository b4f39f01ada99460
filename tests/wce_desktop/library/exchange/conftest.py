"""A study whose frames are there: a folder of small images."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.video import fingerprint
from wce_desktop.core.study import Study
from wce_desktop.library import Library

FRAMES = 30


def write_images(folder: Path, value: int = 0) -> Path:
    """A study of 30 frames; studies of different values differ in content."""
    folder.mkdir(parents=True)
    for at in range(FRAMES):
        cv2.imwrite(str(folder / f"{at:03d}.png"), np.full((16, 16, 3), at + value, dtype=np.uint8))
    return folder


@pytest.fixture
def read_study(library: Library, tmp_path: Path) -> Study:
    """A study of patient P03 with 30 frames in the library."""
    path = write_images(tmp_path / "Lovelace, Ada")
    return library.studies.add(
        path, study_id="P03a", patient_id="P03", fingerprint=fingerprint(path), frame_count=FRAMES, duration_seconds=3.0
    )
