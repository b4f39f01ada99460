"""A library with a video study and boxes, for tests of annotation formats."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.video import fingerprint
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library

NAMES = ("normal", "polyp", "blood", "foreign body")
WIDTH, HEIGHT, FRAMES = 64, 48, 30
NAME = "MEIER_Anna_1950-03-01"
"""Stands in the path of the study, as in a hospital."""


def round_frame(number: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    """(height, width, 3) uint8 BGR: a bright disc, its brightness says which frame, and a mark in the corner."""
    frame = np.zeros((height, width, 3), np.uint8)
    cv2.circle(frame, (width // 2, height // 2), height // 2 - 2, (60, 90, 120 + number), -1)
    frame[:6, :6] = 255  # where a clock or a name would be burned in
    return frame


def write_study(folder: Path, frames: int = FRAMES) -> Path:
    """A folder of images as a study."""
    folder.mkdir(parents=True)
    for number in range(frames):
        assert cv2.imwrite(str(folder / f"{number:03d}.png"), round_frame(number))
    return folder


def add_study(library: Library, path: Path, study_id: str = "P03a", frames: int = FRAMES) -> Study:
    """The study in a library; frames are counted, not read."""
    return library.studies.add(
        path, study_id=study_id, patient_id="P03", fingerprint=fingerprint(path), frame_count=frames
    )


def add_boxes(
    library: Library, boxes: Sequence[tuple[int, str, float, float, float, float]], study: str = "P03a"
) -> None:
    """Boxes as (frame, class, corners)."""
    changes = [
        Add(Box(f"{study}-b{at}", study, frame, x_min, y_min, x_max, y_max, name))
        for at, (frame, name, x_min, y_min, x_max, y_max) in enumerate(boxes)
    ]
    library.annotations.edit(study, "boxes", changes)


def add_labels(library: Library, labels: Sequence[tuple[int, int, str]], study: str = "P03a") -> None:
    """Labels as (start, stop, class)."""
    changes = [
        Add(Label(f"{study}-l{at}", study, Span(start, stop), name)) for at, (start, stop, name) in enumerate(labels)
    ]
    library.annotations.edit(study, "labels", changes)


def boxes_of(library: Library, study: str = "P03a") -> list[tuple[int, str, float, float, float, float]]:
    """All boxes, sorted, corners to a hundredth of a pixel."""
    return sorted(
        (box.frame_index, box.name, *(round(x, 2) for x in (box.x_min, box.y_min, box.x_max, box.y_max)))  # type: ignore[misc]
        for box in library.annotations.boxes(study)
    )


def labels_of(library: Library, study: str = "P03a") -> set[tuple[int, str]]:
    """(frame, class) of every label."""
    return {
        (frame, label.name)
        for label in library.annotations.labels(study)
        for frame in range(label.span.start, label.span.stop)
    }


def picture_at(path: Path) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR of a picture file."""
    picture = cv2.imread(str(path))
    assert picture is not None
    return np.asarray(picture, np.uint8)
