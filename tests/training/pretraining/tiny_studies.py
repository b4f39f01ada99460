"""Tiny studies for training tests: folders of 64 px pictures of wall, some with a bright polyp or a red pool."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, save_manifest

SIDE = 64


def picture(kind: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """(64, 64, 3) RGB: a round view of pink wall, with what `kind` says in it."""
    y, x = np.mgrid[:SIDE, :SIDE]
    image = np.array([150.0, 90.0, 70.0]) + rng.normal(0, 12, (SIDE, SIDE, 1))
    where = rng.uniform(20, 44, 2)
    blob = np.hypot(x - where[0], y - where[1]) < 10
    if kind == "polyp":
        image[blob] = [230, 215, 190]
    elif kind == "blood":
        image[blob] = [110, 5, 5]
    image[np.hypot(x - 31.5, y - 31.5) > 31] = 0
    return np.clip(image, 0, 255).astype(np.uint8)


def write_tiny_studies(
    folder: Path,
    patients: int = 4,
    frames: int = 24,
    kinds: tuple[str, ...] = ("normal", "polyp"),
    labelled: bool = True,
) -> Path:
    """Studies P0, P1, ... whose frames come in equal stretches of each kind; manifest.json and labels.csv."""
    rng = np.random.default_rng(7)
    studies, rows = [], []
    each = frames // len(kinds)
    for number in range(patients):
        name = f"P{number}"
        (folder / name).mkdir(parents=True)
        studies.append(StudyEntry(study_id=f"{name}-study", patient_id=name, path=folder / name))
        for k, kind in enumerate(kinds):
            rows.append(LabelRow(study_id=f"{name}-study", start=k * each, stop=(k + 1) * each, label=kind))
            for frame in range(k * each, (k + 1) * each):
                bgr = cv2.cvtColor(picture(kind, rng), cv2.COLOR_RGB2BGR)
                assert cv2.imwrite(str(folder / name / f"frame{frame:04}.png"), bgr)
    save_manifest(folder / "manifest.json", Manifest(studies=tuple(studies)))
    write_labels(folder / "labels.csv", rows if labelled else [])
    return folder
