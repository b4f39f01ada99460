"""Embeddings of labelled frames: read from the files of scored studies, computed where there are none."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.embeddings.stored import StoredEmbeddings
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class EmbeddedFrames:
    """Labelled frames that could be read, with their embeddings."""

    labelled: LabelledFrames
    """M frames."""
    embeddings: NDArray[np.float32]
    """(M, D)"""

    def among(self, frames: LabelledFrames) -> "EmbeddedFrames":
        """Those that are among `frames`, which have the same studies."""
        rows = np.flatnonzero(np.isin(frame_keys(self.labelled), frame_keys(frames)))
        return EmbeddedFrames(self.labelled.select(rows), self.embeddings[rows])


def stored_rows(frames: LabelledFrames, stored: StoredEmbeddings) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Embeddings (M, D) as stored, NaN where there are none or the frame does not decode; and which (M,) are stored."""
    embeddings = np.full((len(frames), stored.embedding_size), np.nan, np.float32)
    is_stored = np.zeros(len(frames), dtype=bool)
    for number in np.unique(frames.study):
        study, rows = frames.studies[int(number)], frames.study == number
        embeddings[rows], is_stored[rows] = stored.rows(study.study_id, study.path, frames.frame_index[rows])
    return embeddings, is_stored


def count_missing(sides: Sequence[LabelledFrames], stored: StoredEmbeddings, reporter: Reporter) -> int:
    """Frames of these sides whose embeddings are not stored; `reporter` may end the counting."""
    missing = 0
    for side in sides:
        for number in np.unique(side.study):
            reporter.check()
            study, rows = side.studies[int(number)], side.study == number
            missing += int((~stored.has(study.study_id, study.path, side.frame_index[rows])).sum())
    return missing


def frame_keys(frames: LabelledFrames) -> NDArray[np.int64]:
    """(M,) one number for each frame of each study."""
    return frames.study << 32 | frames.frame_index
