"""Small colonoscopies in the layout of REAL-Colon: two recordings of each patient, whose lesions come and go."""

from pathlib import Path

import cv2
import numpy as np

from tests.training.datasets.public.colonoscopy.test_real_colon import Box, annotation
from tests.training.datasets.public.trees import text
from training.datasets.findings import LinkRow, write_links
from training.files.csv_text import write_csv

SIDE, FRAMES = 64, 48
VISITS = {1: ((4, 12), (26, 34)), 2: ((14, 22), (36, 44))}
"""Number of a lesion -> frames [start, stop) in which it is seen; it leaves the view in between."""
HISTOLOGY = {1: "AD", 2: "HP"}
COLOURS = {1: (60, 160, 235), 2: (190, 120, 230)}
"""BGR."""


def write_real_colon(folder: Path, patients: int = 3) -> Path:
    """Recordings 001-001 and 001-002 of the first patient, 001-003 and 001-004 of the second, and so on."""
    names = [f"001-{number:03}" for number in range(1, 2 * patients + 1)]
    text(folder / "video_info.csv", "unique_video_name,fps\n" + "".join(f"{name},10\n" for name in names))
    rows = [f"{name}_{lesion},{name},4,{kind}\n" for name in names for lesion, kind in HISTOLOGY.items()]
    columns = "unique_object_id,unique_video_name,size [mm],histology_class\n"
    text(folder / "lesion_info.csv", columns + "".join(rows))
    for number, name in enumerate(names):
        _write_recording(folder, name, np.random.default_rng(number))
    return folder


def _write_recording(folder: Path, name: str, rng: np.random.Generator) -> None:
    wall = rng.integers(60, 120, 3)
    for at in range(FRAMES):
        frame = np.clip(wall + rng.normal(0, 8, (SIDE, SIDE, 3)), 0, 255).astype(np.uint8)
        boxes: list[Box] = []
        for lesion, visits in VISITS.items():
            if any(start <= at < stop for start, stop in visits):
                left, top = 10 + 22 * (lesion - 1) + at % 3, 20
                cv2.circle(frame, (left + 8, top + 8), 8, COLOURS[lesion], -1)
                boxes.append((f"{name}_{lesion}", left, top, left + 17, top + 17))
        _write(folder / f"{name}_frames" / f"{name}_{at + 1}.jpg", frame)
        size = (SIDE, SIDE)
        text(folder / f"{name}_annotations" / f"{name}_{at + 1}.xml", annotation(*boxes, size=size))


def _write(path: Path, frame: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), frame)


def write_pairs(folder: Path, patients: int = 3) -> Path:
    """pairs.csv, and links.csv: the set itself names lesions by recording."""
    pairs = [(f"001-{2 * each + 1:03}", f"001-{2 * each + 2:03}") for each in range(patients)]
    write_csv(folder / "pairs.csv", ("study_id", "other_study_id"), pairs)
    links = [
        LinkRow(
            study_id=one, frame_index=VISITS[lesion][0][0], other_study_id=other,
            other_frame_index=VISITS[lesion][1][0], is_same=True, name="polyp", other_name="polyp", reader="",
        )
        for one, other in pairs
        for lesion in VISITS
    ]  # fmt: skip
    write_links(folder / "links.csv", links)
    return folder / "pairs.csv"
