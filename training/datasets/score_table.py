"""The scores of evaluated frames as a table, scores.csv: a row for each seed, frame and label of the frame."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError
from training.files.csv_text import read_dicts, write_csv

COLUMNS = ("seed", "fold", "study_id", "patient_id", "frame_index", "filename", "source", "label")
"""The classes follow."""


class Scored(Protocol):
    """What one training says of frames that it never saw."""

    @property
    def seed(self) -> int:
        """Of the training."""

    @property
    def fold(self) -> int:
        """Counted from 0."""

    @property
    def rows(self) -> NDArray[np.int64]:
        """(m,) of the frames."""

    @property
    def scores(self) -> NDArray[np.float32]:
        """(m, C) in [0, 1]."""


@dataclass(frozen=True)
class HeldOutScores:
    """The `Scored` of one training."""

    seed: int
    scores: NDArray[np.float32]
    fold: int = 0

    @property
    def rows(self) -> NDArray[np.int64]:
        """All."""
        return np.arange(len(self.scores))


def write_scores(
    path: Path, frames: LabelledFrames, classes: Sequence[str], parts: Iterable[Scored], filenames: Sequence[str] = ()
) -> Path:
    """Write the table; `filenames`: of the image with each frame index, empty for studies."""

    def rows() -> Iterator[list[Any]]:
        for part in parts:
            for row, values in zip(part.rows.tolist(), part.scores.tolist(), strict=True):
                study, frame = frames.studies[int(frames.study[row])], int(frames.frame_index[row])
                file, label = filenames[frame] if filenames else "", frames.classes[int(frames.label[row])]
                where = [study.study_id, study.patient_id, frame, file, study.source, label]
                yield [part.seed, part.fold + 1, *where, *(f"{value:.6f}" for value in values)]

    return write_csv(path, [*COLUMNS, *classes], rows())


@dataclass(frozen=True)
class ScoredFrames:
    """The scores of the first seed, each of M frames once."""

    classes: tuple[str, ...]
    """C, normal first."""
    study_ids: tuple[str, ...]
    patients: tuple[str, ...]
    frame_index: NDArray[np.int64]
    filenames: tuple[str, ...]
    """Empty texts where the frames are of studies."""
    labels: tuple[tuple[str, ...], ...]
    fold: NDArray[np.int64]
    """(M,) counted from 1."""
    scores: NDArray[np.float32]
    """(M, C) in [0, 1]."""


def read_scores(path: Path) -> ScoredFrames:
    """Read the table; raises `UserError` where it is missing or damaged."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    labels: dict[tuple[str, ...], list[str]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in read_dicts(file):
                key = row["study_id"], row["frame_index"], row["filename"]
                if rows.setdefault(key, row)["seed"] == row["seed"]:
                    labels.setdefault(key, []).append(row["label"])
        table = list(rows.values())
        classes = tuple(list(table[0])[len(COLUMNS) :])
        scores = np.array([[row[name] for name in classes] for row in table], np.float32)
        frame_index, fold = (np.array([row[name] for row in table], np.int64) for name in ("frame_index", "fold"))
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise UserError("{path} has no scores of frames.", "Evaluate once more.", path) from error
    study_ids, patients, filenames = (
        tuple(row[name] for row in table) for name in ("study_id", "patient_id", "filename")
    )
    return ScoredFrames(
        classes, study_ids, patients, frame_index, filenames, tuple(map(tuple, labels.values())), fold, scores
    )
