"""Labelled frames made for tests, without files."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry

CLASSES = ("normal", "polyp", "ulcer")


def labelled(rows: Sequence[tuple[str, int, int, int]], classes: tuple[str, ...] = CLASSES) -> LabelledFrames:
    """From (patient, start, stop, label) spans; each patient has one study."""
    patients = sorted({patient for patient, *_ in rows})
    studies = tuple(StudyEntry(study_id=f"study of {name}", patient_id=name, path=Path(name)) for name in patients)
    table = sorted(
        {
            (patients.index(patient), frame, label)
            for patient, start, stop, label in rows
            for frame in range(start, stop)
        }
    )
    columns = np.array(table, dtype=np.int64).reshape(-1, 3)
    return LabelledFrames(studies, classes, columns[:, 0], columns[:, 1], columns[:, 2])
