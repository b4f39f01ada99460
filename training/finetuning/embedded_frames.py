"""Embeddings of labelled frames: read from the files of scored studies, computed where there are none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.datasets.frame_store import report_missing
from training.datasets.labelled_frames import LabelledFrames
from training.embeddings.stored import StoredEmbeddings
from training.runs.reporter import Reporter
from training.texts import Text


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


Compute = Callable[[LabelledFrames], EmbeddedFrames]
"""Embeds frames from their videos; those that do not decode are left out."""


def embed(
    frames: LabelledFrames, stored: StoredEmbeddings, compute: Compute, reporter: Reporter, what: str
) -> EmbeddedFrames:
    """The embeddings of labelled frames.

    Args:
        frames: sorted by study and time.
        stored: looked into first.
        compute: called once, with the frames that are not stored; not called if there are none.
        reporter: logs where the embeddings came from, and frames that do not decode.
        what: names the frames in the log ("training").

    Raises:
        UserError: a study cannot be read, or none of a study's frames.
    """
    embeddings, is_stored = stored_rows(frames, stored)
    missing = np.flatnonzero(~is_stored)
    reporter.log(
        Text(
            "Embeddings of {what} frames: {sum:,} stored, {count:,} to compute.",
            Text(what),
            is_stored.sum(),
            len(missing),
        )
    )
    if len(missing):
        computed = compute(frames.select(missing))
        rows = missing[np.isin(frame_keys(frames.select(missing)), frame_keys(computed.labelled))]
        embeddings[rows] = computed.embeddings
    there = np.asarray(np.isfinite(embeddings).all(axis=1))
    for number in np.unique(frames.study[is_stored & ~there]):
        report_missing(frames, np.flatnonzero(frames.study == number), there, int(number), reporter)
    return EmbeddedFrames(frames.select(there), embeddings[there])


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
