"""Close-ups of phantom lesions and of healthy mucosa, as studies of their own: what the demo model learns from first.

A lesion covers some two percent of a frame. From random weights a small network finds it far sooner where it fills the
picture; whole frames come second, from the weights that the close-ups gave.
"""

import csv
import random
import shutil
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.datasets.labels import NORMAL, LabelRow, read_labels, write_labels
from training.datasets.manifest import Manifest, StudyEntry, load_manifest, save_manifest
from training.phantom.record import truth_path
from training.video import FrameSource, open_source

SIDE_PX = 112
SMALLEST_CROP_PX, LARGEST_CROP_PX = 56, 144
POSITIVES_PER_STUDY = 400


def write_closeups(studies: Path, out: Path) -> None:
    """Write manifest.json, labels.csv and one folder of images for each study of the phantom folder `studies`."""
    manifest = load_manifest(studies / "manifest.json")
    labels = read_labels(studies / "labels.csv")
    boxes = read_boxes_by_study(studies / "boxes.csv")
    rows: list[LabelRow] = []
    for number, entry in enumerate(manifest.studies):
        normal = [row for row in labels if row.study_id == entry.study_id and row.label == NORMAL]
        with open_source(entry.path) as source:
            names = write_study(source, boxes[entry.study_id], normal, out / entry.study_id, random.Random(number))
        shutil.copyfile(truth_path(entry.path), truth_path(out / entry.study_id))  # marks them as synthetic
        rows += [LabelRow(study_id=entry.study_id, start=at, stop=at + 1, label=name) for at, name in enumerate(names)]
    entries = [
        StudyEntry(study_id=one.study_id, patient_id=one.patient_id, path=out / one.study_id)
        for one in manifest.studies
    ]
    save_manifest(out / "manifest.json", Manifest(studies=tuple(entries)))
    write_labels(out / "labels.csv", rows)


def read_boxes_by_study(path: Path) -> dict[str, list[tuple[int, tuple[float, float, float, float], str]]]:
    """Frame index, edges and label of each box, by study."""
    found = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            edges = tuple(float(row[name]) for name in ("x_min", "y_min", "x_max", "y_max"))
            found[row["study_id"]].append((int(row["frame_index"]), edges, row["label"]))
    return found  # type: ignore[return-value]


def write_study(
    source: FrameSource,
    boxes: list[tuple[int, tuple[float, float, float, float], str]],
    normal: list[LabelRow],
    folder: Path,
    chance: random.Random,
) -> list[str]:
    """Write one study's close-ups, positives and as many of healthy mucosa of the same sizes; returns their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = sorted(chance.sample(boxes, min(POSITIVES_PER_STUDY, len(boxes))), key=lambda box: box[0])
    frames = sorted(chance.choices([frame for row in normal for frame in range(row.start, row.stop)], k=len(chosen)))
    names: list[str] = []
    sides = []
    for frame_index, (x_min, y_min, x_max, y_max), name in chosen:
        side = float(np.clip(1.7 * max(x_max - x_min, y_max - y_min), SMALLEST_CROP_PX, LARGEST_CROP_PX))
        shift = (chance.uniform(-0.15, 0.15) * side, chance.uniform(-0.15, 0.15) * side)
        center = ((x_min + x_max) / 2 + shift[0], (y_min + y_max) / 2 + shift[1])
        write_image(folder, len(names), crop(source.read(frame_index), center, side))
        names.append(name)
        sides.append(side)
    for frame_index, side in zip(frames, sides, strict=True):
        frame = source.read(frame_index)
        angle, reach = chance.uniform(0, 2 * np.pi), frame.shape[0] / 2 * chance.uniform(0, 0.85) ** 0.5
        center = (frame.shape[1] / 2 + reach * np.cos(angle), frame.shape[0] / 2 + reach * np.sin(angle))
        write_image(folder, len(names), crop(frame, center, side))
        names.append(NORMAL)
    return names


def crop(frame: NDArray[np.uint8], center: tuple[float, float], side: float) -> NDArray[np.uint8]:
    """(SIDE_PX, SIDE_PX, 3): the square around `center`, moved inside the frame where it would stick out."""
    half = side / 2
    x = int(np.clip(center[0] - half, 0, frame.shape[1] - side))
    y = int(np.clip(center[1] - half, 0, frame.shape[0] - side))
    cut = frame[y : y + int(side), x : x + int(side)]
    return np.asarray(cv2.resize(cut, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def write_image(folder: Path, number: int, image: NDArray[np.uint8]) -> None:
    """Write one picture as JPEG."""
    cv2.imwrite(str(folder / f"{number:05d}.jpg"), image[..., ::-1])
